// The wrong answers that the exercises of lesson 1 know: none is right, no two are the same.
// SPDX-License-Identifier: MIT
#include "lessons/1_math_refresh/answers/wrong_answers.hpp"
#include "tests/wrong_answers.hpp"

using namespace exercise;

static void numbers(Checks& check) {
  constexpr double percent = 0.01;
  check_misreadings(check, "relu_moment", std::pow(0.5, 20), wrong_relu_moments, percent);
  check_misreadings(check, "tanh_slope", 0.36, wrong_tanh_slopes, percent);
  check_misreadings(check, "difference_of_square", 10, wrong_squares, percent);
  check_misreadings(check, "difference_of_cube", 3.25, wrong_cubes, percent);
  check_misreadings(check, "da", 6, wrong_da, percent);
  check_misreadings(check, "db", -18, wrong_db, percent);
  // Each measured variance errs by less than 2 %.
  check_misreadings(check, "variance", 2.0 / 509, wrong_variances(509, 151), 0.04);
}

static void formulas(Checks& check) {
  check_mistakes(check, "slope_in_z",
                 at_pairs([](double z, double beta, double t, double prime) { return t + beta * z * prime; }),
                 wrong_slopes_in_z);
  check_mistakes(check, "slope_in_beta", at_pairs([](double z, double, double, double prime) { return z * z * prime; }),
                 wrong_slopes_in_beta);
  check_mistakes(check, "leaky gain", gains([](double a) { return 2 / (1 + a * a); }), wrong_leaky_gains);
  check_mistakes(check, "gain", at_shares([](double keep) { return 2 / keep; }), wrong_gains);
  check_mistakes(check, "gain_divided", at_shares([](double keep) { return 2 * keep; }), wrong_divided_gains);
  check_mistakes(check, "any gain", at_levels(right_gain), wrong_any_gains(), 2e-5);  // as near as the check looks
}

static void matrices(Checks& check) {
  Random random(6);
  const auto D = normal_matrix<double>(5, 3, 2, random);
  check_mistakes(check, "loss_gradient", 1.0 / 15 * map(D, [](double d) { return d / std::sqrt(1 + d * d); }),
                 wrong_loss_gradients(D));
  const auto X = normal_matrix<double>(5, 4, 1, random), W = normal_matrix<double>(4, 4, 0.5, random),
             R = normal_matrix<double>(5, 4, 1, random);
  const Matrix<double> S = map(matmul(X, W), [](double z) { return std::tanh(z); });
  const Matrix<double> slope = map(S, [](double s) { return 1 - s * s; }), between = hadamard(R, slope);
  const WrongGradients wrong = wrong_around(X, W, S, R);
  check_mistakes(check, "dX", matmul(between, transpose(W)) + R, wrong.dX);
  check_mistakes(check, "dW", matmul(transpose(X), between), wrong.dW);
  check_mistakes(check, "db", column_sums(between), wrong.db);
}

int main() {
  Checks check;
  numbers(check);
  formulas(check);
  matrices(check);
  check.throws<std::runtime_error>([] { calling("f", []() -> int { throw std::invalid_argument("shape"); }); },
                                   "f: shape", "an exception gets the function's name");
  return check.done("test_lesson1_wrong_answers");
}
