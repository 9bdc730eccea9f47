// Exercise 4.4 (transfer, 20 minutes): how many product units a quadratic function of x and y needs.
// The function must come out for all real x and y, as a sum of products (w1·x + w2·y + b)(v1·x + v2·y + c). A read-out
// may give each unit a weight; that changes nothing, since a factor can hold it. It has a bias only where one is named.
// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

namespace ex4_4 {

constexpr double not_answered = std::numeric_limits<double>::quiet_NaN();

// TODO: put your numbers in the place of not_answered.

// x² + y² - 1, which is zero on a circle.
const double circle = not_answered;
// x² + y² + 2·x + 3.
const double bowl = not_answered;
// x² + y² + 2·x + 3 again, by a sum of units and a read-out bias.
const double bowl_with_readout_bias = not_answered;
// x² - y².
const double saddle = not_answered;
// x·y + 1.
const double product_and_one = not_answered;
// x² + 2·x·y + y² + 2·x + 2·y + 1.
const double six_terms = not_answered;

}  // namespace ex4_4
