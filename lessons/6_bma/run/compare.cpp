// Lesson 6: the five variants trained side by side.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/run/compare.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "lessons/6_bma/run/session.hpp"

namespace lesson6 {

const std::vector<double>& Compared::of(Gate gate) const {
  return losses.at(std::size_t(std::find(gates.begin(), gates.end(), gate) - gates.begin()));
}

std::vector<double> Compared::differences(Gate one, Gate other) const {
  std::vector<double> found = of(one);
  for (std::size_t k = 0; k < found.size(); ++k) found[k] -= of(other)[k];
  return found;
}

// Trains one run and looks at its attention twelve times on the way, ever less often.
static Outcome train_watched(const Session& session, const Recipe& recipe, Pool& threads) {
  const long steps = recipe.run.steps;
  const Symbols window = Symbols(session.corpus.text).subspan(session.corpus.train_end(), recipe.form.context);
  std::vector<AttentionAfter> seen;
  const auto look = [&](long step, const LanguageModel<float>& model) {
    LanguageModel<float>::Trace t;
    model.forward({window, window.size()}, t);
    seen.push_back({step, t.transformer.blocks[0].attention.A});
  };
  Run run = session.fresh(recipe);
  look(0, run.model);
  Outcome o = session.train(std::move(run), threads, steps, [&](long step, double, const auto& trainer) {
    bool due = false;
    for (long k = 1; k <= 12; ++k) due = due || step == k * k * steps / 144;
    if (due) look(step, trainer.model());
  });
  o.attention = std::move(seen);
  return o;
}

Compared compare(Session& session, const Recipe& recipe, std::size_t seeds, const std::string& what) {
  const std::vector<Gate> gates(all_gates.begin(), all_gates.end());
  Compared c{gates, {}, std::vector<std::vector<double>>(gates.size(), std::vector<double>(seeds))};
  std::vector<std::optional<Outcome>> found(gates.size() * seeds);
  run_with_progress(session.pool, what, found.size(), [&](std::size_t job) {
    const std::size_t g = job % gates.size(), k = job / gates.size();
    Pool alone(1);
    Recipe own = recipe;
    own.form.transformer.gate = gates[g];
    own.run.seed = seed_of_run(recipe.run.seed, k);
    const bool watched = gates[g] == Gate::bma && k == 0;
    found[job] = watched ? train_watched(session, own, alone) : session.train(own, alone);
    c.losses[g][k] = session.held_out(found[job]->run.model, alone);
  });
  for (std::size_t g = 0; g < gates.size(); ++g) {
    c.outcomes.emplace_back();
    for (std::size_t k = 0; k < seeds; ++k) c.outcomes[g].push_back(std::move(*found[k * gates.size() + g]));
  }
  return c;
}

std::size_t spikes(const std::vector<double>& losses) {
  std::size_t found = 0;
  for (std::size_t k = 10; k < losses.size(); ++k) {
    double mean = 0;
    for (std::size_t j = k - 10; j < k; ++j) mean += losses[j] / 10;
    found += losses[k] > mean + 0.5;
  }
  return found;
}

}  // namespace lesson6
