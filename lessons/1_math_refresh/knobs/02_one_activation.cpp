// Lesson 1, part 2: an activation, and the place at which its slope is taken, can be turned.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <functional>
#include <string>

#include "common/support/parts.hpp"
#include "lessons/1_math_refresh/model/1_activations.hpp"

namespace lesson1 {
namespace {

constexpr knob::Choice activation{"activation", "φ", {"swish", "relu", "leaky", "sigmoid", "tanh"}};
constexpr knob::Real place{"z", "where the slope is taken", 0.5, {-3, 3, 0.05}};
constexpr knob::Real beta{"beta", "β of swish; the other activations have none", 1, {0, 10, 0.1}};

constexpr const Activation* all[] = {&swish_activation, &relu_activation, &leaky_relu_activation, &sigmoid_activation,
                                     &tanh_activation};

// An activation with its β settled.
struct Curve {
  std::string name;
  std::function<double(double)> value, prime;
};

Curve curve_at(const knob::Settings& at) {
  const Activation& phi = *all[at[activation]];
  if (phi.value != swish) return {phi.name, phi.value, phi.prime};
  const double b = at[beta];
  return {join("swish, β = ", b), [b](double z) { return swish_beta(z, b); },
          [b](double z) { return swish_beta_prime(z, b); }};
}

plot::Chart chart_of(const Curve& phi, double z) {
  plot::Chart chart{.title = "φ and its slope: " + phi.name,
                    .x = {.title = "z", .low = -3, .high = 3},
                    .y = {.title = "", .low = -1.5, .high = 3},
                    .series = {{"φ(z)"}, {"φ'(z)"}, {"the line with that slope"}, {"here", {z}, {phi.value(z)}, true}}};
  for (int k = -75; k <= 75; ++k) {
    chart.series[0].add(0.04 * k, phi.value(0.04 * k));
    chart.series[1].add(0.04 * k, phi.prime(0.04 * k));
  }
  for (const double t : {-0.8, 0.8}) chart.series[2].add(z + t, phi.value(z) + t * phi.prime(z));
  return chart;
}

void run(Lesson& lesson, Pool&, const knob::Settings& at) {
  const Curve phi = curve_at(at);
  const double z = at[place], h = 6e-6;  // ε^(1/3): part 4 says why
  lesson.picture("turned_activation", chart_of(phi, z));
  const double derived = phi.prime(z), numeric = (phi.value(z + h) - phi.value(z - h)) / (2 * h);
  lesson.say(
      "At z = ", z, " φ is ", phi.value(z), " and its slope ", derived,
      ": of a gradient that comes back through this unit, that part goes on. Moving z by 6e-6 to both sides finds ",
      numeric, ".");
  const bool corner = (all[at[activation]] == &relu_activation || all[at[activation]] == &leaky_relu_activation);
  if (corner && std::abs(z) <= h) {
    lesson.say("That is the corner: from the right the slope is 1, from the left it is not, and ours is a convention.");
    return;
  }
  // Rounding ε·|φ|/h is 1e-10 at |φ| = 3. Truncation is h²·φ'''/6: 6e-12 times φ''', which is at most 1 for these and β²
  // for swish.
  lesson.claim("slope by formula against slope by numbers", std::abs(numeric - derived),
               at_most(5e-10 + 6e-12 * at[beta] * at[beta]));
}

}  // namespace

Bench<Pool> bench2() {
  return {"How much does an activation let through, forward and back?", {&place, &activation, &beta}, run};
}

}  // namespace lesson1
