// Exercise 4.1, solution: NAND and x OR NOT y for inputs -1 and 1.
// NAND sees only x + y, which is -2, 0 or 2 at the corners, and wants 1, 1, 0 there. A parabola with a zero at 2 that has
// the same value at -2 and 0 is symmetric about -1, so its other zero is at -4: (2 - s)(s + 4)/8. x OR NOT y sees only x - y
// and wants 0, 1, 1: zeros at -2 and 4, (s + 2)(4 - s)/8. The table of part 4 with (4.6) gives the same products.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/4_bilinear_gates/forms.hpp"

namespace ex4_1 {

using lesson4::Factor;

const Factor nand_w{-1.0 / 8, -1.0 / 8, 2.0 / 8};
const Factor nand_v{1, 1, 4};

const Factor or_not_w{1.0 / 8, -1.0 / 8, 2.0 / 8};
const Factor or_not_v{-1, 1, 4};

}  // namespace ex4_1
