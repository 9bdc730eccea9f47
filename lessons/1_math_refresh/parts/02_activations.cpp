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

static void run(Lesson& lesson, Pool&, const knob::Settings& at) {
  const double b = at[beta], z = at[place];
  std::vector<Curve> curves;
  for (const Activation& phi : activations) curves.push_back({phi.name, phi.value, phi.prime});
  curves[4] = {b == 1 ? "swish" : join("swish, β = ", b), [b](double x) { return swish_beta(x, b); },
               [b](double x) { return swish_beta_prime(x, b); }};
  lesson.say("Is each slope, derived on paper, the one that numbers find?");
  plot::Chart values{.title = "Five activations", .x = {.title = "z"}},
      slopes{.title = "Their slopes", .x = {.title = "z"}};
  for (std::size_t k = 0; k < 5; ++k) {  // those that have a bend
    const Curve& phi = curves[k];
    double off_by = 0;  // over z from -6 to 6, without the corner of the ReLUs at 0
    for (double x = -5.995; x < 6; x += 0.01) off_by = std::max(off_by, std::abs(phi.numeric(x) - phi.prime(x)));
    values.series.push_back(plot::curve(phi.name, -3, 3, 0.04, phi.value));
    slopes.series.push_back(plot::curve(phi.name, -3, 3, 0.04, phi.prime));
    // Rounding ε·|f|/h is 2e-10 at |f| = 6. Truncation is h²·f'''/6: 6e-12 times f''', which is at most 1 for these and
    // β² for swish.
    lesson.claim(phi.name + ": slope by formula against slope by numbers", off_by, at_most(5e-10 + 6e-12 * b * b));
  }
  lesson.figure("activations", values);
  lesson.figure("slopes", slopes);

  const Curve& phi = curves[at[activation]];
  const auto tangent = [&](double x) { return phi.value(z) + (x - z) * phi.prime(z); };
  lesson.figure("activation",
                plot::Chart{.title = "φ and its slope: " + phi.name,
                            .x = {.title = "z", .low = -3, .high = 3},
                            .y = {.title = "", .low = -1.5, .high = 3},
                            .series = {plot::curve("φ(z)", -3, 3, 0.04, phi.value),
                                       plot::curve("φ'(z)", -3, 3, 0.04, phi.prime),
                                       plot::curve("the line with that slope", z - 0.8, z + 0.8, 0.1, tangent),
                                       {"here", {z}, {phi.value(z)}, true}}});
  lesson.note("At z = ", z, " φ is ", phi.value(z), " and its slope ", phi.prime(z), "; numbers find ", phi.numeric(z),
              ".");
  // 1 / (1 + exp(720)) would be 1 / infinity = 0. At 1e-313 numbers have 11 digits left.
  lesson.claim("σ(-720) is e^-720 and not 0, relative error", std::abs(sigmoid(-720) / std::exp(-720.0) - 1),
               at_most(1e-9));
  lesson.claim("swish with β = 0 is the straight line z/2: at z = 3", swish_beta(3, 0), exactly(1.5));
  lesson.claim("swish with β = 50 is nearly ReLU: distance at z = -1", -swish_beta(-1, 50), at_most(2e-22));  // e^-50
}

extern const Part<Pool> part2(2, "Activations and their slopes", run,
                              "How much does an activation let through, forward and back?",
                              {&place, &activation, &beta});

}  // namespace lesson1
