// Runs in pairs: how contenders are made, compared and printed.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include "common/spread.hpp"
#include "lessons/6_bma/store.hpp"

namespace lesson6 {

// Chance explains such a mean at most one time in twenty.
inline bool beyond_luck(const Spread& differences) {
  return std::abs(differences.mean) > differences.half_width_95();
}

// Returns "-51.7 (4.5)*": mean (standard error) in thousandths of a nat; a star: beyond luck.
inline std::string in_thousandths(const Spread& s) {
  const std::string mean = fixed(1e3 * s.mean, 1);
  if (s.count < 2) return mean;
  return mean + " (" + fixed(1e3 * s.standard_error(), 1) + ")" + (beyond_luck(s) ? "*" : "");
}

// A variant, or standard attention with half of Wo's start or rate.
struct Contender {
  enum class Half { nothing, start, rate };
  Gate gate;
  Half half;

  constexpr Contender(Gate of, Half what = Half::nothing) : gate(of), half(what) {}
  bool operator==(const Contender&) const = default;

  // Returns the recipe by which it trains.
  Recipe in(Recipe recipe) const {
    recipe.form.transformer.gate = gate;
    if (half == Half::start) recipe.start.outputs = 0.5;
    if (half == Half::rate) recipe.run.outputs = 0.5;
    return recipe;
  }
};
inline constexpr Contender starts_at_half(Gate::standard, Contender::Half::start);
inline constexpr Contender moves_by_half(Gate::standard, Contender::Half::rate);

// The k-th runs of all contenders share start and windows.
struct Compared {
  struct Runs {
    Contender who;
    std::vector<double> losses;         // on the last tenth, by seed
    std::vector<double> training = {};  // the first run's, step by step
  };
  std::vector<Runs> runs;
  std::optional<Run> bma, half;  // their first runs

  const Runs& runs_of(Contender who) const {
    return *std::find_if(runs.begin(), runs.end(), [&](const Runs& r) { return r.who == who; });
  }
  const std::vector<double>& of(Contender who) const { return runs_of(who).losses; }

  // Loss of one minus that of the other, seed by seed.
  std::vector<double> differences(Contender one, Contender other) const {
    std::vector<double> all = of(one);
    for (std::size_t k = 0; k < all.size(); ++k) all[k] -= of(other)[k];
    return all;
  }
  Spread difference(Contender one, Contender other) const {
    return spread_of(differences(one, other));
  }
  // Counts the different losses of a contender: pairs that share a seed would count as one.
  std::size_t different(Contender who) const {
    return std::set<double>(of(who).begin(), of(who).end()).size();
  }
};

}  // namespace lesson6
