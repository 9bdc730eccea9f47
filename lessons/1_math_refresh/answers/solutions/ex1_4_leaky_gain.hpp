// Exercise 1.4, solution: the variance law for leaky ReLU.
// The weights are symmetric around 0, so z is: as often positive as negative, and z² does not know which. The positive
// half hands on z², the other a²·z²: E[φ(z)²] = E[z²]/2 + a²·E[z²]/2 = (1 + a²)/2·E[z²]. With E[z²] = n·Var W·E[h²], a
// layer multiplies E[h²] by n·Var W·(1 + a²)/2, which is 1 for n·Var W = 2/(1 + a²). a = 0 is ReLU and gives 2; a = 1
// is the linear layer and gives 1.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

namespace ex1_4 {

// n·Var W for leaky ReLU with slope a below zero.
inline double gain(double a) { return 2 / (1 + a * a); }

}  // namespace ex1_4
