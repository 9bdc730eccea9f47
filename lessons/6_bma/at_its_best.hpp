// Lesson 6: the variants of attention, each at its own best rate.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "common/verdict.hpp"
#include "lessons/6_bma/lesson.hpp"

namespace lesson6 {

// A variant's best rate on the validation twentieth, and its losses on the last twentieth of the
// text, there and at both neighbours.
struct AtItsBest {
  RateSweep sweep;
  std::map<double, std::vector<double>> losses = {};

  double operator()(double rate, std::size_t k) const { return losses.at(rate).at(k); }
};

// Infinite when training diverges.
inline double loss_at(const Session& session, Recipe recipe, Symbols part, double rate,
                      std::size_t k) {
  recipe.run.rate = rate;
  recipe.run.seed = seed_of_run(recipe.run.seed, k);
  Pool alone(1);
  try {
    return session.loss_on(part, session.train(session.fresh(recipe), alone).run.model, alone);
  } catch (const Diverged&) {
    return HUGE_VAL;
  }
}

// Seeks the best rate on the validation twentieth, by the mean of three runs at each.
inline RateSweep sweep_of(const Session& session, const Recipe& recipe) {
  return sweep_rates(recipe.run.rate, 2, [&](double rate) {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k)
      sum += loss_at(session, recipe, session.corpus.part.validation, rate, k);
    return sum / 3;
  });
}

inline AtItsBest at_its_best(const Session& session, const Recipe& recipe) {
  AtItsBest best{sweep_of(session, recipe)};
  for (std::size_t at = best.sweep.best - 1; at <= best.sweep.best + 1; ++at) {
    const double rate = best.sweep.rates[at];
    for (std::size_t k = 0; k < session.seeds(); ++k)
      best.losses[rate].push_back(loss_at(session, recipe, session.corpus.part.test, rate, k));
  }
  return best;
}

using AllAtTheirBest = std::array<AtItsBest, all_gates.size()>;

inline Verdict verdict_on(const AllAtTheirBest& best, Gate one, Gate other, std::size_t pairs) {
  const AtItsBest &a = best[std::size_t(one)], &b = best[std::size_t(other)];
  return compare_at_best(a.sweep, a, b.sweep, b, pairs);
}

}  // namespace lesson6
