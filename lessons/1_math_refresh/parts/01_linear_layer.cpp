// Lesson 1, part 1: how large the numbers are that come out of a linear layer with random weights, which can be turned.
// SPDX-License-Identifier: MIT
#include "common/support/part.hpp"
#include "lessons/1_math_refresh/models.hpp"

namespace lesson1 {

constexpr knob::Whole fan_in{"fan-in", "n, the numbers that enter a unit", 64, {1, 256, 1}};
constexpr knob::Real mean{"mean", "mean of the inputs", 1, {0, 3, 0.1}};
constexpr knob::Real spread{"spread", "standard deviation of the inputs", 1, {0.1, 3, 0.1}};
constexpr knob::Real deviation{"deviation", "standard deviation of the weights", 0.125, {0.01, 1, 0.005}};
constexpr knob::Choice weights{"weights", "what one weight is drawn from", {"normal", "uniform", "coin"}};

// A random number with mean 0 and variance 1, and the mean of its fourth power.
static double draw(std::size_t kind, Random& random) {
  if (kind == 0) return random.normal();
  return kind == 1 ? random.uniform(-std::sqrt(3.0), std::sqrt(3.0)) : random.below(2) == 0 ? -1.0 : 1.0;
}
constexpr double fourth_moments[] = {3, 1.8, 1};
static_assert(weights.choices.count == std::size(fourth_moments));

// The share of the units in each stretch of the axis, and that of a normal number of this variance.
static plot::Chart chart_of(const Matrix<double>& Z, double variance) {
  constexpr double reach = 10, bin = 0.5;
  const auto share = [&](double middle) {
    const auto inside = [&](double z) { return z >= middle - bin / 2 && z < middle + bin / 2; };
    return double(std::count_if(Z.values().begin(), Z.values().end(), inside)) / double(Z.size());
  };
  const auto below = [&](double z) { return std::erfc(-z / std::sqrt(2 * variance)) / 2; };
  const auto normal = [&](double middle) { return below(middle + bin / 2) - below(middle - bin / 2); };
  return {
      .title = join("What ", Z.size(), " units of one layer say"),
      .x = {.title = "z", .low = -reach, .high = reach},
      .y = {.title = join("share of the units in each ", bin), .low = 0},
      .series = {plot::curve("units", bin / 2 - reach, reach - bin / 2, bin, share),
                 plot::curve("normal, with the variance of (1.12)", bin / 2 - reach, reach - bin / 2, bin, normal)}};
}

static void run(Lesson& lesson, Pool&, const knob::Settings& at) {
  constexpr std::size_t units = 2000;
  Random random(lesson.options().seed, 501);
  const double n = double(at[fan_in]), gain = n * at[deviation] * at[deviation];
  Matrix<double> x(1, at[fan_in]), W(at[fan_in], units);
  for (double& value : x.values()) value = at[mean] + at[spread] * random.normal();
  for (double& value : W.values()) value = at[deviation] * draw(at[weights], random);
  const Matrix<double> Z = matmul(x, W);
  const double second = mean_square(x), predicted = gain * second, measured = mean_square(Z);  // (1.12)
  lesson.figure("layer", chart_of(Z, predicted));
  if (lesson.options().settings.turned())  // section 5 derives it
    lesson.note("A unit adds n = ", at[fan_in], " products, and E[z²] is ", measured, "; n·Var W·E[x²] says ",
                predicted, ".");
  // E[z⁴]/E[z²]² is 3 for normal weights and less for the others: it is 3 + (E[w⁴]/Var² W - 3)·Σx⁴/(Σx²)². A mean of N
  // squares errs by √((that - 1)/N) of itself; 1e-12 for roundings, since the square of n = 1 coin is a constant.
  const double fourth = 3 + (fourth_moments[at[weights]] - 3) * mean_square(hadamard(x, x)) / (n * second * second);
  lesson.claim("one layer with random weights: E[z²] over n·Var W·E[x²]", measured / predicted,
               within(1, 4.5 * std::sqrt(std::max(0.0, fourth - 1) / units) + 1e-12));
}

extern const Part<Pool> part1(1, "The linear layer", run, "How large is what one layer makes of its inputs?",
                              {&fan_in, &mean, &spread, &deviation, &weights});

}  // namespace lesson1
