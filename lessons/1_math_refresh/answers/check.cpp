// Lesson 1: checks the answers to its exercises. The folder on the include path decides whose: exercises/ holds the
// reader's, answers/solutions/ ours.
// Run: make exercise1
// SPDX-License-Identifier: MIT
#include <ex1_1_leaky_gain.hpp>
#include <ex1_2_swish_slopes.hpp>
#include <ex1_3_layer_backward.hpp>
#include <ex1_4_initializer.hpp>
#include <ex1_5_predict.hpp>

#include "common/support/exercise.hpp"
#include "lessons/1_math_refresh/model/3_signal.hpp"

using namespace exercise;
using namespace lesson1;

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

// ------------------------------------------------------------------------------------------------------------- 1.1

static const double slopes_below_zero[] = {0, 0.01, 0.2, 0.5, 1};

// 1 x 5: what a formula for the gain gives at each slope.
template <class Gain>
static Matrix<double> gains(Gain gain) {
  Matrix<double> found(1, std::size(slopes_below_zero));
  for (std::size_t k = 0; k < found.cols(); ++k) found(0, k) = gain(slopes_below_zero[k]);
  return found;
}

// The formulas that come to mind, and what is wrong with each.
static std::string explain_gain(const Matrix<double>& found) {
  const auto is = [&](double (*gain)(double a)) { return agrees(found, gains(gain), 1e-9); };
  if (is([](double) { return 2.0; })) return "the same for every a, but what passes below zero adds to E[h²]";
  if (is([](double a) { return std::sqrt(2 / (1 + a * a)); })) return "this scales the deviation, not the variance";
  if (is([](double a) { return 1 / (1 + a * a); })) return "each half of the z has a weight of 1/2 in the mean";
  if (is([](double a) { return (1 + a * a) / 2; })) return "upside down: a layer does this to E[z²]; undo it";
  if (is([](double a) { return 2 / (1 + a); })) return "below zero h is a·z, so h² is a²·z²";
  return "this gain does not keep E[h²] level";
}

static Verdict leaky_gain() {
  Answer answer{"gain", gains(ex1_1::gain), gains([](double a) { return 2 / (1 + a * a); })};
  for (const double a : slopes_below_zero) answer.places.push_back(join("gain(", a, ")"));
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
  if (agrees(answer.yours, answer.right, 1e-12) && level(worst_moment)) return done();  // 1e-12: a few roundings
  return wrong(join(explain_gain(answer.yours), "\nwith a = ", worst_a,
                    ", ten layers of width 256 turn E[h²] = 1 into ", significant(worst_moment, 2)));
}

// ------------------------------------------------------------------------------------------------------------- 1.2

static Verdict swish_slopes() {
  Matrix<double> z(1, 30), beta(1, 30);
  Answer in_z{"slope_in_z", Matrix<double>(1, 30), {}}, in_beta{"slope_in_beta", Matrix<double>(1, 30), {}};
  std::size_t k = 0;
  for (const double b : {-1.0, 0.0, 0.5, 1.0, 5.0})
    for (const double x : {-3.0, -1.0, -0.3, 0.0, 0.5, 2.0}) {
      z(0, k) = x;
      beta(0, k) = b;
      in_z.yours(0, k) = ex1_2::slope_in_z(x, b);
      in_beta.yours(0, k) = ex1_2::slope_in_beta(x, b);
      in_z.places.push_back(join("slope_in_z(", x, ", ", b, ")"));
      in_beta.places.push_back(join("slope_in_beta(", x, ", ", b, ")"));
      ++k;
    }
  // The slope of a sum at one of its terms is that term's own.
  const auto sum = [&] {
    double total = 0;
    for (std::size_t i = 0; i < z.cols(); ++i) total += swish_beta(z(0, i), beta(0, i));
    return total;
  };
  in_z.right = numeric_gradient(z, sum);
  in_beta.right = numeric_gradient(beta, sum);
  return compare({in_z, in_beta}, numeric);
}

// ------------------------------------------------------------------------------------------------------------- 1.3

static Verdict layer_backward() {
  constexpr std::size_t n = 5, in = 4, out = 3;
  Random random(3);
  auto X = normal_matrix<double>(n, in, 1, random), W = normal_matrix<double>(in, out, 0.5, random),
       b = normal_matrix<double>(1, out, 0.5, random);
  const auto R = normal_matrix<double>(n, out, 1, random);
  const auto forward = [&] { return map(add_row(matmul(X, W), b), tanh_activation.value); };
  const auto loss = [&] { return dot(R, forward()); };  // so that dH is R
  const ex1_3::Gradients yours = ex1_3::backward(X, W, forward(), R);
  const Verdict verdict = compare({{"dX", yours.dX, numeric_gradient(X, loss)},
                                   {"dW", yours.dW, numeric_gradient(W, loss)},
                                   {"db", yours.db, numeric_gradient(b, loss)}},
                                  numeric);
  const Matrix<double> dZ = hadamard(R, map(forward(), [](double h) { return 1 - h * h; }));
  const bool others_right =
      agrees(yours.dX, matmul(dZ, transpose(W)), 1e-12) && agrees(yours.dW, matmul(transpose(X), dZ), 1e-12);
  if (others_right && agrees(yours.db, Matrix<double>(row_block(dZ, n - 1, 1)), 1e-12))
    return wrong(verdict.findings + "\nthis db is the last row of dZ alone");
  return unless_as_given(verdict, others_right && agrees(yours.db, (1 / double(n)) * column_sums(dZ), 1e-12));
}

// ------------------------------------------------------------------------------------------------------------- 1.4

// What the variance of the weights is instead of 2/in.
static std::string name_variance(double variance, double in, double out) {
  const auto is = [variance](double other) { return std::abs(variance / other - 1) < 0.05; };
  if (is(2 / out)) return "their variance is 2/out; the sum runs over the numbers that come in";
  if (is(1 / in)) return "their variance is 1/in: the 2 that makes up for ReLU is missing";
  if (is(2 / (in + out))) return "their variance is 2/(in + out), Xavier's compromise";
  if (is(std::sqrt(2 / in))) return "their variance is √(2/in): the square root was taken twice";
  if (is(2.0)) return "their variance is 2, whatever the width";
  return join("their variance is ", significant(variance * in, 3), "/in");
}

static Verdict initializer() {
  constexpr std::size_t in = 512, out = 128;
  Random random(4);
  const Matrix<double> W = ex1_4::kaiming(in, out, random);
  const Answer drawn{"W", W, Matrix<double>(in, out, 1)};
  if (W.shape() != drawn.right.shape()) return wrong("W: " + diagnose_shape(drawn));
  if (const std::string text = diagnose_not_finite(drawn); !text.empty()) return wrong(text);
  // Of N = in·out draws the mean errs by √(Var/N), the mean square by the part √(2/N) of itself; four of each.
  const double draws = double(W.size()), variance = mean_square(W);
  const double mean = dot(W, Matrix<double>(in, out, 1)) / draws;
  if (variance == 0) return wrong("all weights are 0");
  if (std::abs(mean) > 4 * std::sqrt(variance / draws))
    return wrong(join("the mean of the weights is ", mean, ", not 0"));
  const double moment = moment_after_ten_layers(ex1_4::kaiming, relu);
  const double expected = 2 / double(in);
  if (std::abs(variance / expected - 1) <= 4 * std::sqrt(2 / draws) && level(moment)) return done();
  const std::string effect = join("ten ReLU layers of width 256 turn E[h²] = 1 into ", significant(moment, 2));
  if (std::abs(variance / (expected * expected) - 1) <= 4 * std::sqrt(2 / draws)) return not_started(effect);
  return wrong(effect + "\n" + name_variance(variance, double(in), double(out)));
}

// ------------------------------------------------------------------------------------------------------------- 1.5

// The relative error of a central difference with h = 1.
template <class F>
static double error_with_step_one(F f, double x, double slope) {
  return std::abs((f(x + 1) - f(x - 1)) / 2 / slope - 1);
}

static Verdict predict() {
  Matrix<double> a{{3}}, b{{-2}};
  const auto e = [&] {
    const double c = a(0, 0) * b(0, 0), d = a(0, 0) + c;
    return d * d;
  };
  const double square_error = error_with_step_one([](double x) { return 3 * x * x - 2 * x + 7; }, 2, 6 * 2 - 2);
  const double cube_error = error_with_step_one([](double x) { return x * x * x; }, 1, 3);
  const double da = numeric_gradient(a, e)(0, 0), db = numeric_gradient(b, e)(0, 0);
  constexpr double percent = 0.01;
  return compare(
      {{"relu_moment",
        ex1_5::relu_moment,
        predicted_forward(relu_activation, 1, 1, 20).back(),
        percent,
        {{0.5, "that is one layer; each of the twenty does it again"},
         {1, "level would need Var W = 2/n"},
         {1.0 / 40, "like 1/(2L) is how tanh decays; a ReLU layer multiplies"}}},
       {"tanh_slope",
        ex1_5::tanh_slope,
        tanh_prime(std::atanh(0.8)),
        percent,
        {{tanh_prime(0.8), "that is the slope at z = 0.8; here the value is 0.8"},
         {0.2, "1 - tanh, but the slope is 1 - tanh²"},
         {0.16, "σ(1 - σ) is the slope of the sigmoid"}}},
       {"error_on_square", ex1_5::error_on_square, square_error, percent},
       {"error_on_cube",
        ex1_5::error_on_cube,
        cube_error,
        percent,
        {{0.25, "relative to the true slope, not to the one found"},
         {1, "that is the error itself; divide by the true slope"},
         {4, "that is the central difference; how far is it from the slope?"}}},
       {"da",
        ex1_5::da,
        da,
        percent,
        {{-6, "one use of a is missing: it also goes into p"}, {12, "one use of a is missing: it also goes into q"}}},
       {"db", ex1_5::db, db, percent, {{-6, "that is dp; b has a as its factor"}}}});
}

int main(int argc, char** argv) {
  return check_lesson(1,
                      {{"1.1", "The variance law for leaky ReLU", leaky_gain},
                       {"1.2", "The slopes of swish", swish_slopes},
                       {"1.3", "The backward pass of one layer", layer_backward},
                       {"1.4", "Kaiming's weights", initializer},
                       {"1.5", "Six numbers before the run", predict}},
                      argc, argv);
}
