// Exercise 4.1 (fill, 15 minutes, easy): XNOR and OR, each as one product (w1·x + w2·y + b)(v1·x + v2·y + c).
// XNOR is 1 where the two inputs are equal, OR where at least one is 1. Inputs and outputs are 0 and 1, and the product
// must be exact at all four corners; between them it may do what it likes. Any right answer will do: there are many.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/4_bilinear_gates/model/3_gates.hpp"

namespace ex4_1 {

using lesson4::Factor;

// TODO: put your weights in the place of the zeros: {of x, of y, bias}. Fractions such as 1.0 / 3 are welcome.

const Factor xnor_w{0, 0, 0};
const Factor xnor_v{0, 0, 0};

const Factor or_w{0, 0, 0};
const Factor or_v{0, 0, 0};

}  // namespace ex4_1
