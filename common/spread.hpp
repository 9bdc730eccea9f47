// Mean, spread, medians and geometric mean of a figure over seeds.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "common/frame/text/words.hpp"

// Mean and sample standard deviation, which is 0 for a single number.
struct Spread {
  double mean = 0, deviation = 0;
  std::size_t count = 0;

  // Returns "0.6230 ± 0.0021".
  std::string text(int decimals = 4) const {
    return fixed(mean, decimals) + " ± " + fixed(deviation, decimals);
  }

  // Returns "0.623 (0.001)", the mean with its standard error; of a single number that number.
  std::string with_error(int decimals) const {
    const std::string error = " (" + fixed(standard_error(), decimals) + ")";
    return fixed(mean, decimals) + (count > 1 ? error : "");
  }

  double standard_error() const { return count > 0 ? deviation / std::sqrt(double(count)) : 0; }

  // Returns how far from 0 the mean lies at most, in nineteen cases of twenty, when the truth is 0:
  // Student's factor times the standard error. Infinite for a single number.
  double half_width_95() const {
    constexpr double factors[] = {12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                                  2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
                                  2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
                                  2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
    if (count < 2) return HUGE_VAL;
    return factors[std::min(count - 2, std::size(factors) - 1)] * standard_error();
  }
};

inline Spread spread_of(const std::vector<double>& numbers) {
  Spread s;
  s.count = numbers.size();
  for (const double x : numbers) s.mean += x / double(s.count);
  for (const double x : numbers) s.deviation += (x - s.mean) * (x - s.mean);
  s.deviation = s.count > 1 ? std::sqrt(s.deviation / double(s.count - 1)) : 0;
  return s;
}

// Of an even count, the mean of the two in the middle.
inline double median_of(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  const std::size_t n = numbers.size();
  return (numbers[(n - 1) / 2] + numbers[n / 2]) / 2;
}

// Returns one of the numbers: of an even count, the larger of the two in the middle.
inline double upper_median_of(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[numbers.size() / 2];
}

inline double geometric_mean(const std::vector<double>& numbers) {
  double logarithms = 0;
  for (const double number : numbers) logarithms += std::log(number);
  return std::exp(logarithms / double(numbers.size()));
}

// Returns the spread of a training's last tenth, at least of its last loss.
inline Spread spread_of_last_tenth(const std::vector<double>& losses) {
  const auto tenth = std::ptrdiff_t(std::max<std::size_t>(losses.size() / 10, 1));
  return spread_of({losses.end() - tenth, losses.end()});
}

// Returns the first step at which the loss is below the limit, else the number of steps.
inline double first_below(double limit, const std::vector<double>& losses) {
  const auto below = [&](double loss) { return loss < limit; };
  return double(std::find_if(losses.begin(), losses.end(), below) - losses.begin());
}
