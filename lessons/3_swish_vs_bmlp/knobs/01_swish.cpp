// Lesson 3, part 1: swish with a β that can be turned, and its slope.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include "common/support/elementary.hpp"
#include "common/support/parts.hpp"
#include "lessons/3_swish_vs_bmlp/run/session.hpp"

namespace lesson3 {
namespace {

constexpr knob::Real beta_knob{"beta", "β of z·σ(βz)", 1, {0, 10, 0.05}};
constexpr knob::Real place{"z", "where the slope is read", -1, {-6, 6, 0.05}};

double swish(double z, double beta) { return z * elementary::sigmoid(beta * z); }

double slope(double z, double beta) {
  const double gate = elementary::sigmoid(beta * z);
  return gate * (1 + beta * z * (1 - gate));
}

// (4·(difference over h) - (difference over 2h))/3, in which the errors of order h² cancel.
double numeric_slope(double z, double beta) {
  constexpr double h = 1e-3;
  const auto central = [&](double step) { return (swish(z + step, beta) - swish(z - step, beta)) / (2 * step); };
  return (4 * central(h) - central(2 * h)) / 3;
}

plot::Chart chart_of(double beta, double z) {
  plot::Chart chart{.title = "z·σ(βz) and its slope at β = " + significant(beta)};
  chart.x = {.title = "z", .low = -6, .high = 6};
  chart.y = {.title = "value, slope", .low = -1.5, .high = 6};
  plot::Series curve{.name = "z·σ(βz)"}, slopes{.name = "its slope"}, tangent{.name = "tangent at z"};
  for (int k = -120; k <= 120; ++k) {
    const double t = 0.05 * k;
    curve.add(t, swish(t, beta));
    slopes.add(t, slope(t, beta));
    if (std::abs(t - z) <= 1.5) tangent.add(t, swish(z, beta) + slope(z, beta) * (t - z));
  }
  chart.series = {curve, slopes, tangent};
  return chart;
}

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const double beta = at[beta_knob], z = at[place], numeric = numeric_slope(z, beta);
  lesson.picture("turned_swish", chart_of(beta, z));
  lesson.say("At z = ", z, " the value is ", fixed(swish(z, beta), 4), " and the slope ", fixed(slope(z, beta), 4),
             "; by differences it is ", fixed(numeric, 4), ".");
  // The lowest point of swish is -.27846, at -1.27846: of both the β-th part is left.
  if (beta > 0)
    lesson.say("The curve is lowest at z = ", fixed(-1.27846 / beta, 4), ", where it is ", fixed(-0.27846 / beta, 4),
               ": swish_β(z) = swish(βz)/β.");
  else lesson.say("At β = 0 it is z/2, a straight line: it has no lowest point.");
  // What is left is h⁴·f⁽⁵⁾/30·4: f⁽⁵⁾ is at most some 2·β⁴, so 3e-9 at β = 10. Rounding leaves 1e-12.
  lesson.claim("the slope derived and by differences, |diff|", std::abs(slope(z, beta) - numeric), at_most(1e-7));
  double apart = 0, size = std::max(beta, 1e-6);
  for (int k = -60; k <= 60; ++k)
    apart = std::max(apart, std::abs(swish(0.1 * k, size) - swish(0.1 * k * size, 1) / size));
  lesson.claim("swish_β(z) = swish(βz)/β, max |diff|", apart, at_most(1e-14));  // a few roundings of numbers up to 6
}

}  // namespace

Bench<Session> bench1() { return {"What does β change, and where does swish fall?", {&beta_knob, &place}, run}; }

}  // namespace lesson3
