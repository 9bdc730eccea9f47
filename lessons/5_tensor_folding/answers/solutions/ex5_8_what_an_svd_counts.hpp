// Exercise 5.8, solution: what the singular values of a tensor count.
// The rank of the output mode is the number of slices that are no sums of others. In S there are two, x0·x1 and x0² +
// x1²; in T x0·x1 and x1·x0 are two places, so there are three. The rank of the input mode is the number of directions
// that the slices use: x0 and x1, and with y4 also x2.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

namespace ex5_8 {

const double output_mode_of_S = 2;
const double output_mode_of_T = 3;
const double input_mode_of_S = 2;
const double output_mode_with_y4 = 3;
const double input_mode_with_y4 = 3;
// The slice of x0·x1 has the length √(¼ + ¼); the outputs' weights (1, 3) have √10.
const double singular_value = std::sqrt(5.0);

}  // namespace ex5_8
