// Exercise 5.5 (transfer, 15 minutes): what the singular values of a tensor count.
// Four outputs over three inputs, as some net has computed them:
//     y0 = x0·x1     y1 = 3·x0·x1     y2 = x0² + x1²     y3 = x0·x1 - x0² - x1²
// T holds x0·x1 of y0 and of y3 in the place (0, 1), and 3·x0·x1 of y1 in the place (1, 0). S is T made symmetric. The
// output mode has a row for each output (its slice as one row), the input mode a row for each input.
// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

namespace ex5_5 {

constexpr double not_answered = std::numeric_limits<double>::quiet_NaN();

// TODO: put your numbers in the place of not_answered.

// How many singular values are not zero?
const double output_mode_of_S = not_answered;
const double output_mode_of_T = not_answered;
const double input_mode_of_S = not_answered;
// Now y4 = x0·x2 is added as a fifth output; both counts are of S.
const double output_mode_with_y4 = not_answered;
const double input_mode_with_y4 = not_answered;
// Outputs y0 and y1 alone, of S: the one singular value in output mode that is not zero.
const double singular_value = not_answered;

}  // namespace ex5_5
