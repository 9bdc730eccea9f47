// Exercise 4.4, solution: how many product units a quadratic function of x and y needs.
// Write the function with squares of independent combinations of x, y and 1: p of them positive, q negative. A product
// is u·v = ((u + v)/2)² - ((u - v)/2)², at most one of each. So it takes p units at least, and q at least. And
// max(p, q) are enough, since a positive and a negative square make one product.
// SPDX-License-Identifier: MIT
#pragma once

namespace ex4_4 {

// x² + y² - 1², p = 2, q = 1: (x + 1)(x - 1) + y·y.
const double circle = 2;
// (x + 1)² + y² + 2, p = 3, q = 0: no two of the squares can share a unit.
const double bowl = 3;
// The bias takes the 2, and (x + 1)² + y² is left: p = 2. No bias takes x² or y².
const double bowl_with_readout_bias = 2;
// p = q = 1: (x + y)(x - y).
const double saddle = 1;
// x·y is ((x + y)/2)² - ((x - y)/2)², and 1 is one more positive square: p = 2, q = 1. (x + b)(y + c) with b·c = 1
// would bring c·x and b·y along. With a read-out bias one unit is enough.
const double product_and_one = 2;
// (x + y + 1)²: p = 1, however many terms it has when it is multiplied out.
const double six_terms = 1;

}  // namespace ex4_4
