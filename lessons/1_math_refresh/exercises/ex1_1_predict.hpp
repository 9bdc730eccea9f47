// Exercise 1.1 (predict, 15 minutes): six numbers that paper is enough for.
// An answer counts when it is right to 1 %. Expressions are welcome:
// std::pow(0.5, 3) or 1.0 / 3, but mind that 1 / 3 is 0.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <limits>

namespace ex1_1 {

constexpr double not_answered = std::numeric_limits<double>::quiet_NaN();

// TODO: put your numbers in the place of not_answered.

// E[h²] after 20 wide ReLU layers with Var W = 1/n. Before them it is 1.
const double relu_moment = not_answered;
// The slope of tanh at the place where its value is 0.8.
const double tanh_slope = not_answered;
// The central difference with δ = 1 of 3x² - 2x + 7 at x = 2 ...
const double difference_of_square = not_answered;
// ... and with δ = 1/2 of x³ at x = 1.
const double difference_of_cube = not_answered;
// Five nodes: a = 3 and b = -2 are given, p = a·b, q = a + p, r = q². da and db are the slopes of r in a and in b.
const double da = not_answered;
const double db = not_answered;

}  // namespace ex1_1
