// Lesson 1, part 2: activation functions, their slopes derived on paper, and the slopes that numbers find. One of them,
// and the place at which its slope is taken, can be turned.
// SPDX-License-Identifier: MIT
#include <functional>

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
  all[4] = {b == 1 ? "swish" : join("swish, β = ", b), [b](double z) { return swish_beta(z, b); },
            [b](double z) { return swish_beta_prime(z, b); }};
  return all;
}

// The five that have a bend, over z from -6 to 6; the corner of the ReLUs at 0 is not among the places.
static void show_five(Lesson& lesson, const std::vector<Curve>& curves, double tolerance) {
  Table table{{"activation", "φ(-1)", "φ(0)", "φ(1)", "φ'(-1)", "φ'(0)", "φ'(1)", "off by"}, {}};
  plot::Chart values{.title = "Five activations", .x = {.title = "z"}},
      slopes{.title = "Their slopes", .x = {.title = "z"}};
  for (std::size_t k = 0; k < 5; ++k) {
    const Curve& phi = curves[k];
    double off_by = 0;
    for (double z = -5.995; z < 6; z += 0.01) off_by = std::max(off_by, std::abs(phi.numeric(z) - phi.prime(z)));
    std::vector<std::string> row{phi.name};
    for (const auto& f : {phi.value, phi.prime})
      for (const double z : {-1.0, 0.0, 1.0}) row.push_back(fixed(f(z), 4));
    row.push_back(significant(off_by, 2));
    table.rows.push_back(row);
    values.series.push_back(plot::curve(phi.name, -3, 3, 0.04, phi.value));
    slopes.series.push_back(plot::curve(phi.name, -3, 3, 0.04, phi.prime));
    lesson.claim(phi.name + ": slope by formula against slope by numbers", off_by, at_most(tolerance));
  }
  lesson.show(table);
  lesson.figure("activations", values);
  lesson.figure("slopes", slopes);
}

static void show_one(Lesson& lesson, const Curve& phi, double z) {
  const double value = phi.value(z), slope = phi.prime(z);
  lesson.figure("activation", plot::Chart{.title = "φ and its slope: " + phi.name,
                                          .x = {.title = "z", .low = -3, .high = 3},
                                          .y = {.title = "", .low = -1.5, .high = 3},
                                          .series = {plot::curve("φ(z)", -3, 3, 0.04, phi.value),
                                                     plot::curve("φ'(z)", -3, 3, 0.04, phi.prime),
                                                     plot::curve("the line with that slope", z - 0.8, z + 0.8, 1.6,
                                                                 [&](double x) { return value + (x - z) * slope; }),
                                                     {"here", {z}, {value}, true}}});
  lesson.note("At z = ", z, " φ is ", value, " and its slope ", slope,
              ": of a gradient that comes back through this unit, that part goes on. Moving z by 6e-6 to both sides "
              "finds ",
              phi.numeric(z), ".");
  if (z == 0 && phi.prime(-1e-9) != phi.prime(1e-9))
    lesson.note("From the right of the corner the slope is 1, from the left it is not, and ours is a convention.");
}

static void run(Lesson& lesson, Pool&, const knob::Settings& at) {
  const std::vector<Curve> curves = curves_at(at[beta]);
  lesson.say("Is each slope, derived on paper, the one that numbers find?");
  // Rounding ε·|f|/h is 2e-10 at |f| = 6. Truncation is h²·f'''/6: 6e-12 times f''', which is at most 1 for these and
  // β² for swish.
  show_five(lesson, curves, 5e-10 + 6e-12 * at[beta] * at[beta]);
  show_one(lesson, curves[at[activation]], at[place]);
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
