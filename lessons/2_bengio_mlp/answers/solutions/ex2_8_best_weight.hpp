// Exercise 2.8, solution: the loss bends upwards everywhere as a function of w, so its slope has one zero.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

namespace ex2_8 {

// Where the loss still falls at the middle, the best w lies to the right of it.
inline double best_weight(const std::vector<double>& network, const std::vector<double>& table) {
  double low = 0, high = 1;
  while (high - low > 1e-6) {
    const double w = (low + high) / 2;
    double rise = 0;  // the sum of the losses rises with w by this
    for (std::size_t i = 0; i < network.size(); ++i)
      rise -= (network[i] - table[i]) / (w * network[i] + (1 - w) * table[i]);
    (rise < 0 ? low : high) = w;
  }
  return (low + high) / 2;
}

}  // namespace ex2_8
