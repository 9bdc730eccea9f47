// Exercise 4.1, solution: XNOR and OR, each as one product (w1·x + w2·y + b)(v1·x + v2·y + c).
// Both gates can do with s = x + y, which is 0, 1 or 2. XNOR wants 1, 0, 1 there: zero at s = 1 and the same on both
// sides, so a double zero, (1 - s)². OR wants 0, 1, 1: zero at s = 0, and the same value at 1 and at 2, so a parabola
// with its top between them and its other zero at 3, s·(3 - s)/2.
// Others are right too: XNOR = (1 + x - y)(1 - x + y), and one factor may be doubled if the other is halved.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/4_bilinear_gates/model/3_gates.hpp"

namespace ex4_1 {

using lesson4::Factor;

const Factor xnor_w{-1, -1, 1};
const Factor xnor_v{-1, -1, 1};

const Factor or_w{1, 1, 0};
const Factor or_v{-0.5, -0.5, 1.5};

}  // namespace ex4_1
