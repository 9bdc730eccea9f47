// Lesson 3, part 8: a gradient that is off by a constant factor trains the same under AdamW. Who notices?
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"
#include "lessons/3_swish_vs_bmlp/run/checks.hpp"
#include "lessons/3_swish_vs_bmlp/run/session.hpp"
#include "lessons/3_swish_vs_bmlp/run/zoo.hpp"

namespace lesson3 {
namespace {

// An optimizer that is handed every gradient times a factor.
Optimizer<float> scaled(const Optimizer<float>& inner, float factor) {
  return {[=](const Tensors<float>& parameters, const Tensors<float>& gradients, double rate) {
    for (const auto& [name, gradient] : gradients) gradient = factor * std::move(gradient);
    inner.step(parameters, gradients, rate);
  }};
}

struct FactorRun {
  std::string optimizer;
  double rate;
  float factor;
  Swish<float> model{Forms{suite_inputs, suite_outputs}.swish};
  double r2 = 0;
  long diverged_at = -1;  // the step, or -1
};

void run_with_factor(FactorRun& run, Session& session) {
  Random random(session.options.seed, 31);
  run.model = Swish<float>(run.model.form, random);
  const Optimizer<float> optimizer = run.optimizer == "AdamW" ? adamw() : plain_descent();
  TrainingSettings settings = session.training();
  settings.rate = run.rate;
  long last = 0;  // the step that was begun last
  try {
    train(run.model, scaled(optimizer, run.factor), session.suite().train, settings, Random(session.options.seed, 32),
          [&](long step) { last = step; });
    run.r2 = r_squared(run.model, session.suite().test);
  } catch (const Diverged&) {
    run.diverged_at = last;
  }
}

// The gradient (Y - T)/n in the place of 2(Y - T)/(n·o): every tensor's own relative error, smallest and largest.
std::pair<double, double> errors_of_factor(Random& random) {
  Swish<double> net({{4, 5, 4}, true});
  fill_normal(net.tensors(), random);
  Matrix<double> X = normal_matrix<double>(6, 4, 1, random);
  const Matrix<double> target = normal_matrix<double>(6, 4, 1, random);
  const GradientReport report = check_model(net, X, [&](const Matrix<double>& Y) {
    return Loss<double>{mean_squared_error(Y, target).value, 1.0 / 6 * (Y - target)};
  });
  double least = HUGE_VAL, most = 0;
  for (const GradientRow& row : report.rows) {
    least = std::min(least, row.worst);
    most = std::max(most, row.worst);
  }
  return {least, most};
}

}  // namespace

void part8(Lesson& lesson, Session& session) {
  lesson.say("All gradients too large by one factor: who notices? Swish MLP, suite A, test R²:");
  std::vector<FactorRun> runs;
  for (const float factor : {1.0f, 2.0f, 100.0f}) runs.push_back({"AdamW", session.flags.rate, factor});
  for (const float factor : {1.0f, 2.0f, 100.0f}) runs.push_back({"SGD", 0.02, factor});
  runs.push_back({"SGD", 0.04, 1});
  session.suite();  // drawn before the threads ask for it
  session.run("training", runs.size(), [&](std::size_t k) { run_with_factor(runs[k], session); });
  const auto ended = [&](std::size_t k) {
    return runs[k].diverged_at < 0 ? fixed(runs[k].r2, 4) : join("diverged at step ", runs[k].diverged_at);
  };
  lesson.show(Table{{"optimizer", "rate", "right gradients", "times 2", "times 100"},
                    {{"AdamW", significant(runs[0].rate), ended(0), ended(1), ended(2)},
                     {"SGD", significant(runs[3].rate), ended(3), ended(4), ended(5)},
                     {"SGD", significant(runs[6].rate), ended(6), "", ""}}});
  // Where all three had diverged, nothing would change either. Mean and spread of 240 runs.
  lesson.claim_trained("AdamW with the right gradients: R²", runs[0].r2, within(0.7035, 4.5 * 0.0229));
  const double adamw = std::max(std::abs(runs[1].r2 - runs[0].r2), std::abs(runs[2].r2 - runs[0].r2));
  // What rounding leaves spreads evenly in its logarithm: over 20 seeds 2.2e-7 times or over e^0.91.
  lesson.claim_trained("AdamW: largest change of R² by the factors", adamw, at_most(2.2e-7 * std::exp(4.5 * 0.91)));
  double apart = 0;
  const auto one = runs[4].model.tensors(), other = runs[6].model.tensors();
  for (std::size_t t = 0; t < one.size(); ++t)
    apart = std::max(apart, max_abs_difference(one[t].tensor, other[t].tensor));
  lesson.claim_same("SGD: times 2 at 0.02, and times 1 at 0.04, the same weights", apart);
  lesson.claim_trained("SGD: times 100 diverges", runs[5].diverged_at >= 0 ? 1 : 0, exactly(1));

  Random random(lesson.options().seed, 35);
  const auto [least, most] = errors_of_factor(random);
  lesson.say("The gradient check: the relative errors of the tensors go from ", significant(least), " to ",
             significant(most), ".");
  // Twice a slope against the slope, |2 - 1|/2; the check itself errs by some 1e-9.
  lesson.claim("smallest relative error of a tensor", least, within(0.5, 1e-6));
  lesson.claim("largest relative error of a tensor", most, within(0.5, 1e-6));
}

}  // namespace lesson3
