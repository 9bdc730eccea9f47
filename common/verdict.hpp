// A verdict about training. A comparison at one learning rate is a statement about the rate: each
// contender first finds its own best rate, on rows that are not those of the verdict; then come
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

// Rates, ascending, and the validation loss that training ended with at each: infinite where it
// diverged.
struct RateSweep {
  std::vector<double> rates, losses;
  std::size_t best = 0;

  // For a table; a question mark says that none was the best of those tried, and that the search
  // began here.
  std::string text() const {
    return significant(rates[best], 2) + (std::isfinite(losses[best]) ? "" : "?");
  }
};

// Trains at `start` and a factor below and above it, and goes on beyond an end while the best lies
// there, so that it has a neighbour on both sides. loss(rate) trains and returns the loss on
// validation rows. Where the best is still at an end after twelve rates, as after a step or two,
// `start` stays, and its loss is infinite: then the rate is not what decides.
template <class Loss>
RateSweep sweep_rates(double start, double factor, const Loss& loss) {
  RateSweep s{{start / factor, start, start * factor}, {}, 0};
  for (const double rate : s.rates) s.losses.push_back(loss(rate));
  while (true) {
    s.best = std::size_t(std::min_element(s.losses.begin(), s.losses.end()) - s.losses.begin());
    const bool low = s.best == 0;
    if (!low && s.best + 1 < s.rates.size()) return s;
    if (s.rates.size() == 12)
      return {{start / factor, start, start * factor}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}, 1};
    const double next = low ? s.rates[0] / factor : s.rates.back() * factor;
    s.rates.insert(low ? s.rates.begin() : s.rates.end(), next);
    s.losses.insert(low ? s.losses.begin() : s.losses.end(), loss(next));
  }
}

// What pairs of runs differ by, one - other, both at the rate below their best, at their best, and
// at the rate above it.
struct Verdict {
  std::array<Spread, 3> difference;

  // Whether the mean at the best rates is farther from 0 than luck takes it, and has its sign at
  // the neighbours as well.
  bool holds() const {
    const auto& [below, best, above] = difference;
    return std::abs(best.mean) > best.half_width_95() && below.mean * best.mean > 0 &&
           above.mean * best.mean > 0;
  }
};

// figure_of_one(rate, pair) and figure_of_other(rate, pair) train with the seed of that pair and
// return what the verdict is about, on test rows that chose nothing.
template <class One, class Other>
Verdict compare_at_best(const RateSweep& one, const One& figure_of_one, const RateSweep& other,
                        const Other& figure_of_other, std::size_t pairs) {
  Verdict verdict;
  for (std::size_t at = 0; at < 3; ++at) {
    const double rate = one.rates[one.best + at - 1], other_rate = other.rates[other.best + at - 1];
    std::vector<double> differences;
    for (std::size_t k = 0; k < pairs; ++k)
      differences.push_back(figure_of_one(rate, k) - figure_of_other(other_rate, k));
    verdict.difference[at] = spread_of(differences);
  }
  return verdict;
}
