// Exercise 2.2, solution: the counts of "abracadabra".
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

namespace ex2_2 {

// Of 11 symbols 5 are a.
const double a_alone = (5 + 1.0 / 5) / (11 + 1);
// Behind an a stand b, c, d and b; the last a has nothing behind it. p_1(b) is (2 + 1/5)/12.
const double b_after_a = (2 + (2 + 1.0 / 5) / 12) / (4 + 1);
// The count is 0, and a fifth of p_1(a) is left.
const double loss_of_aa = -std::log(a_alone / 5);

}  // namespace ex2_2
