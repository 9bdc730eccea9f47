// Lesson 6, part 6: a gate beside standard attention in one language model, on the same batches.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/parts.hpp"
#include "lessons/6_bma/knobs/small_model.hpp"

namespace lesson6 {
namespace {

constexpr knob::Choice gate{"gate", "the variant beside standard attention", {"bma", "attending", "post", "half"}};
constexpr knob::Real opens{"g0", "what the gate starts at: Wo starts 2·g0 times as large", 0.5, {0.1, 2, 0.05}};
constexpr knob::Choice init{"init", "where the weights start", {"own", "large", "small", "published"}};
constexpr knob::Real rate{"rate", "peak learning rate", 0.005, {0.0005, 0.03, 0.0005}};
constexpr knob::Whole updates{"updates", "training steps", 300, {20, 600, 20}};

// The factor of a gate σ(0) = ½ and an output product 2·g0 times as large is g0.
void open_gates(LanguageModel<float>& model, double g0) {
  if (model.form.transformer.gate == Gate::standard) return;
  for (const auto& [name, tensor] : model.tensors())
    if (name.ends_with(".Wo")) tensor = float(2 * g0) * std::move(tensor);
}

struct Trained {
  std::vector<double> losses;
  double held_out = 0;
  bool diverged = false;
};

Trained train_one(Session& session, const Recipe& recipe, double g0) {
  Trained found;
  Run run = session.fresh(recipe);
  open_gates(run.model, g0);
  try {
    const Outcome outcome =
        session.train(std::move(run), session.pool, recipe.run.steps,
                      [&](long, double loss, const LanguageTrainer<float>&) { found.losses.push_back(loss); });
    found.held_out = session.held_out(outcome.run.model, session.pool);
  } catch (const Diverged&) {
    found.diverged = true;
  }
  return found;
}

// The mean of the losses of each tenth step and the nine before.
plot::Series smoothed(const std::string& name, const std::vector<double>& losses) {
  plot::Series line{.name = name};
  for (std::size_t end = 10; end <= losses.size(); end += 10) {
    double sum = 0;
    for (std::size_t k = end - 10; k < end; ++k) sum += losses[k] / 10;
    line.add(double(end), sum);
  }
  return line;
}

// How far the logits of a gate of exactly g0 = 1 are from those of standard attention, at the start.
double distance_at_one(Session& session, Recipe recipe) {
  const Symbols window = held_out_window(session, 0, recipe.form.context);
  const Run gated = session.fresh(recipe);
  recipe.form.transformer.gate = Gate::standard;
  const Run standard = session.fresh(recipe);
  LanguageModel<float> model = gated.model;
  for (const auto& [name, tensor] : model.tensors())
    if (name.ends_with(".Wg") || name.ends_with(".Wp")) tensor = 0.0f * std::move(tensor);
  open_gates(model, 1);
  const Texts texts{window, window.size()};
  return max_abs_difference(output(model, texts), output(standard.model, texts));
}

void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const std::string name = at.name_of(gate);
  Recipe recipe = session.recipe(gate_named(name), session.options.seed);
  recipe.start = start_named(at.name_of(init));
  recipe.form.tied = recipe.start.name == std::string("published");
  recipe.run.rate = at[rate];
  recipe.run.steps = long(lesson.options().quick_or<std::size_t>(20, at[updates]));
  recipe.run.warm_up = warm_up_of(recipe.run.steps);
  Recipe plain = recipe;
  plain.form.transformer.gate = Gate::standard;
  const Trained standard = train_one(session, plain, at[opens]), gated = train_one(session, recipe, at[opens]);
  plot::Chart chart{.title = join(name, " from g0 = ", at[opens], ", and standard attention, on the same batches")};
  chart.x = {.title = "step", .low = 0, .high = double(recipe.run.steps)};
  chart.y = {.title = "loss of ten batches, nats a symbol", .low = 1.5, .high = 4.5};
  chart.series = {smoothed("standard", standard.losses), smoothed(name, gated.losses)};
  lesson.picture("turned_learning", chart);
  if (standard.diverged || gated.diverged) {
    lesson.say("Diverged: ", standard.diverged ? "standard " : "", gated.diverged ? name : "", ".");
  } else {
    lesson.say("On the last tenth of the text: standard ", fixed(standard.held_out, 4), ", ", name, " ",
               fixed(gated.held_out, 4), "; the difference is ", fixed(1e3 * (gated.held_out - standard.held_out), 1),
               " thousandths of a nat. One pair tells little: part 6 runs three, and names their spread.");
    // A run of part 6: mean and deviation over 120.
    lesson.claim_trained("bma minus standard", gated.held_out - standard.held_out, within(-0.0458, 4.5 * 0.0224));
  }
  // Halving and doubling are exact.
  lesson.claim_same("a gate that starts at exactly 1 starts as standard attention", distance_at_one(session, recipe));
}

}  // namespace

Bench<Session> bench6() {
  return {"Is a gate ahead because it gates, or because it starts at ½?", {&gate, &opens, &init, &rate, &updates}, run};
}

}  // namespace lesson6
