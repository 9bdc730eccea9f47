// Exercise 2.1 (warm-up, 15 minutes): what a loss means, and what a model costs.
// Losses are in nats. The first three answers count when they are right to 1 %, the two counts when they are exact.
// Expressions are welcome, such as std::log(2.0) or 3.0 / 7, but mind that 1 / 3 is 0.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <limits>

namespace ex2_1 {

constexpr double not_answered = std::numeric_limits<double>::quiet_NaN();

// TODO: put your numbers in the place of not_answered.

// The loss of a model that knows nothing, over an alphabet of 27 symbols.
const double loss_at_chance = not_answered;
// The loss of a model that gives the right symbol the probability 1/4, every time.
const double loss_of_a_quarter = not_answered;
// The perplexity that belongs to a loss of 1.5.
const double perplexity = not_answered;
// All parameters of this lesson's model, without direct connections: vocab 27, c = 3, dim = 10, h = 200.
const double parameters = not_answered;
// How many parameters are added when the alphabet has 28 symbols instead of 27.
const double one_more_letter = not_answered;

}  // namespace ex2_1
