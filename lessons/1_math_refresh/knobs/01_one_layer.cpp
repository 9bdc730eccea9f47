// Lesson 1, part 1: one linear layer with random weights, whose inputs, fan-in and weights can be turned.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>
#include <string>

#include "common/matrix.hpp"
#include "common/support/parts.hpp"

namespace lesson1 {
namespace {

constexpr knob::Whole fan_in{"fan-in", "n, the numbers that enter a unit", 64, {1, 256, 1}};
constexpr knob::Real mean{"mean", "mean of the inputs", 1, {0, 3, 0.1}};
constexpr knob::Real spread{"spread", "standard deviation of the inputs", 1, {0.1, 3, 0.1}};
constexpr knob::Real deviation{"deviation", "standard deviation of the weights", 0.125, {0.01, 1, 0.005}};
constexpr knob::Choice weights{"weights", "what one weight is drawn from", {"normal", "uniform", "coin"}};

constexpr std::size_t units = 2000;
constexpr double reach = 10, bin = 0.5;  // of the picture

// A random number with mean 0 and variance 1, and the mean of its fourth power.
double draw(std::size_t kind, Random& random) {
  if (kind == 0) return random.normal();
  return kind == 1 ? random.uniform(-std::sqrt(3.0), std::sqrt(3.0)) : random.below(2) == 0 ? -1.0 : 1.0;
}
constexpr double fourth_moments[] = {3, 1.8, 1};

// The share of the units in each stretch of the axis, and that of a normal number of this variance.
plot::Chart chart_of(const Matrix<double>& Z, double variance) {
  plot::Chart chart{.title = join("What ", units, " units of one layer say"),
                    .x = {.title = "z", .low = -reach, .high = reach},
                    .y = {.title = join("share of the units in each ", bin), .low = 0},
                    .series = {{"units"}, {"normal, with the variance of (1.10)"}}};
  const auto below = [&](double z) { return std::erfc(-z / std::sqrt(2 * variance)) / 2; };
  for (double left = -reach; left < reach; left += bin) {
    std::size_t count = 0;
    for (const double z : Z.values()) count += z >= left && z < left + bin;
    chart.series[0].add(left + bin / 2, double(count) / double(units));
    chart.series[1].add(left + bin / 2, below(left + bin) - below(left));
  }
  return chart;
}

void run(Lesson& lesson, Pool&, const knob::Settings& at) {
  Random random(lesson.options().seed, 501);
  const double n = double(at[fan_in]), weight_variance = at[deviation] * at[deviation];
  Matrix<double> x(1, at[fan_in]), W(at[fan_in], units);
  double average = 0, fourth = 0;
  for (double& value : x.values()) {
    value = at[mean] + at[spread] * random.normal();
    average += value / n;
    fourth += value * value * value * value / n;
  }
  for (double& value : W.values()) value = at[deviation] * draw(at[weights], random);
  const Matrix<double> Z = matmul(x, W);
  const double second = mean_square(x), predicted = n * weight_variance * second, measured = mean_square(Z);
  lesson.picture("turned_layer", chart_of(Z, predicted));
  lesson.show(
      Table{{"n·Var W", "E[x²]", "n·Var W·E[x²]", "E[z²] measured", "n·Var W·Var x"},
            {{significant(n * weight_variance), significant(second), significant(predicted, 4),
              significant(measured, 4), significant(n * weight_variance * (second - average * average) + 0.0)}}});
  lesson.say("A unit adds n = ", at[fan_in], " products, and its z has a standard deviation of ", std::sqrt(measured),
             ". Twice the n makes it √2 times larger, unless the weights shrink.");
  // E[z⁴]/E[z²]² is 3 for normal weights and less for the others: it is 3 + (E[w⁴]/Var² W - 3)·Σx⁴/(Σx²)². A mean of N
  // squares errs by √((that - 1)/N) of itself; 1e-12 for roundings, since the square of n = 1 coin is a constant.
  const double z_fourth = 3 + (fourth_moments[at[weights]] - 3) * fourth / (n * second * second);
  lesson.claim("E[z²] over n·Var W·E[x²]", measured / predicted,
               within(1, 4.5 * std::sqrt(std::max(0.0, z_fourth - 1) / units) + 1e-12));
}

}  // namespace

Bench<Pool> bench1() {
  return {"How large is what one layer makes of its inputs?", {&fan_in, &mean, &spread, &deviation, &weights}, run};
}

}  // namespace lesson1
