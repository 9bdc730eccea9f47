// Exercise 1.7 (design, 15 minutes): units that drop out. A network should not rely on single
// units. So each number after a ReLU is set to 0 with the probability 1 - keep, independently of
// all else. Which n·Var W keeps E[h²] level from layer to layer? Most programs also divide the
// numbers that stay by keep, so that their mean is as before. Which n·Var W is needed then?
// SPDX-License-Identifier: MIT
#pragma once

namespace ex1_7 {

// TODO: return both gains as formulas.

// n·Var W for h = relu(z) with the probability keep, else 0.
inline double gain([[maybe_unused]] double keep) { return 0; }

// n·Var W for h = relu(z)/keep with the probability keep, else 0.
inline double gain_divided([[maybe_unused]] double keep) { return 0; }

}  // namespace ex1_7
