// The wrong answers that the exercises of lesson 1 know: none is right, no two are the same.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "lessons/1_math_refresh/answers/wrong_answers.hpp"
#include "tests/wrong_answers.hpp"

using namespace exercise;

static void numbers(Checks& check) {
  constexpr double percent = 0.01;
  const double moment = std::pow(0.5, 20);
  check_all(check, "relu_moment", moment, wrong_relu_moments, percent);
  check_all(check, "tanh_slope", 0.36, wrong_tanh_slopes, percent);
  check_all(check, "difference_of_square", 10, wrong_squares, percent);
  check_all(check, "difference_of_cube", 3.25, wrong_cubes, percent);
  check_all(check, "da", 6, wrong_da, percent);
  check_all(check, "db", -18, wrong_db, percent);
  // Each measured variance errs by less than 2 %.
  check_misreadings(check, "variance", 2.0 / 509, wrong_variances(509, 137), 0.04);
  // What the run prints behind 20, 10 and 50 layers of ReLU with Var W = 1/n.
  const auto told = [&](double yours) {
    return diagnose({"relu_moment", yours, moment, percent, wrong_relu_moments_and(yours)});
  };
  check.that(told(1.2e-6).starts_with("near, but a run measures this"), "copied from the run: " + told(1.2e-6));
  check.equal(told(0.00093), "that is behind 10 layers, with the luck of a run", "copied from the run, 10 layers");
  check.equal(told(3.9e-16), "that is behind 50 layers, with the luck of a run", "copied from the run, 50 layers");
  check.equal(told(std::pow(0.5, 19)), "one layer too few: E[h²] behind layer 1 is halved already", "19 layers");
}

static void formulas(Checks& check) {
  check_all(check, "slope_in_z",
            at_pairs([](double z, double beta, double t, double prime) { return t + beta * z * prime; }),
            wrong_slopes_in_z);
  check_all(check, "slope_in_beta", at_pairs([](double z, double, double, double prime) { return z * z * prime; }),
            wrong_slopes_in_beta);
  check_all(check, "leaky gain", gains([](double a) { return 2 / (1 + a * a); }), wrong_leaky_gains);
  check_all(check, "gain", at_shares([](double keep) { return 2 / keep; }), wrong_gains);
  check_all(check, "gain_divided", at_shares([](double keep) { return 2 * keep; }), wrong_divided_gains);
}

// Guesses and slips that must be named, each with words of the cause.
static void causes(Checks& check) {
  const auto slope_in_z = at_pairs([](double z, double beta, double t, double prime) { return t + beta * z * prime; });
  const auto slope_in_beta = at_pairs([](double z, double, double, double prime) { return z * z * prime; });
  const auto at_z = at_pairs([](double z, double, double, double) { return z * lesson1::tanh_prime(z); });
  check_cause(check, "slope_in_z", at_z, slope_in_z, wrong_slopes_in_z, "tanh_prime stands at z");
  check_cause(check, "slope_in_beta", at_z, slope_in_beta, wrong_slopes_in_beta, "tanh_prime stands at z");
  const auto gain = at_shares([](double keep) { return 2 / keep; });
  const auto divided = at_shares([](double keep) { return 2 * keep; });
  const auto of_dropped = at_shares([](double keep) { return 2 / (1 - keep); });
  const auto alone = at_shares([](double keep) { return 1 / keep; });
  check_cause(check, "gain", of_dropped, gain, wrong_gains, "1 - keep drops out");
  check_cause(check, "gain_divided", of_dropped, divided, wrong_divided_gains, "1 - keep drops out");
  check_cause(check, "gain", alone, gain, wrong_gains, "ReLU lets only half");
  check_cause(check, "gain_divided", alone, divided, wrong_divided_gains, "ReLU lets only half");
  // The bounds of 1.5, each the root of three times a variance.
  const double in = 509, out = 137;
  for (const auto& [bound, words] :
       {std::pair{6 / in, "lacks its root"}, std::pair{std::sqrt(6) / in, "in stands outside the root"},
        std::pair{std::sqrt(std::sqrt(6 / in)), "a root was taken twice"}, std::pair{std::sqrt(6 / out), "2/out"},
        std::pair{std::sqrt(6 / (in + out)), "Xavier"}, std::pair{std::sqrt(3 / in), "the 2 that makes up for ReLU"},
        std::pair{2 / std::sqrt(in), "the 2 stands under the root"}, std::pair{std::sqrt(2 / in) / 3, "the wrong way"},
        std::pair{std::sqrt(2 / in) / std::sqrt(3), "the wrong way"},
        std::pair{3 * std::sqrt(2 / in), "a 3 belongs under the root"}}) {
    const std::string told = name_variance(1.01 * bound * bound / 3, in, out);  // measured
    check.that(told.find(words) != std::string::npos, std::string(words) + "; told: " + told);
  }
}

// 1.8: what is told of searches that end too soon, and where none of the known wrong answers fits.
static void any_gain(Checks& check) {
  const Matrix<double> right = at_levels(right_gain);
  check_mistakes(check, "any gain", right, wrong_any_gains(), 2e-5);  // as near as the check looks
  const auto told = [&](const Matrix<double>& yours) { return diagnose_search(yours, right, 2e-5); };
  const auto up_to = [&](double low, double high) {
    return told(map(right, [&](double gain) { return std::clamp(gain, low, high); }));
  };
  const std::string beyond = "where it is wrong it is always ";
  check.that(up_to(1e-3, 10).starts_with(beyond + "10:"), "up to 10: " + up_to(1e-3, 10));
  check.that(up_to(1e-3, 300).starts_with(beyond + "300:"), "up to 300: " + up_to(1e-3, 300));
  check.that(up_to(0.1, 1e3).starts_with(beyond + "0.1:"), "from 0.1 on: " + up_to(0.1, 1e3));
  // Halving [1e-3, 1e3], until it is as short as this: its middle.
  for (const int halvings : {3, 10, 20, 25})
    check.that(told(map(right,
                        [&](double gain) {
                          double low = 1e-3, high = 1e3;
                          for (int k = 0; k < halvings; ++k) ((low + high) / 2 < gain ? low : high) = (low + high) / 2;
                          return (low + high) / 2;
                        })) == "the search stops too early: more halvings",
               std::to_string(halvings) + " halvings");
  check.equal(told(1.001 * right), "near, but not to six digits: look closer", "three digits");
  check.that(told(map(right, [](double) { return 10.0; })).starts_with("the same for every φ and M, 10:"), "one end");
  const std::string near = "near, but not to six digits: look closer";
  check.equal(told((1 + 1e-5) * right), near, "five digits");
  check.equal(told(map(right, [](double gain) { return std::round(gain * 1e5) / 1e5; })), near, "rounded");
  check.equal(told(1.5 * right), "", "none of these");
}

static void matrices(Checks& check) {
  Random random(6);
  const auto D = normal_matrix<double>(5, 3, 2, random);
  check_all(check, "loss_gradient", 1.0 / 15 * map(D, [](double d) { return d / std::sqrt(1 + d * d); }),
            wrong_loss_gradients(D));
  const auto X = normal_matrix<double>(5, 4, 1, random), W = normal_matrix<double>(4, 4, 0.5, random),
             R = normal_matrix<double>(5, 4, 1, random);
  const Matrix<double> S = map(matmul(X, W), [](double z) { return std::tanh(z); });
  const Matrix<double> slope = map(S, [](double s) { return 1 - s * s; }), between = hadamard(R, slope);
  const WrongGradients wrong = wrong_around(X, W, S, R);
  check_all(check, "dX", matmul(between, transpose(W)) + R, wrong.dX);
  check_all(check, "dW", matmul(transpose(X), between), wrong.dW);
  check_all(check, "db", column_sums(between), wrong.db);
}

int main() {
  Checks check;
  numbers(check);
  formulas(check);
  causes(check);
  any_gain(check);
  matrices(check);
  check.throws<std::runtime_error>([] { calling("f", []() -> int { throw std::invalid_argument("shape"); }); },
                                   "f: shape", "an exception gets the function's name");
  return check.done("test_lesson1_wrong_answers");
}
