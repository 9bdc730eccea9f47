// Lesson 6: bounds for what is random, made from the mean and the deviation that were measured over seeds.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>

#include "common/support/lesson.hpp"

// How many of its own deviations a figure may lie from its mean. Normal numbers do so once in 150,000 cases.
inline constexpr double spreads = 4.5;

// For the mean over so many seeds, where mean and deviation are known from twenty seeds or more.
inline Bound near_mean(double mean, double deviation, std::size_t seeds) {
  return within(mean, spreads * deviation * std::sqrt(1 / double(seeds) + 1 / 20.0));
}
