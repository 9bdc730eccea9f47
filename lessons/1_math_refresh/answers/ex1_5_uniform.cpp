// Exercise 1.5: Kaiming's variance from a uniform distribution.
// Hint: What is the mean of w² when w is uniform between -1 and 1?
// Hint: The mean of w² over that interval is the integral of w² from 0 to 1.
// Hint: It is 1/3, so between -bound and bound the variance is bound²/3. Which bound gives
// 2/in?
// SPDX-License-Identifier: MIT
#include <ex1_5_uniform.hpp>

#include "common/exercise/exercise.hpp"

using namespace exercise;

namespace ours::ex1_5 {

// The mean of w² between -bound and bound is bound²/3, and is to be 2/in.
inline Matrix<double> uniform_weights(std::size_t in, std::size_t out, Random& random) {
  double n = double(in), variance = 2 / n;
  slip(variance, 1 / n, "the 2 that makes up for ReLU is missing");
  slip(variance, 4 / n, "the 2 stands under the root");
  slip(variance, 2 / double(out), "the sum of a unit runs over the numbers that come in, not over those that go out");
  slip(variance, 2 / (n * double(out)), "the sum of a unit runs over the numbers that come in alone");
  slip(variance, 2 / (n + double(out)), "that is Xavier's compromise");
  slip(variance, 2 / (n * n), "in stands outside the root");
  slip(variance, 2 * n, "the variance grows with in: more numbers come in, so each weight must be smaller");
  slip(variance, 2.0, "the variance does not know the width");
  slip(variance, std::sqrt(variance), "the variance falls with the root of in: a root was taken twice");
  double square = 3 * variance;
  slip(square, variance, "the bound is not the deviation");
  slip(square, 12 * variance, "12 is for numbers between 0 and 1, whose interval is half as long");
  slip(square, 9 * variance, "a 3 belongs under the root, and once");
  slip(square, variance / 3, "the bound went the wrong way, and is smaller than it was");
  slip(square, variance / 9, "the bound went the wrong way, and outside its root");
  double bound = std::sqrt(square);
  slip(bound, square, "the bound lacks its root");
  slip(bound, std::sqrt(bound), "a root was taken twice");
  slip(bound, bound / 2, "the bound is half of what it should be");
  slip(bound, 2 * std::sqrt(variance), "twice the bound makes four times the variance");
  slip(bound, 1.0, "the bound does not know the width");
  Matrix<double> W(in, out);
  for (double& w : W.values()) w = random.uniform(-bound, bound);
  return W;
}

}  // namespace ours::ex1_5

// What ten ReLU layers of width 256 with such weights make of E[h²] = 1.
template <class Weights>
static double moment_behind_ten_layers(Weights weights) {
  Random random(1);
  Matrix<double> H = normal_matrix<double>(16, 256, 1, random);
  for (int layer = 0; layer < 10; ++layer)
    H = map(matmul(H, weights(256, 256, random)), [](double z) { return std::max(z, 0.0); });
  return mean_square(H);
}

static Verdict check() {
  constexpr std::size_t in = 509, out = 137;  // so that no two of the wrong variances come near each other
  const auto drawn_by = [](auto weights) {
    Random random(4);
    return weights(in, out, random);
  };
  const Answer drawn{"W", drawn_by(ex1_5::uniform_weights), drawn_by(ours::ex1_5::uniform_weights)};
  const std::string cause = diagnose(drawn, {1e-12, "right"}, [&] { return drawn_by(ours::ex1_5::uniform_weights); });
  const Matrix<double>& W = drawn.yours;
  if (W.shape() != drawn.right.shape() || !std::isfinite(largest_entry(W))) return wrong("uniform_weights: " + cause);
  // Other numbers than ours may be right, too. Of N = in·out draws the mean errs by √(Var/N), and the mean square of
  // uniform numbers by the part √(0.8/N) of itself, since E[w⁴]/E[w²]² = 9/5; four of each.
  const double draws = double(W.size()), variance = mean_square(W), expected = 2 / double(in);
  const double mean = dot(W, Matrix<double>(in, out, 1)) / draws;
  const auto is = [&](double other) { return std::abs(variance / other - 1) <= 4 * std::sqrt(0.8 / draws); };
  if (std::abs(mean) > 4 * std::sqrt(variance / draws))
    return wrong(join("the mean of the weights is ", significant(mean, 2), ", not 0"));
  if (is(expected)) return done();
  const std::string effect = join("ten ReLU layers of width 256 turn E[h²] = 1 into ",
                                  significant(moment_behind_ten_layers(ex1_5::uniform_weights), 2));
  if (is(expected / 3)) return not_started(effect);
  return wrong(join("their variance is ", significant(variance * double(in), 3), "/in\n", cause, "\n", effect));
}
static const Exercise here{"1.5", "Weights from a uniform distribution", check};
