// Lesson 6: bounds for what is random.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/run/bounds.hpp"

#include <cmath>

namespace lesson6 {

Bound near_mean(double mean, double deviation, std::size_t seeds) {
  return within(mean, spreads * deviation * std::sqrt(1 / double(seeds) + 1 / 20.0));
}

bool beyond_luck(const Spread& differences) { return std::abs(differences.mean) > differences.luck(); }

}  // namespace lesson6
