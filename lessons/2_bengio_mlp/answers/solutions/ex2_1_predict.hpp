// Exercise 2.1, solution: what a loss means, and what a model costs.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

namespace ex2_1 {

// Every symbol has the probability 1/27, and -ln(1/27) = ln 27.
const double loss_at_chance = std::log(27.0);
// -ln(1/4). A die with four sides is as hard to predict, which is why its perplexity is 4.
const double loss_of_a_quarter = std::log(4.0);
// Perplexity is e^loss, because the loss is in nats; 2^loss would be right for bits.
const double perplexity = std::exp(1.5);
// C has a row for padding too: 28·10. W1: 3·10·200, b1: 200, W2: 200·27, b2: 27. In all 11,907.
const double parameters = 28 * 10 + 3 * 10 * 200 + 200 + 200 * 27 + 27;
// A row of C, a column of W2 and a number of b2: d + h + 1.
const double one_more_letter = 10 + 200 + 1;

}  // namespace ex2_1
