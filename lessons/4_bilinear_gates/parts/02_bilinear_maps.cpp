// Part 2: what a bilinear map keeps.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/lesson.hpp"

namespace lesson4::p2 {

constexpr knob::Numbers row_r{"r", "the row r", {1, 1}, in_quarters, {"r[1]", "r[2]"}};
constexpr knob::Numbers row_s{"s", "the row s", {3, -1}, in_quarters, {"s[1]", "s[2]"}};
constexpr knob::Numbers matrix_a{
    "a", "A row by row", {1, 2, 3, -1}, in_quarters, {"A[1,1]", "A[1,2]", "A[2,1]", "A[2,2]"}};
constexpr knob::Numbers matrix_b{
    "b", "B row by row", {2, 0, 1, 1}, in_quarters, {"B[1,1]", "B[1,2]", "B[2,1]", "B[2,2]"}};
constexpr knob::Real factor{"factor", "α, which multiplies r, or both r and s", 3, in_quarters};

// Returns the row with a 1 behind it.
static Matrix<double> with_one(const Matrix<double>& row) { return {{row(0, 0), row(0, 1), 1}}; }

// The 1 that makes a bias a weight: handed on by a layer's own column, or appended again behind it.
static void the_one(Lesson& lesson, const Matrix<double>& A, const Matrix<double>& B,
                    const Matrix<double>& r, double alpha) {
  const auto with_bias = [](const Matrix<double>& M) {  // the bias is (1, 2)
    return Matrix<double>{{M(0, 0), M(0, 1)}, {M(1, 0), M(1, 1)}, {1, 2}};
  };
  const Matrix<double> first = with_bias(A), second = with_bias(B);
  Matrix<double> handing_on(3, 3);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 2; ++j) handing_on(i, j) = first(i, j);
  handing_on(2, 2) = 1;
  const Matrix<double> row = with_one(r), twice = matmul(with_one(matmul(row, first)), second);
  const Matrix<double> folded = matmul(handing_on, second);
  // Some roundings of sums up to 100; quarters need none.
  lesson.claim("two layers with biases, the 1 handed on, are one matrix, max |diff|",
               max_abs_difference(matmul(row, folded), twice), at_most(1e-11));
  // Of the bias (1, 2) behind it the multiplied row brings α times, the 1 appended again only one.
  const Matrix<double> again = matmul(with_one(matmul(alpha * row, first)), second);
  lesson.claim("the 1 appended again: α·(r, 1) no longer gives α times as much, off by",
               max_abs_difference(again, alpha * twice), within(2 * std::abs(alpha - 1), 1e-11));
}

static double relu(double z) { return std::max(z, 0.0); }

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const Matrix<double> A = matrix_of(2, at[matrix_a]), B = matrix_of(2, at[matrix_b]),
                       r = matrix_of(1, at[row_r]), s = matrix_of(1, at[row_s]), more{{-2, 5}};
  const double alpha = at[factor];
  const auto g = [&](const Matrix<double>& one, const Matrix<double>& other) {
    return hadamard(matmul(one, A), matmul(other, B));  // (4.1)
  };
  lesson.say("What does g(r, s) = (r·A) ⊙ (s·B) keep? With r = ", pair_text(r),
             ", s = ", pair_text(s), ", α = ", alpha, ":");
  lesson.show(
      Table{{"g(r, s)", "g(α·r, s)", "g(α·r, α·s)", "g(r, r)", "g(-r, -r)"},
            {{pair_text(g(r, s)), pair_text(g(alpha * r, s)), pair_text(g(alpha * r, alpha * s)),
              pair_text(g(r, r)), pair_text(g(-1 * r, -1 * r))}}});
  const auto one = [&](double a) { return g(a * r, s)(0, 0); };
  const auto both = [&](double a) { return g(a * r, a * s)(0, 0); };
  lesson.figure("bilinear", plot::Chart{.title = "What α does to the first output of g",
                                        .x = {.title = "α", .low = -3, .high = 3},
                                        .y = {.low = -200, .high = 200},
                                        .series = {plot::curve("g(α·r, s)", -3, 3, 0.1, one),
                                                   plot::curve("g(α·r, α·s)", -3, 3, 0.1, both),
                                                   {.name = "here",
                                                    .x = {alpha, alpha},
                                                    .y = {one(alpha), both(alpha)},
                                                    .points = true}}});
  // Some roundings of sums up to 24·54 at the knobs' ends; quarters need none.
  const auto equal = [&](const std::string& statement, const Matrix<double>& left,
                         const Matrix<double>& right) {
    lesson.claim(statement + ", largest difference", max_abs_difference(left, right),
                 at_most(1e-11));
  };
  const auto m = [&](const Matrix<double>& u) { return matmul(u, A); };
  equal("a linear map m(r) = r·A: m(r + r') = m(r) + m(r')", m(r + more), m(r) + m(more));
  equal("m(α·r) = α·m(r)", m(alpha * r), alpha * m(r));
  equal("g keeps a sum in the first place", g(r + more, s), g(r, s) + g(more, s));
  equal("g keeps a sum in the second place", g(r, s + more), g(r, s) + g(r, more));
  equal("g(α·r, s) = α·g(r, s)", g(alpha * r, s), alpha * g(r, s));
  equal("g(α·r, α·s) = α²·g(r, s)", g(alpha * r, alpha * s), alpha * alpha * g(r, s));
  equal("g(-r, -r) = g(r, r)", g(-1 * r, -1 * r), g(r, r));
  Matrix<double> chosen = A;  // by s: its columns times those numbers
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) chosen(i, j) *= matmul(s, B)(0, j);
  equal("with s fixed g is one matrix, which s makes of A", matmul(r, chosen), g(r, s));
  const auto bent = [&](const Matrix<double>& u) { return map_entries(m(u), relu); };
  lesson.claim_standard("relu(r·A) is not linear: relu(-r·A) is off -relu(r·A) by",
                        max_abs_difference(bent(-1 * r), -1 * bent(r)), exactly(4));
  the_one(lesson, A, B, r, alpha);
}

}  // namespace lesson4::p2

const Part<lesson4::Session> lesson4::part2{
    .number = 2,
    .title = "Linear and bilinear maps",
    .question = "What does a bilinear map keep?",
    .run = p2::run,
    .knobs = {&p2::factor, &p2::row_r, &p2::row_s, &p2::matrix_a, &p2::matrix_b}};
