// Mean and spread of a figure over seeds, as the tables of the lessons print it.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <vector>

// Mean and sample standard deviation (0 for a single number).
struct Spread {
  double mean = 0, deviation = 0;
  std::size_t count = 0;

  // Returns "0.6230 ± 0.0021".
  std::string text(int decimals = 4) const;

  // Estimates the standard error of the mean.
  double standard_error() const;

  // Returns how far from 0 the mean lies at most, in nineteen cases of twenty, when the truth is 0: Student's factor
  // for so many numbers times the standard error. Infinite for a single number, of which nobody knows the spread.
  double luck() const;
};

Spread spread_of(const std::vector<double>& numbers);
