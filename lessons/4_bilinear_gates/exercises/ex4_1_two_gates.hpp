// Exercise 4.1 (warm-up, 20 minutes): NAND and x OR NOT y for inputs -1 and 1, each as one product
// (w[1]·x + w[2]·y + b)(v[1]·x + v[2]·y + c). An input of 1 means true and -1 false; outputs are 1 and 0. The product must be exact
// at all four corners, (-1,-1), (1,-1), (-1,1) and (1,1); between them it may do what it likes. Any right answer will do:
// there are many.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/4_bilinear_gates/forms.hpp"

namespace ex4_1 {

using lesson4::Factor;

// TODO: put your weights in the place of the zeros: {of x, of y, bias}. Fractions: 1.0 / 3, since 1 / 3 is 0.

const Factor nand_w{0, 0, 0};
const Factor nand_v{0, 0, 0};

const Factor or_not_w{0, 0, 0};  // x OR NOT y: 0 only where x is false and y true
const Factor or_not_v{0, 0, 0};

}  // namespace ex4_1
