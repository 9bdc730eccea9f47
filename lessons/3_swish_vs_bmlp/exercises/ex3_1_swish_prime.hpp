// Exercise 3.1 (fill, 15 minutes, easy): the slope of swish(z) = z·σ(z), and the place where swish is smallest.
// At hand: elementary::sigmoid(z), and σ' = σ·(1 - σ). The lowest place is where the slope is 0. No formula gives it,
// but the equation can be brought to the form z = (something in z); put a guess into the right side, and what comes out
// again.
// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

#include "common/support/elementary.hpp"

namespace ex3_1 {

constexpr double not_answered = std::numeric_limits<double>::quiet_NaN();

// TODO: write the slope, and put your numbers in the place of not_answered.

// swish'(z)
inline double swish_prime([[maybe_unused]] double z) { return 0; }

// The z where swish is smallest, and swish there: three decimals each, so an answer may be off by 0.0005.
const double lowest_z = not_answered;
const double lowest_swish = not_answered;

}  // namespace ex3_1
