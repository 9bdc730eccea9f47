// Exercise 3.1 (warm-up, 15 minutes): the slope of z·tanh z, and the place z > 0 where it is steepest.
// At hand: elementary::tanh(z), whose slope is 1 - tanh². The steepest place is where the slope's own slope is 0. No
// formula gives it, but the equation can be brought to the form z = (something in z); put a guess into the right side,
// and what comes out again.
// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

#include "common/support/elementary.hpp"

namespace ex3_1 {

constexpr double not_answered = std::numeric_limits<double>::quiet_NaN();

// TODO: write the slope, and put your numbers in the place of not_answered.

// The slope of z·tanh z.
inline double slope([[maybe_unused]] double z) { return 0; }

// The z > 0 where the slope is largest, and the slope there: four decimals each, so an answer may be off by 0.00005.
const double steepest_z = not_answered;
const double steepest_slope = not_answered;

}  // namespace ex3_1
