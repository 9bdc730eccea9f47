// A verdict about training. A comparison at one learning rate is a statement about the rate, so
// each contender first finds its own best rate, on other rows than those of the verdict; then come
// pairs of runs, there and at the neighbouring rates.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "common/spread.hpp"

// Rates, ascending, and the final validation loss at each: infinite where training diverged.
struct RateSweep {
  std::vector<double> rates, losses;
  std::size_t best = 0;

  // Returns the best rate for a table, with a question mark when the search found none.
  std::string text() const {
    return significant(rates[best], 2) + (std::isfinite(losses[best]) ? "" : "?");
  }
};

// Trains at `start` and a factor below and above it, and goes on beyond an end while the best lies
// there, so that it has a neighbour on both sides. loss(rate) trains and returns the validation
// loss. When twelve rates do not suffice, as after a step or two, `start` stays, with an infinite
// loss: then the rate is not what decides.
template <class Loss>
RateSweep sweep_rates(double start, double factor, const Loss& loss) {
  const std::vector<double> first{start / factor, start, start * factor};
  RateSweep s{.rates = first, .losses = {}};
  for (const double rate : first) s.losses.push_back(loss(rate));
  while (true) {
    s.best = std::size_t(std::min_element(s.losses.begin(), s.losses.end()) - s.losses.begin());
    const bool lowest = s.best == 0;
    const bool highest = s.best + 1 == s.rates.size();
    if (!lowest && !highest) return s;
    if (s.rates.size() == 12) break;
    if (lowest) {
      s.rates.insert(s.rates.begin(), s.rates.front() / factor);
      s.losses.insert(s.losses.begin(), loss(s.rates.front()));
    } else {
      s.rates.push_back(s.rates.back() * factor);
      s.losses.push_back(loss(s.rates.back()));
    }
  }
  return {.rates = first, .losses = std::vector<double>(3, HUGE_VAL), .best = 1};
}

// What pairs of runs differ by, one - other: at the rate below their best, at their best, above it.
struct Verdict {
  std::array<Spread, 3> difference;

  // Tells whether the mean at the best rates is farther from 0 than chance takes it, with the same
  // sign at the neighbours.
  bool holds() const {
    const auto& [below, best, above] = difference;
    return std::abs(best.mean) > best.half_width_95() && below.mean * best.mean > 0 &&
           above.mean * best.mean > 0;
  }
};

inline Verdict verdict_of(const std::array<std::vector<double>, 3>& differences) {
  const auto& [below, best, above] = differences;
  return {{spread_of(below), spread_of(best), spread_of(above)}};
}

// Compares pairs of runs: figure_of_one(rate, pair) and figure_of_other(rate, pair) train with that
// pair's seed and return what the verdict is about, on test rows that chose nothing.
template <class One, class Other>
Verdict compare_at_best(const RateSweep& one, const One& figure_of_one, const RateSweep& other,
                        const Other& figure_of_other, std::size_t pairs) {
  std::array<std::vector<double>, 3> differences;
  for (std::size_t at = 0; at < 3; ++at) {
    const double rate = one.rates[one.best + at - 1];
    const double other_rate = other.rates[other.best + at - 1];
    for (std::size_t pair = 0; pair < pairs; ++pair)
      differences[at].push_back(figure_of_one(rate, pair) - figure_of_other(other_rate, pair));
  }
  return verdict_of(differences);
}
