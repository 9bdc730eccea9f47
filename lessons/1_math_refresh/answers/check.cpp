// Lesson 1: checks the answers to its exercises. The folder on the include path decides whose: exercises/ holds the
// reader's, answers/solutions/ ours.
// Run: make exercise1
// SPDX-License-Identifier: MIT
#include <ex1_1_slopes.hpp>
#include <ex1_2_loss.hpp>
#include <ex1_3_predict.hpp>
#include <ex1_4_leaky_gain.hpp>
#include <ex1_5_uniform.hpp>
#include <ex1_6_way_around.hpp>
#include <ex1_7_dropout.hpp>
#include <ex1_8_any_gain.hpp>

#include "common/support/exercise.hpp"
#include "lessons/1_math_refresh/answers/wrong_answers.hpp"
#include "lessons/1_math_refresh/model/3_signal.hpp"

using namespace exercise;
using namespace lesson1;

constexpr Judge by_formula{1e-12, "right"};  // a few roundings

// E[h²] behind ten layers of width 256 for inputs from N(0, 1). `weights(in, out, random)` draws those of a layer.
template <class Weights, class Phi>
static double moment_after_ten_layers(Weights weights, Phi phi) {
  constexpr std::size_t width = 256, batch = 16;
  Random random(1);
  Matrix<double> H = normal_matrix<double>(batch, width, 1, random);
  const double start = mean_square(H);
  for (int layer = 0; layer < 10; ++layer) H = map(matmul(H, weights(width, width, random)), phi);
  return mean_square(H) / start;
}

// Is it level, but for luck? ln E[h²] has the deviation √(5L/n) = 0.44 (lesson 1, part 5); four of them.
static bool level(double moment) { return std::abs(std::log(moment)) <= 1.77; }

// What the reader's function says at each place of `right`, with the names of the calls.
template <class F>
static Answer calls(const std::string& function, const std::vector<double>& at, F f, const Matrix<double>& right) {
  Answer answer{function, right, right, {}};
  for (std::size_t k = 0; k < at.size(); ++k) {
    answer.yours(0, k) = calling(function, [&] { return f(at[k]); });
    answer.places.push_back(join(function, "(", at[k], ")"));
  }
  return answer;
}

// ------------------------------------------------------------------------------------------------------------- 1.1

static Verdict slopes() {
  const Matrix<double> places = z_and_beta();
  Matrix<double> z(row_block(places, 0, 1)), beta(row_block(places, 1, 1));
  const std::size_t count = places.cols();
  Answer in_z{"slope_in_z", Matrix<double>(1, count), {}, {}},
      in_beta{"slope_in_beta", Matrix<double>(1, count), {}, {}};
  const Attempt<Matrix<double>> yours_in_z = attempt([&] { return zip(z, beta, ex1_1::slope_in_z); }),
                                yours_in_beta = attempt([&] { return zip(z, beta, ex1_1::slope_in_beta); });
  in_z.yours = yours_in_z.value;
  in_beta.yours = yours_in_beta.value;
  for (std::size_t k = 0; k < count; ++k) {
    in_z.places.push_back(join("slope_in_z(", z(0, k), ", ", beta(0, k), ")"));
    in_beta.places.push_back(join("slope_in_beta(", z(0, k), ", ", beta(0, k), ")"));
  }
  // The slope of a sum at one of its terms is that term's own.
  const auto sum = [&] {
    double total = 0;
    for (std::size_t i = 0; i < count; ++i) total += z(0, i) * std::tanh(beta(0, i) * z(0, i));
    return total;
  };
  in_z.right = numeric_gradient(z, sum);
  in_beta.right = numeric_gradient(beta, sum);
  if (untouched(in_z) && untouched(in_beta)) return not_started();
  Findings findings;
  findings.add("slope_in_z", yours_in_z.or_else(diagnose(in_z, numeric, wrong_slopes_in_z)));
  findings.add("slope_in_beta", yours_in_beta.or_else(diagnose(in_beta, numeric, wrong_slopes_in_beta)));
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 1.2

static Verdict forgiving_loss() {
  Random random(2);
  auto Y = normal_matrix<double>(5, 3, 2, random);
  const auto T = normal_matrix<double>(5, 3, 2, random);
  const auto loss = [&] {
    const Matrix<double> D = Y - T;
    double sum = 0;
    for (const double d : D.values()) sum += std::sqrt(1 + d * d) - 1;
    return sum / double(Y.size());
  };
  const Answer dY{"loss_gradient",
                  calling("loss_gradient", [&] { return ex1_2::loss_gradient(Y, T); }),
                  numeric_gradient(Y, loss),
                  {}};
  if (untouched(dY)) return not_started();
  Findings findings;
  findings.add("loss_gradient", diagnose(dY, numeric, wrong_loss_gradients(Y - T)));
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 1.3

static Verdict predict() {
  Matrix<double> a{{3}}, b{{-2}};
  const auto r = [&] {
    const double p = a(0, 0) * b(0, 0), q = a(0, 0) + p;
    return q * q;
  };
  const auto square = [](double x) { return 3 * x * x - 2 * x + 7; };
  const auto cube = [](double x) { return x * x * x; };
  const double da = numeric_gradient(a, r)(0, 0), db = numeric_gradient(b, r)(0, 0);
  constexpr double percent = 0.01;
  return compare(
      {{"relu_moment", ex1_3::relu_moment, predicted_forward(relu_activation, 1, 1, 20).back(), percent,
        wrong_relu_moments_and(ex1_3::relu_moment)},
       {"tanh_slope", ex1_3::tanh_slope, tanh_prime(std::atanh(0.8)), percent, wrong_tanh_slopes},
       {"difference_of_square", ex1_3::difference_of_square, (square(3) - square(1)) / 2, percent, wrong_squares},
       {"difference_of_cube", ex1_3::difference_of_cube, cube(1.5) - cube(0.5), percent, wrong_cubes},
       {"da", ex1_3::da, da, percent, wrong_da},
       {"db", ex1_3::db, db, percent, wrong_db}});
}

// ------------------------------------------------------------------------------------------------------------- 1.4

static Verdict leaky_gain() {
  const Answer answer = calls("gain", slopes_below_zero, ex1_4::gain, gains([](double a) { return 2 / (1 + a * a); }));
  if (untouched(answer)) return not_started();
  if (const std::string text = diagnose_not_finite(answer); !text.empty()) return wrong(text);
  double worst = 0, worst_a = 0, worst_moment = 1;
  for (std::size_t k = 0; k < answer.yours.cols(); ++k) {
    const double a = slopes_below_zero[k], gain = answer.yours(0, k);
    if (gain < 0) return wrong(join("gain(", a, ") is negative, which no variance is"));
    const auto weights = [gain](std::size_t in, std::size_t out, Random& random) {
      return normal_matrix<double>(in, out, std::sqrt(gain / double(in)), random);
    };
    const double moment = moment_after_ten_layers(weights, [a](double z) { return z > 0 ? z : a * z; });
    if (const double off = std::abs(std::log(moment)); off > worst) {
      worst = off;
      worst_a = a;
      worst_moment = moment;
    }
  }
  const std::string cause = diagnose(answer, by_formula, wrong_leaky_gains);
  if (cause.empty() && level(worst_moment)) return done();
  return wrong(join(cause, "\nwith a = ", worst_a, ", ten layers of width 256 turn E[h²] = 1 into ",
                    significant(worst_moment, 2)));
}

// ------------------------------------------------------------------------------------------------------------- 1.5

static Verdict uniform_weights() {
  constexpr std::size_t in = 509, out = 137;  // so that no two of the wrong variances come near each other
  Random random(4);
  const auto draw = [](std::size_t rows, std::size_t cols, Random& numbers) {
    return calling("uniform_weights", [&] { return ex1_5::uniform_weights(rows, cols, numbers); });
  };
  const Matrix<double> W = draw(in, out, random);
  const Answer drawn{"W", W, Matrix<double>(in, out, 1), {}};
  if (W.shape() != drawn.right.shape()) return wrong("uniform_weights: " + diagnose_shape(drawn));
  if (const std::string text = diagnose_not_finite(drawn); !text.empty()) return wrong("uniform_weights: " + text);
  // Of N = in·out draws the mean errs by √(Var/N), and the mean square of uniform numbers by the part √(0.8/N) of
  // itself, since E[w⁴]/E[w²]² = 9/5; four of each.
  const double draws = double(W.size()), variance = mean_square(W);
  const double mean = dot(W, Matrix<double>(in, out, 1)) / draws, expected = 2 / double(in);
  if (variance == 0) return wrong("all weights are 0");
  if (std::abs(mean) > 4 * std::sqrt(variance / draws))
    return wrong(join("the mean of the weights is ", significant(mean, 2), ", not 0"));
  // The largest square is 3 times the variance, of a sum of two uniform numbers 6 times; between them:
  if (largest_entry(W) * largest_entry(W) > 4.5 * variance)
    return wrong("these weights are not uniform: some lie further out than the root of 3 deviations");
  const double moment = moment_after_ten_layers(draw, relu);
  const auto is = [&](double other) { return std::abs(variance / other - 1) <= 4 * std::sqrt(0.8 / draws); };
  if (is(expected) && level(moment)) return done();
  const std::string effect = join("ten ReLU layers of width 256 turn E[h²] = 1 into ", significant(moment, 2));
  if (is(expected / 3)) return not_started(effect);
  return wrong(name_variance(variance, double(in), double(out)) + "\n" + effect);
}

// ------------------------------------------------------------------------------------------------------------- 1.6

static Verdict way_around() {
  constexpr std::size_t n = 5, d = 4;
  Random random(6);
  auto X = normal_matrix<double>(n, d, 1, random), W = normal_matrix<double>(d, d, 0.5, random),
       b = normal_matrix<double>(1, d, 0.5, random);
  const auto R = normal_matrix<double>(n, d, 1, random);
  const auto layer = [&] { return map(add_row(matmul(X, W), b), tanh_activation.value); };
  const auto loss = [&] { return dot(R, X + layer()); };  // so that dH is R
  const Matrix<double> S = layer();
  const ex1_6::Gradients yours = calling("backward", [&] { return ex1_6::backward(X, W, S, R); });
  const Answer dX{"dX", yours.dX, numeric_gradient(X, loss), {}}, dW{"dW", yours.dW, numeric_gradient(W, loss), {}},
      db{"db", yours.db, numeric_gradient(b, loss), {}};
  const WrongGradients mistakes = wrong_around(X, W, S, R);
  Findings findings;
  findings.add("backward's dX", diagnose(dX, numeric, mistakes.dX));
  findings.add("backward's dW", diagnose(dW, numeric, mistakes.dW));
  findings.add("backward's db", diagnose(db, numeric, mistakes.db));
  const Verdict verdict = findings.verdict();
  const bool as_given = agrees(yours.dX, mistakes.dX.front().value, rounding) &&
                        agrees(yours.dW, dW.right, numeric.tolerance) && agrees(yours.db, db.right, numeric.tolerance);
  if (verdict.state == State::wrong && as_given) return not_started(compare({dX, dW, db}, numeric).findings);
  return verdict;
}

// ------------------------------------------------------------------------------------------------------------- 1.7

static Verdict dropout() {
  Answer gain{"gain", {}, at_shares([](double r) { return 2 / r; }), {}};
  Answer divided{"gain_divided", {}, at_shares([](double r) { return 2 * r; }), {}};
  const Attempt<Matrix<double>> your_gain = attempt([] { return at_shares(ex1_7::gain); }),
                                yours_divided = attempt([] { return at_shares(ex1_7::gain_divided); });
  gain.yours = your_gain.value;
  divided.yours = yours_divided.value;
  for (const double keep : shares_kept) {
    gain.places.push_back(join("gain(", keep, ")"));
    divided.places.push_back(join("gain_divided(", keep, ")"));
  }
  if (untouched(gain) && untouched(divided)) return not_started();
  Findings findings;
  findings.add("gain", your_gain.or_else(diagnose(gain, by_formula, wrong_gains)));
  findings.add("gain_divided", yours_divided.or_else(diagnose(divided, by_formula, wrong_divided_gains)));
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 1.8

static Verdict any_gain() {
  constexpr double six_digits = 2e-6;
  const auto yours = [] { return at_levels([](const Level& l) { return ex1_8::gain(l.phi.value, l.M); }); };
  Answer answer{"gain", calling("gain", yours), at_levels(right_gain), {}};
  for (const Level& l : levels) answer.places.push_back(join("gain(", l.phi.name, ", ", l.M, ")"));
  if (untouched(answer)) return not_started();
  const std::string text = diagnose(answer, {six_digits, "right"});
  if (text.empty()) return done();
  if (const std::string infinite = diagnose_not_finite(answer); !infinite.empty()) return wrong("gain: " + infinite);
  constexpr double near = 10 * six_digits;
  std::string cause = reason_among(wrong_any_gains(), answer.yours, near);
  if (cause.empty()) cause = diagnose_search(answer.yours, answer.right, near);
  return wrong("gain: " + (cause.empty() ? text : cause));
}

int main(int argc, char** argv) {
  return check_lesson(1,
                      {{"1.1", "The slopes of z·tanh(βz)", slopes},
                       {"1.2", "A loss that forgives outliers", forgiving_loss},
                       {"1.3", "Six numbers before the run", predict},
                       {"1.4", "The variance law for leaky ReLU", leaky_gain},
                       {"1.5", "Weights from a uniform distribution", uniform_weights},
                       {"1.6", "A layer with a way around it", way_around},
                       {"1.7", "Units that drop out", dropout},
                       {"1.8", "The gain of any activation", any_gain}},
                      argc, argv);
}
