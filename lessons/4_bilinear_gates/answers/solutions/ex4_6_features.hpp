// Exercise 4.6, solution: features through a few numbers.
// Whatever the units are, their sums are combinations of a few fixed functions of the m numbers: the m(m+1)/2 products
// of two, and with biases the m numbers themselves and the constant. Feature i must be 1 in one row and 0 in the
// others: as many independent outputs, which take as many independent functions. As many are enough, for almost any E. With biases
// the row of zeros uses up one: only the constant is not 0 there, and there it must not show.
// SPDX-License-Identifier: MIT
#pragma once

namespace ex4_6 {

// 4·5/2 products of two, and the four numbers.
const double most_with_biases = 14;
// The products of two alone: 4 squares and 6 pairs.
const double most_without_biases = 10;
// And the constant, which is free to help where no row of zeros forbids it.
const double most_with_biases_no_zeros = 15;

// m(m+3)/2 is 5 for m = 2, and 9 for m = 3.
const double smallest_m_with_biases = 3;
// m(m+1)/2 is 6 for m = 3, and 10 for m = 4.
const double smallest_m_without_biases = 4;
// Only the m numbers themselves: one for each feature.
const double smallest_m_linear = 7;

// Eight targets, the columns of the identity, and six functions. The best read-out projects on them and leaves of each column
// its part in the two directions that they miss: squares that add up to 2 in all, whatever the two directions are. The row of
// zeros is right by itself. So the mean over 9·8 entries is 2/72, for every E whose six functions are independent.
const double lowest_loss = 2.0 / 72;

}  // namespace ex4_6
