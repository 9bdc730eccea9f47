// Exercise 4.7, solution: what three bits ask of a layer of products.
// The odd corners are 100, 010, 001 and 111, the even ones 000, 110, 101 and 011. A function of -1 and 1 is twice
// the one of 0 and 1, less 1 everywhere; that 1 counts plus four times and minus four times. So κ is twice the number of odd
// corners at which it is 1, less twice the number of even ones. The majority is 1 at 111 and at three even corners: 2·(1 - 3).
// "Exactly one" is 1 at three odd corners. OR is 1 at all four odd corners and three even ones. Where z does not matter the
// corners come in pairs of one odd and one even, which cancel. The best quadratic misses each corner by |κ|/8. κ = 6 takes
// three odd corners and no even one, 4 ways, or all four odd ones and one even one, 4 ways again.
// SPDX-License-Identifier: MIT
#pragma once
namespace ex4_7 {

// κ of the majority: 1 where at least two of the three bits are 1, else -1.
const double majority = -4;
// κ of "exactly one of the three is 1".
const double exactly_one = 6;
// κ of OR, "at least one is 1".
const double at_least_one = 2;
// κ of x AND NOT y, whatever z is.
const double without_z = 0;

// By how much the best quadratic misses the majority, at each corner.
const double majority_missed_by = 4.0 / 8;

// How many of the 256 such functions have κ = 6.
const double functions_with_six = 8;

}  // namespace ex4_7
