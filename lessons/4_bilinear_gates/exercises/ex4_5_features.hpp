// Exercise 4.5 (transfer, 25 minutes): features through a few numbers, answered before anything is run.
// Features, of which at most one is on: the inputs X are a row with a single 1 for each, and the row of zeros. E squeezes
// each into m numbers, X·E (no bias), a product layer with as many units as it likes reads these, and a linear read-out
// must give X back. "With biases": b and c in the layer, and one in the read-out. "Without biases": none of the three.
// All answers are whole numbers.
// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

namespace ex4_5 {

constexpr double not_answered = std::numeric_limits<double>::quiet_NaN();

// TODO: put your numbers in the place of not_answered.

// The most features that come back exactly from m = 4 numbers, with biases ...
const double most_with_biases = not_answered;
// ... without biases ...
const double most_without_biases = not_answered;
// ... and with biases, when the row of zeros is not among the inputs.
const double most_with_biases_no_zeros = not_answered;

// The smallest m from which seven features and the row of zeros come back exactly, with biases ...
const double smallest_m_with_biases = not_answered;
// ... without biases ...
const double smallest_m_without_biases = not_answered;
// ... and through a linear bottleneck, X·E·U, without any products.
const double smallest_m_linear = not_answered;

}  // namespace ex4_5
