// Exercise 4.3 (transfer, 20 minutes): what three bits ask of a layer of products, answered before anything is run.
// (4.11) reads κ, the coefficient of x·y·z, off a table of eight values: those at odd corners counted plus, the others minus.
// In this exercise the bits are 0 and 1 as before, but a function says 1 where it holds and -1 where it does not.
// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

namespace ex4_3 {

constexpr double not_answered = std::numeric_limits<double>::quiet_NaN();

// TODO: put your numbers in the place of not_answered.

// κ of the majority: 1 where at least two of the three bits are 1, else -1.
const double majority = not_answered;
// κ of "exactly one of the three is 1".
const double exactly_one = not_answered;
// κ of OR, "at least one is 1".
const double at_least_one = not_answered;
// κ of x AND NOT y, whatever z is.
const double without_z = not_answered;

// By how much the best quadratic misses the majority, at each corner.
const double majority_missed_by = not_answered;

// How many of the 256 such functions have κ = 6.
const double functions_with_six = not_answered;

}  // namespace ex4_3
