// Exercise 4.2 (transfer, 20 minutes): how many product units a quadratic form of three or four inputs needs.
// The form must come out for all real x, y, z and s, as a sum of products such as (w[1]·x + w[2]·y + w[3]·z + b) times
// (v[1]·x + v[2]·y + v[3]·z + c). Weights of a read-out change nothing, since a factor can hold them. The bias of a
// read-out, a constant that costs no unit, is there only where the name says so.
// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

namespace ex4_2 {

constexpr double not_answered = std::numeric_limits<double>::quiet_NaN();

// TODO: put your numbers in the place of not_answered.

// x² + y² + z² - 1, which is zero on a sphere.
const double sphere = not_answered;
// x² + y² + 2·x·z + 2·z² + 2·z + 3.
const double bowl = not_answered;
// The same, by a sum of units and a read-out's bias.
const double bowl_with_readout_bias = not_answered;
// x·y + y·z + z·x.
const double triangle = not_answered;
// x·y + y·z + z·s + s·x.
const double ring = not_answered;
// x·y + z·s + 1.
const double two_products_and_one = not_answered;

}  // namespace ex4_2
