// Exercise 5.3, solution: the eigenvalues of small slices, without a program.
// x² has one place in the slice, (0,0). 4·x·y has two, (0,1) and (1,0), and half of its coefficient in each.
// SPDX-License-Identifier: MIT
#pragma once

namespace ex5_3 {

// [1 0; 0 0] is diagonal already; y does not occur.
const double square_largest = 1;
const double square_smallest = 0;
// [0 2; 2 0] takes (1, 1) to 2·(1, 1), and (1, -1) to -2·(1, -1).
const double product_largest = 2;
const double product_smallest = -2;
// [1 0; 0 -1]. As a product of x + y and x - y: those have length √2 each, and √2·√2·½ is 1.
const double saddle_largest = 1;
const double saddle_smallest = -1;
// [1 1; 1 1] takes (1, 1) to (2, 2), and (1, -1) to 0: (x + y)² = 2·((x + y)/√2)².
const double square_of_sum_largest = 2;
const double square_of_sum_smallest = 0;

// [0 2 0; 2 0 0; 0 0 1]: those of 4·x·y, and the constant, 1·1², which shares no entry with them.
const double product_and_one_largest = 2;
const double product_and_one_middle = 1;
const double product_and_one_smallest = -2;
// (2 + 1 + 2)²/(4 + 1 + 4).
const double product_and_one_effective_rank = 25.0 / 9;

}  // namespace ex5_3
