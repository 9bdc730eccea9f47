// Exercise 1.5 (design, 15 minutes): the variance law for leaky ReLU.
// φ(z) = z for z > 0, and a·z otherwise; the weights are symmetric around 0. Which n·Var W, called
// the gain, keeps E[h²] level from layer to layer? For a = 0 you have ReLU, and the answer is 2:
// half of E[z²] gets through, and Var W must make up for it. Split E[φ(z)²] at z = 0 in that way.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

namespace ex1_5 {

// n·Var W for leaky ReLU with slope a below zero.
inline double gain([[maybe_unused]] double a) {
  // TODO: return the gain as a formula in a.
  return 0;
}

}  // namespace ex1_5
