// Exercise 3.1: the slope of z·tanh z, and the place z > 0 where it is steepest.
// Hint: z·tanh z is a product, and both of its factors move with z: product rule. The slope of tanh is 1 - tanh².
// Hint: Take the slope of the slope. tanh² is a product, too: its slope is 2·tanh times the slope of tanh. Everything then
// has the factor 1 - tanh², which is never 0.
// Hint: What is left is 1 - z·tanh z = 0, so z = 1/tanh z. Start with z = 1 and put each result into the right side again,
// some twenty times. What is tanh z there?
// SPDX-License-Identifier: MIT
#include <ex3_1_gated_tanh.hpp>

#include "common/exercise/exercise.hpp"

using namespace exercise;

namespace ours::ex3_1 {

// Both factors move with z, so the product rule gives two terms.
inline double slope(double z) {
  const double t = elementary::tanh(z);
  double sum = t + z * (1 - t * t);  // back
  slip(sum, z * t, "that is z·tanh z itself, not its slope");
  slip(sum, t, "tanh moves with z too: the product rule has a second term");
  slip(sum, 1 - t * t, "the slope of tanh alone; there is a second factor, z");
  slip(sum, z * (1 - t * t), "the term in which the factor z moves is missing");
  slip(sum, t + 1 - t * t, "the slope of tanh stands beside the other factor, z");
  slip(sum, t - z * (1 - t * t), "the sign between the two terms");
  slip(sum, t + z * t * (1 - t), "t·(1 - t) is the slope of the sigmoid, not of tanh");
  slip(sum, t + z * (1 - t), "the slope of tanh is not 1 - tanh: a square is missing");
  slip(sum, t + z * (1 + t * t), "the sign in the slope of tanh");
  slip(sum, t * (1 - t * t), "the two slopes are multiplied; each stands beside the other factor");
  return sum;
}

// The slope's own slope is (1 - tanh²) + (1 - tanh²) - z·2·tanh·(1 - tanh²) = 2·(1 - tanh²)·(1 - z·tanh z). The first
// factor is never 0, so z·tanh z = 1, or z = 1/tanh z. From z = 1 on that gives 1.3130, 1.1560, 1.2200, ... and settles.
// There tanh z = 1/z, and the slope is 1/z + z - z/z² = z: place and slope are the same number.
inline const double steepest_z = 1.1997;
inline const double steepest_slope = steepest_z;

}  // namespace ours::ex3_1

static Verdict check() {
  Matrix<double> z{{-4, -2, -1, -0.4, 0, 0.4, 1, 2, 4}};
  const Matrix<double> places = z;
  const Matrix<double> ones(1, z.cols(), 1);  // the slope of a sum at one of its terms is that term's own
  const auto sum = [&] { return dot(map(z, [](double x) { return x * std::tanh(x); }), ones); };
  const auto yours = attempt([&] { return map(places, ex3_1::slope); });
  Answer slope{"slope", yours.value, numeric_gradient(z, sum)};
  for (const double x : places.values()) slope.places.push_back(join("slope(", x, ")"));
  if (untouched(slope) && std::isnan(ex3_1::steepest_z) && std::isnan(ex3_1::steepest_slope)) return not_started();

  double place = 1;  // solves z·tanh z = 1
  for (int round = 0; round < 200; ++round) place = 1 / std::tanh(place);
  constexpr double off = 0.00005;  // half of the last decimal, as the stub promises; a prediction takes it as a part
  const double t = std::tanh(place), one = std::tanh(1.0);
  Findings findings;
  findings.add("slope", yours.or_else(diagnose(slope, numeric, [&] { return map(places, ours::ex3_1::slope); })));
  findings.add("steepest_z", diagnose({"",
                                       ex3_1::steepest_z,
                                       place,
                                       off / place,
                                       {{1, "close, but the slope still grows there"},
                                        {1 / one, "that is one round from 1; go on until it settles"},
                                        {0, "there the slope is 0"},
                                        {1.2, "rounded too early: four decimals are asked for"},
                                        {-place, "the slope is negative there; z > 0 is asked for"}}}));
  findings.add(
      "steepest_slope",
      diagnose(
          {"",
           ex3_1::steepest_slope,
           place,
           off / place,
           {{1, "1 is z·tanh z there, and its slope far out, and the slope of tanh at 0; what is the slope there?"},
            {t, "that is tanh there; the slope has a second term"},
            {1 - t * t, "that is the slope of tanh there; z·tanh z has two terms"},
            {place * (1 - t * t), "the term in which the factor z moves is missing"},
            {1.2, "rounded too early: four decimals are asked for"},
            {one + 1 - one * one, "that is the slope at 1; it still grows there"}}}));
  return findings.verdict();
}
static const Exercise here{"3.1", "The slope of z·tanh z", check};
