// Exercise 1.5, solution: six numbers, each with the line that leads to it.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

namespace ex1_5 {

// A layer multiplies E[h²] by n·Var W/2 = 1/2, twenty of them by 2^-20: a millionth.
const double relu_moment = std::pow(0.5, 20);
// tanh' = 1 - tanh²: the value is all that is needed, not the place.
const double tanh_slope = 1 - 0.8 * 0.8;
// (f(x + h) - f(x - h))/(2h): the x² of both sides cancel whatever h is, so nothing is truncated.
const double error_on_square = 0;
// (2³ - 0³)/2 = 4, and the slope is 3: the truncation h²·f'''/6 is 1.
const double error_on_cube = 1.0 / 3;
// p = -6, q = -3, r = 9. dq = 2q = -6 and dp = dq. a is used twice and collects both: da = dq + dp·b = -6 + 12.
const double da = 6;
// b is used once: db = dp·a.
const double db = -18;

}  // namespace ex1_5
