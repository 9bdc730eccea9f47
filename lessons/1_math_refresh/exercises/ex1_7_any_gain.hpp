// Exercise 1.7 (open, 30 minutes): the gain of any activation. For ReLU there is one gain for signals of any size. For
// others it depends on the size: which n·Var W keeps the second moment M through one wide layer of φ? By (1.15) it is
// the gain with E[φ(z)²] = M for z from N(0, gain·M). How you find it is up to you; E[φ(z)²] grows with the gain.
// At hand: lesson1::gaussian_mean(f, v), which is E[f(z)] for z from N(0, v).
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/1_math_refresh/models.hpp"

namespace ex1_7 {

// The gain for φ and the second moment M, to six digits, where there is one: tanh keeps no M above 1, sigmoid none below
// 1/4. It lies between 1e-3 and 1e3.
inline double gain([[maybe_unused]] double (*phi)(double), [[maybe_unused]] double M) {
  // TODO: find the gain.
  return 0;
}

}  // namespace ex1_7
