// Lesson 4, part 1: the two matrices and the two rows of a bilinear map can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/parts.hpp"
#include "lessons/4_bilinear_gates/run/diagram.hpp"
#include "lessons/4_bilinear_gates/run/session.hpp"

namespace lesson4 {
namespace {

constexpr knob::Numbers row_x{"x", "the row x", {1, 1}, {-3, 3, 0.25}};
constexpr knob::Numbers row_y{"y", "the row y", {3, -1}, {-3, 3, 0.25}};
constexpr knob::Numbers matrix_a{"a", "A row by row", {1, 2, 3, -1}, {-3, 3, 0.25}};
constexpr knob::Numbers matrix_b{"b", "B row by row", {2, 0, 1, 1}, {-3, 3, 0.25}};
constexpr knob::Real factor{"factor", "s, by which x is multiplied, or x and y", 3, {-3, 3, 0.25}};
constexpr knob::Choice output_shown{"output", "the output that is drawn", {"first", "second"}};

Matrix<double> matrix_of(std::size_t rows, const std::vector<double>& numbers) {
  Matrix<double> M(rows, numbers.size() / rows);
  std::copy(numbers.begin(), numbers.end(), M.values().begin());
  return M;
}

// g(x, y) = (x·A) ⊙ (y·B).   (4.0)
struct Bilinear {
  Matrix<double> A, B;

  Matrix<double> operator()(const Matrix<double>& x, const Matrix<double>& y) const {
    return hadamard(matmul(x, A), matmul(y, B));
  }
};

plot::Chart chart_of(const Bilinear& g, const Matrix<double>& x, const Matrix<double>& y, std::size_t output) {
  plot::Chart chart{.title = join("What s does to g, in the ", output_shown.choices[output], " output"),
                    .x = {.title = "s", .low = -3, .high = 3},
                    .y = {.title = "", .low = -100, .high = 100},
                    .series = {{"g(s·x, y)"}, {"g(s·x, s·y)"}, {"g(s·x, s·x)"}}};
  for (int k = -30; k <= 30; ++k) {
    const double s = 0.1 * k;
    chart.series[0].add(s, g(s * x, y)(0, output));
    chart.series[1].add(s, g(s * x, s * y)(0, output));
    chart.series[2].add(s, g(s * x, s * x)(0, output));
  }
  return chart;
}

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const Bilinear g{matrix_of(2, at[matrix_a]), matrix_of(2, at[matrix_b])};
  const Matrix<double> x = matrix_of(1, at[row_x]), y = matrix_of(1, at[row_y]);
  const double s = at[factor];
  lesson.picture("turned_bilinear", chart_of(g, x, y, at[output_shown]));
  lesson.show(Table{{"g(x, y)", "g(s·x, y)", "g(s·x, s·y)", "g(x, x)", "g(-x, -x)"},
                    {{pair_text(g(x, y)), pair_text(g(s * x, y)), pair_text(g(s * x, s * y)), pair_text(g(x, x)),
                      pair_text(g(-1 * x, -1 * x))}}});
  lesson.say("s = ", s, " in one place multiplies g by ", s, ", in both places by ", s * s,
             ". With one x in both places a change of its sign changes nothing.");
  // Sums of products of numbers up to 3, some up to 18·54; a few roundings of them.
  const auto near = [&](const char* statement, const Matrix<double>& left, const Matrix<double>& right) {
    lesson.claim(statement, max_abs_difference(left, right), at_most(1e-11));
  };
  near("g(s·x, y) = s·g(x, y), max |diff|", g(s * x, y), s * g(x, y));
  near("g(s·x, s·y) = s²·g(x, y), max |diff|", g(s * x, s * y), s * s * g(x, y));
  near("g(x + y, y) = g(x, y) + g(y, y), max |diff|", g(x + y, y), g(x, y) + g(y, y));
}

}  // namespace

Bench<Session> bench1() {
  return {"What does a bilinear map keep when x, y or both are multiplied?",
          {&factor, &row_x, &row_y, &matrix_a, &matrix_b, &output_shown},
          run};
}

}  // namespace lesson4
