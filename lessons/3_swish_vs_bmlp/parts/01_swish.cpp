// Lesson 3, part 1: swish, its gradients, and what it cannot do without biases.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/lesson.hpp"

namespace lesson3::p1 {

constexpr knob::Real beta_knob{"beta", "β of z·σ(βz)", 1, {0, 10, 0.05}};
constexpr knob::Real place{"z", "the place where the slope is read", -1, {-6, 6, 0.05}};

static double swish(double z, double beta) { return z * elementary::sigmoid(beta * z); }

static double slope(double z, double beta) {
  const double gate = elementary::sigmoid(beta * z);
  return gate * (1 + beta * z * (1 - gate));
}

// The errors of order h² cancel.
static double numeric_slope(double z, double beta) {
  const auto central = [&](double h) {
    return (swish(z + h, beta) - swish(z - h, beta)) / (2 * h);
  };
  return (4 * central(1e-3) - central(2e-3)) / 3;
}

static void the_function(Lesson& lesson, double beta, double z) {
  plot::Chart chart{.title = "z·σ(βz) and its slope at β = " + significant(beta)};
  chart.x = {.title = "z", .low = -6, .high = 6};
  chart.y = {.title = "value, slope", .low = -1.5, .high = 6};
  chart.series = {plot::curve("z·σ(βz)", -6, 6, 0.05, [&](double x) { return swish(x, beta); }),
                  plot::curve("its slope", -6, 6, 0.05, [&](double x) { return slope(x, beta); }),
                  plot::curve("tangent", z - 1.5, z + 1.5, 3,
                              [&](double x) { return swish(z, beta) + slope(z, beta) * (x - z); })};
  chart.grips = {{z, swish(z, beta), "", "z x 1 0"}};
  lesson.figure("swish", chart);
  const double numeric = numeric_slope(z, beta);
  double bottom = 0;
  for (double at = -10; at <= 10; at += 1e-4)
    if (swish(at, 1) < swish(bottom, 1)) bottom = at;
  lesson.note("At z = ", z, " the value is ", fixed(swish(z, beta), 4), " and the slope ",
              fixed(slope(z, beta), 4), "; by differences it is ", fixed(numeric, 4), ".");
  if (beta > 0 && std::isfinite(bottom / beta))
    lesson.say("The curve falls before it rises: its least value is ",
               significant(swish(bottom, 1) / beta, 4), ", at z = ", significant(bottom / beta, 5),
               ".");
  else lesson.say("At so small a β the curve is z/2, a straight line without a lowest point.");
  // What is left is h⁴·f⁽⁵⁾/30·4: f⁽⁵⁾ is at most some 2·β⁴, so 3e-9 at β = 10; of rounding, 1e-12.
  lesson.claim("the slope, as derived and by differences, |diff|",
               std::abs(slope(z, beta) - numeric), at_most(1e-7));
  // The place is at most half a step of the grid off.
  lesson.claim("swish: its least value minus (z + 1)", std::abs(swish(bottom, 1) - (bottom + 1)),
               at_most(1e-4));
}

// How far f(x) - f(-x) is from adding up.
static double off_additive(const Swish<double>& f, Random& random) {
  const auto x = normal_matrix<double>(6, 4, 1, random), y = normal_matrix<double>(6, 4, 1, random);
  const auto odd = [&](const Matrix<double>& at) { return output(f, at) - output(f, -1 * at); };
  return largest_entry(additivity(odd, x, y));
}

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  the_function(lesson, at[beta_knob], at[place]);
  Random random(lesson.options().seed);
  Swish<double> net({{4, 5, 3}, Biases::with}), bare({{4, 5, 3}, Biases::without});
  claim_gradients(lesson, "every gradient entry", net, random);
  claim_gradients(lesson, "without biases: every gradient entry", bare, random);
  fill_normal(net.tensors(), random);
  fill_normal(bare.tensors(), random);
  const double without = off_additive(bare, random), with = off_additive(net, random);
  // Some hundred roundings of numbers near 100 are below 1e-12; what biases do is near 1.
  lesson.claim("without biases: f(x) - f(-x) adds up", without, at_most(1e-12));
  lesson.claim("with biases it does not", with, at_least(1e-3));
}

}  // namespace lesson3::p1

const Part<lesson3::Session> lesson3::part1{
    .number = 1,
    .title = "The swish MLP",
    .question = "What does β change, and where does swish fall?",
    .run = p1::run,
    .knobs = {&p1::beta_knob, &p1::place}};
