// Mean and spread of a figure over seeds, as the tables of the lessons print it.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "common/support/words.hpp"

// Mean and sample standard deviation (0 for a single number).
struct Spread {
  double mean = 0, deviation = 0;
  std::size_t count = 0;

  // "0.6230 ± 0.0021"
  std::string text(int decimals = 4) const { return fixed(mean, decimals) + " ± " + fixed(deviation, decimals); }

  // Of the mean, as an estimate.
  double standard_error() const { return count > 0 ? deviation / std::sqrt(double(count)) : 0; }
};

inline Spread spread_of(const std::vector<double>& numbers) {
  Spread s;
  s.count = numbers.size();
  for (const double x : numbers) s.mean += x / double(s.count);
  for (const double x : numbers) s.deviation += (x - s.mean) * (x - s.mean);
  s.deviation = s.count > 1 ? std::sqrt(s.deviation / double(s.count - 1)) : 0;
  return s;
}
