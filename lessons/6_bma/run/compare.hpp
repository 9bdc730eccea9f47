// Lesson 6: the five variants trained side by side, seed by seed, and what can be said of their losses.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "memory.hpp"
#include "session.hpp"

// Runs with the same seeds: the k-th of each variant shares its start and its windows with the k-th of the others.
struct Compared {
  std::vector<Gate> gates;
  std::vector<std::vector<Outcome>> outcomes;  // by gate, then by seed
  std::vector<std::vector<double>> losses;     // on the last tenth; the like

  const std::vector<double>& of(Gate gate) const {
    return losses.at(std::size_t(std::find(gates.begin(), gates.end(), gate) - gates.begin()));
  }

  // Seed by seed, the loss of one minus that of the other.
  std::vector<double> differences(Gate one, Gate other) const {
    std::vector<double> found = of(one);
    for (std::size_t k = 0; k < found.size(); ++k) found[k] -= of(other)[k];
    return found;
  }
};

// So many runs of each, all as `recipe` says but for the gate and the seed.
inline Compared compare(Session& session, const std::vector<Gate>& gates, const Recipe& recipe, std::size_t seeds,
                        const std::string& what) {
  Compared c{gates, {}, std::vector<std::vector<double>>(gates.size(), std::vector<double>(seeds))};
  std::vector<std::optional<Outcome>> found(gates.size() * seeds);
  session.each(what, found.size(), [&](std::size_t job) {
    const std::size_t g = job % gates.size(), k = job / gates.size();
    Pool alone(1);
    Recipe own = recipe;
    own.form.transformer.gate = gates[g];
    own.run.seed = seed_of_run(recipe.run.seed, k);
    found[job] = session.train(own, alone);
    c.losses[g][k] = session.held_out(found[job]->run.model, alone);
  });
  for (std::size_t g = 0; g < gates.size(); ++g) {
    c.outcomes.emplace_back();
    for (std::size_t k = 0; k < seeds; ++k) c.outcomes[g].push_back(std::move(*found[k * gates.size() + g]));
  }
  return c;
}

// The comparison of part 6, made once, by whichever part needs it first.
class Comparison {
 public:
  explicit Comparison(Session& session) : session_(session) {}

  const Compared& get() {
    const Recipe recipe = session_.recipe(Gate::standard, session_.options.seed);
    if (!made_) made_ = compare(session_, {all_gates.begin(), all_gates.end()}, recipe, session_.seeds(), "training");
    return *made_;
  }

  // The run that parts 8 and 10 look at: the one of --load or --attention, or the first of bma.
  const Run& shown() {
    if (session_.has_model() || session_.gate() != Gate::bma) return session_.model();
    return get().outcomes[std::size_t(Gate::bma)][0].run;
  }

 private:
  Session& session_;
  std::optional<Compared> made_;
};

// The losses of the last tenth of the steps: their variance is a measure of how quietly a run ends.
inline double last_variance(const std::vector<double>& losses) {
  const std::size_t count = std::max<std::size_t>(2, losses.size() / 10);
  const Spread s = spread_of({losses.end() - std::ptrdiff_t(std::min(count, losses.size())), losses.end()});
  return s.deviation * s.deviation;
}

// Steps whose loss is more than half a nat above the mean of the ten before.
inline std::size_t spikes(const std::vector<double>& losses) {
  std::size_t found = 0;
  for (std::size_t k = 10; k < losses.size(); ++k) {
    double mean = 0;
    for (std::size_t j = k - 10; j < k; ++j) mean += losses[j] / 10;
    found += losses[k] > mean + 0.5;
  }
  return found;
}

// Could the mean of these differences be chance, one time in twenty? No: it is beyond luck.
inline bool beyond_luck(const Spread& differences) { return std::abs(differences.mean) > differences.luck(); }
