// Exercise 5.2 (warm-up, 20 minutes): the eigenvalues of small slices, without a program.
// The slice of a quadratic function is its symmetric matrix S over the inputs (x, y): f = (x, y)·S·(x, y)ᵀ. It has two
// eigenvalues, with f = λ·(v·(x, y))² + μ·(w·(x, y))² for vectors v and w of length 1 at right angles. "Largest" and
// "smallest" are meant with their signs: -1 is smaller than 0. The effective rank is (Σ|λ|)²/Σλ²; it counts when it is
// right to a thousandth. Fractions may be written as 1.0 / 3 (1 / 3 is 0 in C++).
// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

namespace ex5_2 {

constexpr double not_answered = std::numeric_limits<double>::quiet_NaN();

// TODO: put your numbers in the place of not_answered.

// 4·x·y.
const double product_largest = not_answered;
const double product_smallest = not_answered;
// x² - y², which is (x + y)(x - y).
const double saddle_largest = not_answered;
const double saddle_smallest = not_answered;
// (x + y)².
const double square_of_sum_largest = not_answered;
const double square_of_sum_smallest = not_answered;

// 4·x·y + 1, as a form over (x, y, 1): S is 3 x 3, and there are three eigenvalues ...
const double product_and_one_largest = not_answered;
const double product_and_one_middle = not_answered;
const double product_and_one_smallest = not_answered;
// ... and an effective rank.
const double product_and_one_effective_rank = not_answered;

}  // namespace ex5_2
