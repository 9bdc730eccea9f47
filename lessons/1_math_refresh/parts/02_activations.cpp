// Lesson 1, part 2: activations and their slopes, on paper and by numbers.
// SPDX-License-Identifier: MIT
#include "lessons/1_math_refresh/lesson.hpp"

namespace lesson1::p2 {

constexpr knob::Choice activation{"activation", "φ", activation_flags, place_of(swish_activation)};
constexpr knob::Real place{"z", "where the slope is taken", 0.5, {-3, 3, 0.05}};
constexpr knob::Real beta{"beta", "β of swish; the other activations have none", 1, {0, 10, 0.1}};

struct Curve {
  std::string name;
  std::function<double(double)> value, prime;

  Curve(const Activation& phi, double b) : name(phi.name), value(phi.value), prime(phi.prime) {
    if (!(phi == swish_activation) || b == 1) return;
    name = join("swish, β = ", b);
    value = [b](double z) { return swish_beta(z, b); };
    prime = [b](double z) { return swish_beta_prime(z, b); };
  }

  double numeric(double z) const {
    constexpr double h = 6e-6;  // ε^(1/3): part 4 says why
    return (value(z + h) - value(z - h)) / (2 * h);
  }

  // Leaves out z = 0, where ReLU has a corner.
  void claim_slope(Lesson& lesson, double b) const {
    double off_by = 0;
    for (double z = -5.995; z < 6; z += 0.01)
      off_by = std::max(off_by, std::abs(numeric(z) - prime(z)));
    // Rounding, ε·|f|/h, is 2e-10 at |f| = 6. Truncation, h²·f'''/6, is 6e-12·f''', and f''' is at
    // most 2 in size, tanh's at 0; swish's grows with β².
    lesson.claim(name + ": slope by formula against slope by numbers", off_by,
                 at_most(5e-10 + 12e-12 * b * b));
  }
};

static void scene(Lesson& lesson, Pool&, const knob::Settings& at) {
  const double z = at[place];
  const Curve phi(activations[at[activation]], at[beta]);
  const double h = phi.value(z), slope = phi.prime(z);
  lesson.figure("activation",
                plot::Chart{.title = "φ and its slope: " + phi.name,
                            .x = {.title = "z", .low = -3, .high = 3},
                            .y = {.title = "", .low = -1.5, .high = 3},
                            .series = {plot::curve("φ(z)", -3, 3, 0.04, phi.value),
                                       plot::curve("φ'(z)", -3, 3, 0.04, phi.prime),
                                       {"tangent", {z - 1, z + 1}, {h - slope, h + slope}}},
                            .grips = {{z, h, "", "z x 1 0"}}});
  lesson.note("At z = ", z, " φ is ", h, " and its slope ", slope, "; numbers find ",
              phi.numeric(z), ".");
  phi.claim_slope(lesson, at[beta]);
}

static void run(Lesson& lesson, Pool& pool, const knob::Settings& at) {
  lesson.say("Do numbers find the slopes that were derived on paper?");
  for (const Activation& phi : activations) {
    if (phi == linear_activation || phi == activations[at[activation]]) continue;
    Curve(phi, 1).claim_slope(lesson, 1);
  }
  scene(lesson, pool, at);
  // 1 / (1 + exp(720)) would be 1 / infinity = 0. At 1e-313 numbers have 11 digits left.
  lesson.claim("σ(-720) is e^-720 and not 0, relative error",
               std::abs(sigmoid(-720) / std::exp(-720.0) - 1), at_most(1e-9));
  lesson.claim("swish with β = 0 is the straight line z/2: at z = 3", swish_beta(3, 0),
               exactly(1.5));
  lesson.claim("swish with β = 50 is nearly ReLU: distance at z = -1", -swish_beta(-1, 50),
               at_most(2e-22));  // e^-50
}

}  // namespace lesson1::p2

const Part<Pool> lesson1::part2{
    .number = 2,
    .title = "Activations and their slopes",
    .question = "How much does an activation let through, forward and back?",
    .run = p2::run,
    .scene = p2::scene,
    .knobs = {&p2::place, &p2::activation, &p2::beta}};
