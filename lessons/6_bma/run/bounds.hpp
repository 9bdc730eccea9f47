// Lesson 6: bounds for what is random, made from the mean and the deviation that were measured over seeds.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "common/support/lesson.hpp"
#include "common/support/spread.hpp"

namespace lesson6 {

// How many of its own deviations a figure may lie from its mean. Normal numbers do so once in 150,000 cases.
inline constexpr double spreads = 4.5;

// Returns the bound for the mean over so many seeds, where mean and deviation are known from twenty seeds or more.
Bound near_mean(double mean, double deviation, std::size_t seeds);

// Returns whether the mean of these differences is beyond luck: it would be chance no more than one time in twenty.
bool beyond_luck(const Spread& differences);

}  // namespace lesson6
