// Lesson 1, part 2: activation functions, their slopes derived on paper, and the slopes that numbers find.
// SPDX-License-Identifier: MIT
#include <string>

#include "common/support/lesson.hpp"
#include "lessons/1_math_refresh/model/1_activations.hpp"

namespace lesson1 {
namespace {

// The largest |f'(z) - central difference| over z from -6 to 6; the corner of the ReLUs at 0 is not among the points.
double worst_slope_error(const Activation& phi) {
  constexpr double h = 6e-6;  // ε^(1/3): part 4 says why
  double worst = 0;
  for (int k = 0; k < 1200; ++k) {
    const double z = -5.995 + 0.01 * k;
    const double numeric = (phi.value(z + h) - phi.value(z - h)) / (2 * h);
    worst = std::max(worst, std::abs(numeric - phi.prime(z)));
  }
  return worst;
}

// A line for each activation: its values, or its slopes.
plot::Chart chart_of(const std::string& title, double (*Activation::*function)(double)) {
  plot::Chart chart{.title = title, .x = {.title = "z"}};
  for (const Activation& phi : activations) {
    plot::Series line{phi.name};
    for (int k = -75; k <= 75; ++k) line.add(0.04 * k, (phi.*function)(0.04 * k));
    chart.series.push_back(line);
  }
  return chart;
}

}  // namespace

void part2(Lesson& lesson, Pool&) {
  lesson.say("Is each slope, derived on paper, the one that numbers find?");
  Table table{{"activation", "φ(-1)", "φ(0)", "φ(1)", "φ'(-1)", "φ'(0)", "φ'(1)", "off by"}, {}};
  for (const Activation& phi : activations) {
    std::vector<std::string> row{phi.name};
    for (const auto f : {phi.value, phi.prime})
      for (const double z : {-1.0, 0.0, 1.0}) row.push_back(fixed(f(z), 4));
    row.push_back(significant(worst_slope_error(phi), 2));
    table.rows.push_back(row);
  }
  lesson.show(table);
  lesson.note(
      "The last column is the largest difference between the slope and a central difference, z from -6 to 6; "
      "the corner of the ReLUs is not among the places. swish has β = 1.");
  // Rounding ε·|f|/h is 2e-10 at |f| = 6, truncation h²·f'''/6 at most 1.2e-11.
  for (const Activation& phi : activations)
    lesson.claim(std::string(phi.name) + ": slope by formula against slope by numbers", worst_slope_error(phi),
                 at_most(5e-10));
  double worst_sum = 0;
  for (const double z : {0.0, 0.3, 5.0, 37.0, 700.0})
    worst_sum = std::max(worst_sum, std::abs(sigmoid(z) + sigmoid(-z) - 1));
  lesson.claim("σ(z) + σ(-z) = 1, max |diff|", worst_sum, at_most(2.3e-16));  // one rounding
  // 1 / (1 + exp(720)) would be 1 / infinity = 0. At 1e-313 numbers have 11 digits left, so 1e-9 leaves room for some
  // steps.
  lesson.claim("σ(-720) is e^-720 and not 0, relative error", std::abs(sigmoid(-720) / std::exp(-720.0) - 1),
               at_most(1e-9));
  lesson.claim("swish with β = 0 is the straight line z/2: at z = 3", swish_beta(3, 0), exactly(1.5));
  // e^-50 is 1.93e-22.
  lesson.claim("swish with β = 50 is nearly ReLU: distance at z = -1", std::abs(swish_beta(-1, 50)), at_most(2e-22));
  lesson.figure("activations", chart_of("Five activations", &Activation::value));
  lesson.figure("slopes", chart_of("Their slopes", &Activation::prime));
}

}  // namespace lesson1
