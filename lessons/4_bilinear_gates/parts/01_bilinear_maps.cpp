// Lesson 4, part 1: what a bilinear map keeps.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/lesson.hpp"

namespace lesson4 {

constexpr knob::Numbers row_x{"x", "the row x", {1, 1}, {-3, 3, 0.25}};
constexpr knob::Numbers row_y{"y", "the row y", {3, -1}, {-3, 3, 0.25}};
constexpr knob::Numbers matrix_a{"a", "A row by row", {1, 2, 3, -1}, {-3, 3, 0.25}};
constexpr knob::Numbers matrix_b{"b", "B row by row", {2, 0, 1, 1}, {-3, 3, 0.25}};
constexpr knob::Real factor{"factor", "s, by which x is multiplied, or x and y", 3, {-3, 3, 0.25}};

// g(x, y) = (x·A) ⊙ (y·B), for rows x and y.   (4.1)
struct Bilinear {
  Matrix<double> A, B;

  Matrix<double> operator()(const Matrix<double>& x, const Matrix<double>& y) const {
    return hadamard(matmul(x, A), matmul(y, B));
  }
};

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const Bilinear g{matrix_of(2, at[matrix_a]), matrix_of(2, at[matrix_b])};
  const Matrix<double> x = matrix_of(1, at[row_x]), y = matrix_of(1, at[row_y]), r{{-2, 5}};
  const double s = at[factor];
  lesson.say("What does g(x, y) = (x·A) ⊙ (y·B) keep? With x = ", pair_text(x), ", y = ", pair_text(y), ", s = ", s,
             ":");
  lesson.show(Table{{"g(x, y)", "g(s·x, y)", "g(s·x, s·y)", "g(x, x)", "g(-x, -x)"},
                    {{pair_text(g(x, y)), pair_text(g(s * x, y)), pair_text(g(s * x, s * y)), pair_text(g(x, x)),
                      pair_text(g(-1 * x, -1 * x))}}});
  const auto one = [&](double t) { return g(t * x, y)(0, 0); };
  const auto both = [&](double t) { return g(t * x, t * y)(0, 0); };
  lesson.figure("bilinear", plot::Chart{.title = "What s does to the first output of g",
                                        .x = {.title = "s", .low = -3, .high = 3},
                                        .y = {.low = -200, .high = 200},
                                        .series = {plot::curve("g(s·x, y)", -3, 3, 0.1, one),
                                                   plot::curve("g(s·x, s·y)", -3, 3, 0.1, both),
                                                   {"at this s", {s, s}, {one(s), both(s)}, true}}});
  // A few roundings of sums of products, up to 24·54 at the ends of the knobs; none of quarters.
  const auto equal = [&](const std::string& statement, const Matrix<double>& left, const Matrix<double>& right) {
    lesson.claim(statement + ", largest difference", max_abs_difference(left, right), at_most(1e-11));
  };
  equal("g(x + r, y) = g(x, y) + g(r, y)", g(x + r, y), g(x, y) + g(r, y));
  equal("g(x, y + r) = g(x, y) + g(x, r)", g(x, y + r), g(x, y) + g(x, r));
  equal("g(s·x, y) = s·g(x, y)", g(s * x, y), s * g(x, y));
  equal("g(x, s·y) = s·g(x, y)", g(x, s * y), s * g(x, y));
  equal("g(s·x, s·y) = s²·g(x, y)", g(s * x, s * y), s * s * g(x, y));
  equal("g(-x, -x) = g(x, x)", g(-1 * x, -1 * x), g(x, x));
}

extern const Part<Session> part1(1, "Linear and bilinear maps", run, "What does a bilinear map keep?",
                                 {&factor, &row_x, &row_y, &matrix_a, &matrix_b});

}  // namespace lesson4
