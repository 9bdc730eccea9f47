// Lesson 3, part 8: the factor by which all gradients are wrong can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "common/support/parts.hpp"
#include "lessons/3_swish_vs_bmlp/knobs/small_task.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"
#include "lessons/3_swish_vs_bmlp/run/session.hpp"

namespace lesson3 {
namespace {

constexpr knob::Real factor{"factor", "what all gradients are multiplied by", 2, {0.05, 100, 0.05}};
constexpr knob::Real rate{"rate", "learning rate of plain descent; AdamW takes a tenth", 0.05, {0.001, 0.5, 0.001}};
constexpr knob::Whole updates{"updates", "training steps", 200, {20, 1000, 20}};

// The loss on the way, until it diverges.
plot::Series learn(const std::string& name, const Optimizer<float>& optimizer, float by, const Rows& rows,
                   const TrainingSettings& settings, std::uint64_t seed) {
  Random start(seed, 5081);
  Swish<float> net({{small_inputs, 16, 1}, true}, start);
  const Optimizer<float> scaled{[&](const auto& parameters, const auto& gradients, double speed) {
    for (const auto& [tensor, gradient] : gradients) gradient = by * std::move(gradient);
    optimizer.step(parameters, gradients, speed);
  }};
  plot::Series curve{.name = name};
  const auto note = [&](long step) { curve.add(double(step), mean_squared_error(predict(net, rows.X), rows.T).value); };
  const long every = std::max(1L, settings.steps / 40);
  try {
    train(net, scaled, rows, settings, Random(seed, 5082), [&](long step) {
      if (step % every == 0) note(step);
    });
    note(settings.steps);
  } catch (const Diverged&) {
    curve.name += ", diverges";
  }
  return curve;
}

// The worst relative errors of the tensors in a check of gradients times the factor: the smallest and the largest.
std::pair<double, double> errors_of(double by, Random& random) {
  Swish<double> net({{4, 5, 3}, true});
  fill_normal(net.tensors(), random);
  Matrix<double> X = normal_matrix<double>(6, 4, 1, random);
  const Matrix<double> target = normal_matrix<double>(6, 3, 1, random);
  const GradientReport report = check_model(net, X, [&](const Matrix<double>& Y) {
    Loss<double> loss = mean_squared_error(Y, target);
    return Loss<double>{loss.value, by * std::move(loss.gradient)};
  });
  double least = HUGE_VAL, most = 0;
  for (const GradientRow& row : report.rows) {
    least = std::min(least, row.worst);
    most = std::max(most, row.worst);
  }
  return {least, most};
}

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const std::uint64_t seed = lesson.options().seed;
  Random random(seed, 508);
  const Rows rows = draw_rows({.bent = 0.5, .noise = 0.1, .degree = 2, .count = 256}, random);
  TrainingSettings settings;
  settings.steps = long(at[updates]);
  settings.batch = 32;
  const float by = float(at[factor]);
  plot::Chart chart{.title = join("All gradients times ", at[factor])};
  chart.x = {.title = "step", .low = 0, .high = double(at[updates])};
  chart.y = {.title = "mean squared error (logarithmic)", .log = true, .low = 0.01, .high = 100};
  for (const bool adam : {true, false})
    for (const float times : {1.0f, by}) {
      settings.rate = adam ? at[rate] / 10 : at[rate];
      const std::string name = join(adam ? "AdamW" : "SGD", times == 1 ? "" : join(", times ", at[factor]));
      chart.series.push_back(learn(name, adam ? adamw() : plain_descent(), times, rows, settings, seed));
    }
  lesson.picture("turned_factor", chart);
  const auto [least, most] = errors_of(at[factor], random);
  lesson.say("A gradient check sees relative errors from ", significant(least, 4), " to ", significant(most, 4),
             " in every tensor: |factor - 1| over the larger of the two.");
  const double expected = std::abs(at[factor] - 1) / std::max(at[factor], 1.0);
  // The check itself errs by some 1e-9.
  lesson.claim("the smallest of them", least, within(expected, 1e-6));
  lesson.claim("the largest of them", most, within(expected, 1e-6));
}

}  // namespace

Bench<Session> bench8() {
  return {"Who notices that all gradients are too large by one factor?", {&factor, &rate, &updates}, run};
}

}  // namespace lesson3
