// Exercise 5.5, solution: read from a tensor what a net multiplies.
// In S[0] only one pair of entries is more than rounding. Both belong to x1·x4, and add.
// In S[1] the diagonal is zero, so no input is in both sums. x0 meets x1 and x2 but not x3, and x1 meets x0 and x3 but
// not x2: {x0, x3} is one sum, {x1, x2} the other. The rows of x0 and x3 are equal, so both have the same sign; that of
// x2 is the opposite of that of x1. 2·0.5 = 1 stands before x0·x1.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>

namespace ex5_5 {

const double one_input = 1;
const double other_input = 4;
const double coefficient = -3;

// (x0 + x3)(x1 - x2).
const std::array<double, 5> one_sum{1, 0, 0, 1, 0};
const std::array<double, 5> other_sum{0, 1, -1, 0, 0};

}  // namespace ex5_5
