// Exercise 1.3, solution: six numbers, each with the line that leads to it.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

namespace ex1_3 {

// A layer multiplies E[h²] by n·Var W/2 = 1/2, twenty of them by 2^-20: a millionth.
const double relu_moment = std::pow(0.5, 20);
// tanh' = 1 - tanh²: the value is all that is needed, not the place.
const double tanh_slope = 1 - 0.8 * 0.8;
// (28 - 8)/2. The x² of both sides cancel whatever δ is, so nothing is truncated, and this is the slope 6x - 2.
const double difference_of_square = 10;
// (1.5³ - 0.5³)/1 = 3.375 - 0.125. The slope is 3, and the truncation δ² is 1/4.
const double difference_of_cube = 3.25;
// p = -6, q = -3, r = 9. dq = 2q = -6 and dp = dq. a is used twice and collects both: da = dq + dp·b = -6 + 12.
const double da = 6;
// b is used once: db = dp·a.
const double db = -18;

}  // namespace ex1_3
