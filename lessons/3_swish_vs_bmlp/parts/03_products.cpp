// Lesson 3, part 3: product layers checked, and one product of one input.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/lesson.hpp"

namespace lesson3::p3 {

constexpr knob::Numbers first{
    "p", "the first factor, P = W·x + b", {1, 1}, {-3, 3, 0.25}, {"W", "b"}};
constexpr knob::Numbers second{"q", "the second, Q = V·x + c", {1, -1}, {-3, 3, 0.25}, {"V", "c"}};

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const std::vector<double> p = at[first], q = at[second];
  const auto P = [&](double x) { return p[0] * x + p[1]; };
  const auto Q = [&](double x) { return q[0] * x + q[1]; };
  const auto H = [&](double x) { return P(x) * Q(x); };
  plot::Chart chart{.title = "One product of one input"};
  chart.x = {.title = "x", .low = -3, .high = 3};
  chart.y = {.title = "P, Q and H = P·Q", .low = -6, .high = 6};
  chart.series = {plot::curve("H", -3, 3, 0.05, H), plot::curve("P", -3, 3, 6, P),
                  plot::curve("Q", -3, 3, 6, Q)};
  // At 0 a line is its bias, at 1 that and its weight.
  chart.grips = {{0, p[1], "", "p:1 y 1 0"},
                 {1, P(1), "", join("p:0 y 1 ", -p[1])},
                 {0, q[1], "", "q:1 y 1 0"},
                 {1, Q(1), "", join("q:0 y 1 ", -q[1])}};
  lesson.figure("product", chart);
  const double slope = p[0] * Q(1) + P(1) * q[0];
  lesson.note("At x = 1 the factors are P = ", P(1), " and Q = ", Q(1), "; H is ", H(1) + 0.0,
              ", and its slope W·Q + P·V is ", slope + 0.0, ".");
  // Central differences of a parabola are exact but for roundings of numbers near 100.
  lesson.claim("the slope at x = 1 and by differences, |diff|", std::abs(slope - (H(2) - H(0)) / 2),
               at_most(1e-12));
  Random random(lesson.options().seed, 33);
  const Sizes sizes{4, 8, 3};
  claim_gradients(lesson, "product layer: every gradient entry", Product<double>(sizes), random);
  claim_gradients(lesson, "W1 + mean(x)·U1: every gradient entry", GatedMean<double>(sizes),
                  random);
}

}  // namespace lesson3::p3

const Part<lesson3::Session> lesson3::part3{
    .number = 3,
    .title = "Real products",
    .question = "Which curves can one product of one input be?",
    .run = p3::run,
    .knobs = {&p3::first, &p3::second}};
