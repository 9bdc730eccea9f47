// Lesson 1, part 2: activation functions, their slopes derived on paper, and the slopes that numbers find. One of them,
// and the place at which its slope is taken, can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "common/support/part.hpp"
#include "lessons/1_math_refresh/models.hpp"

namespace lesson1 {

constexpr knob::Choice activation{"activation", "φ", {"relu", "leaky", "sigmoid", "tanh", "swish", "linear"}, 4};
constexpr knob::Real place{"z", "where the slope is taken", 0.5, {-3, 3, 0.05}};
constexpr knob::Real beta{"beta", "β of swish; the other activations have none", 1, {0, 10, 0.1}};
static_assert(activation.choices.count == activations.size());

// An activation with its β settled.
struct Curve {
  std::string name;
  std::function<double(double)> value, prime;

  double numeric(double z) const {
    constexpr double h = 6e-6;  // ε^(1/3): part 4 says why
    return (value(z + h) - value(z - h)) / (2 * h);
  }
};

static std::vector<Curve> curves_at(double b) {
  std::vector<Curve> all;
  for (const Activation& phi : activations) all.push_back({phi.name, phi.value, phi.prime});
  all[4].value = [b](double z) { return swish_beta(z, b); };
  all[4].prime = [b](double z) { return swish_beta_prime(z, b); };
  if (b != 1) all[4].name = join("swish, β = ", b);
  return all;
}

// The largest |f'(z) - central difference| over z from -6 to 6; the corner of the ReLUs at 0 is not among the points.
static double worst_slope_error(const Curve& phi) {
  double worst = 0;
  for (double z = -5.995; z < 6; z += 0.01) worst = std::max(worst, std::abs(phi.numeric(z) - phi.prime(z)));
  return worst;
}

static plot::Series line_of(const std::string& name, const std::function<double(double)>& f) {
  plot::Series line{name};
  for (int k = -75; k <= 75; ++k) line.add(0.04 * k, f(0.04 * k));
  return line;
}

// All that lie under the names of the lesson: without the straight line.
static void five_activations(Lesson& lesson, const std::vector<Curve>& five, double tolerance) {
  lesson.say("Is each slope, derived on paper, the one that numbers find?");
  Table table{{"activation", "φ(-1)", "φ(0)", "φ(1)", "φ'(-1)", "φ'(0)", "φ'(1)", "off by"}, {}};
  plot::Chart values{.title = "Five activations", .x = {.title = "z"}},
      slopes{.title = "Their slopes", .x = {.title = "z"}};
  for (const Curve& phi : five) {
    const double error = worst_slope_error(phi);
    std::vector<std::string> row{phi.name};
    for (const auto& f : {phi.value, phi.prime})
      for (const double z : {-1.0, 0.0, 1.0}) row.push_back(fixed(f(z), 4));
    row.push_back(significant(error, 2));
    table.rows.push_back(row);
    values.series.push_back(line_of(phi.name, phi.value));
    slopes.series.push_back(line_of(phi.name, phi.prime));
    lesson.claim(phi.name + ": slope by formula against slope by numbers", error, at_most(tolerance));
  }
  lesson.show(table);
  lesson.note(
      "The last column is the largest difference between the slope and a central difference, z from -6 to 6; "
      "the corner of the ReLUs is not among the places.");
  lesson.figure("activations", values);
  lesson.figure("slopes", slopes);
}

static void one_activation(Lesson& lesson, const Curve& phi, double z) {
  plot::Series tangent{"the line with that slope"};
  for (const double t : {-0.8, 0.8}) tangent.add(z + t, phi.value(z) + t * phi.prime(z));
  lesson.figure("activation", plot::Chart{.title = "φ and its slope: " + phi.name,
                                          .x = {.title = "z", .low = -3, .high = 3},
                                          .y = {.title = "", .low = -1.5, .high = 3},
                                          .series = {line_of("φ(z)", phi.value),
                                                     line_of("φ'(z)", phi.prime),
                                                     tangent,
                                                     {"here", {z}, {phi.value(z)}, true}}});
  lesson.note("At z = ", z, " φ is ", phi.value(z), " and its slope ", phi.prime(z),
              ": of a gradient that comes back through this unit, that part goes on. Moving z by 6e-6 to both sides "
              "finds ",
              phi.numeric(z), ".");
  if (z == 0 && phi.prime(-1e-9) != phi.prime(1e-9))
    lesson.note(
        "That is the corner: from the right the slope is 1, from the left it is not, and ours is a convention.");
}

static void run(Lesson& lesson, Pool&, const knob::Settings& at) {
  std::vector<Curve> curves = curves_at(at[beta]);
  const Curve chosen = curves[at[activation]];
  curves.pop_back();  // linear
  // Rounding ε·|f|/h is 2e-10 at |f| = 6. Truncation is h²·f'''/6: 6e-12 times f''', which is at most 1 for these and
  // β² for swish.
  five_activations(lesson, curves, 5e-10 + 6e-12 * at[beta] * at[beta]);
  one_activation(lesson, chosen, at[place]);
  double worst_sum = 0;
  for (const double z : {0.0, 0.3, 5.0, 37.0, 700.0})
    worst_sum = std::max(worst_sum, std::abs(sigmoid(z) + sigmoid(-z) - 1));
  lesson.claim("σ(z) + σ(-z) = 1, max |diff|", worst_sum, at_most(2.3e-16));  // one rounding
  // 1 / (1 + exp(720)) would be 1 / infinity = 0. At 1e-313 numbers have 11 digits left.
  lesson.claim("σ(-720) is e^-720 and not 0, relative error", std::abs(sigmoid(-720) / std::exp(-720.0) - 1),
               at_most(1e-9));
  lesson.claim("swish with β = 0 is the straight line z/2: at z = 3", swish_beta(3, 0), exactly(1.5));
  // e^-50 is 1.93e-22.
  lesson.claim("swish with β = 50 is nearly ReLU: distance at z = -1", std::abs(swish_beta(-1, 50)), at_most(2e-22));
}

extern const Part<Pool> part2{.number = 2,
                              .title = "Activations and their slopes",
                              .run = run,
                              .question = "How much does an activation let through, forward and back?",
                              .knobs = {&place, &activation, &beta}};

}  // namespace lesson1
