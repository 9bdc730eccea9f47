// Lesson 3, part 7: a layer of gated units learns one curve; β of the gate can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "common/support/elementary.hpp"
#include "common/support/parts.hpp"
#include "lessons/3_swish_vs_bmlp/knobs/small_task.hpp"
#include "lessons/3_swish_vs_bmlp/floors.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"
#include "lessons/3_swish_vs_bmlp/run/session.hpp"

namespace lesson3 {
namespace {

constexpr knob::Real beta_knob{"beta", "β of the gate: 0 is a product", 1, {0, 8, 0.05}};
constexpr knob::Choice function{"f", "the curve to learn", {"sin", "square", "bump", "corner"}};
constexpr knob::Whole units{"units", "gated units", 16, {1, 32, 1}};
constexpr knob::Real rate{"rate", "peak learning rate", 0.03, {0.0005, 0.1, 0.0005}};
constexpr knob::Whole updates{"updates", "training steps", 1500, {0, 3000, 20}};

double curve_at(std::size_t f, double x) {
  if (f == 0) return std::sin(2 * x);
  if (f == 1) return x * x / 4 - 1;
  return f == 2 ? 2 * std::exp(-x * x) - 1 : std::abs(x) - 1.5;
}

// 121 places from -3 to 3.
Rows rows_of(std::size_t f) {
  Rows rows{Matrix<double>(121, 1), Matrix<double>(121, 1)};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows.X(i, 0) = -3 + 0.05 * double(i);
    rows.T(i, 0) = curve_at(f, rows.X(i, 0));
  }
  return rows;
}

// The largest distance of z·σ(βz) from ReLU, on a grid.
double distance_to_relu(double beta) {
  double worst = 0;
  for (int k = -4000; k <= 4000; ++k)
    worst = std::max(worst, std::abs(0.01 * k * elementary::sigmoid(beta * 0.01 * k) - std::max(0.01 * k, 0.0)));
  return worst;
}

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const Rows rows = rows_of(at[function]);
  Random random(lesson.options().seed, 507);
  SwishGate<float> gate({{1, at[units], 1}, at[beta_knob]}, random);
  TrainingSettings settings;
  settings.steps = long(at[updates]);
  settings.batch = 32;
  settings.rate = at[rate];
  train(gate, rows, settings, Random(lesson.options().seed, 5071));
  const Matrix<double> Y = predict(gate, rows.X), Phi = quadratic_features(rows.X);
  const Matrix<double> parabola = matmul(Phi, least_squares(Phi, rows.T));
  plot::Chart chart{.title = join(at[units], " units with the gate z·σ(βz), β = ", at[beta_knob])};
  chart.x = {.title = "x", .low = -3, .high = 3};
  chart.y = {.title = "y", .low = -2, .high = 2};
  const auto line = [&](const std::string& name, const Matrix<double>& of) {
    return plot::Series{
        name, {rows.X.values().begin(), rows.X.values().end()}, {of.values().begin(), of.values().end()}};
  };
  chart.series = {line("to be learned", rows.T), line("learned", Y), line("best parabola", parabola)};
  lesson.picture("turned_slider", chart);
  const double learned = r_squared(Y, rows.T), best = r_squared(parabola, rows.T);
  lesson.say("R² on these 121 places: learned ", fixed(learned, 4), ", the best parabola ", fixed(best, 4), ".");
  // A float output is off by some 1e-6 of numbers near 1.
  if (at[beta_knob] == 0)
    lesson.claim("β = 0 is a parabola: R² minus that of the best one", learned - best, at_most(1e-5));
  lesson.claim_trained("16 units with β = 1 on sin 2x: R²", learned, at_least(0.9 - 4.5 * 0.112));  // 20 seeds
  if (at[beta_knob] > 0)  // the grid misses 1e-4 of it at most, and at small β its ends
    lesson.claim("the gate's largest distance from ReLU, times β", at[beta_knob] * distance_to_relu(at[beta_knob]),
                 at_most(0.27847));
}

}  // namespace

Bench<Session> bench7() {
  return {"Which β learns which curve?", {&beta_knob, &function, &units, &rate, &updates}, run};
}

}  // namespace lesson3
