// Exercise 1.8, solution: halve the interval in which the gain lies until it is short enough.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include "lessons/1_math_refresh/model/3_signal.hpp"

namespace ex1_8 {

// E[φ(z)²] grows with the gain, so it tells on which side of the middle the right one lies. The middle is taken between
// logarithms, since the gain may be small or large.
inline double gain(double (*phi)(double), double M) {
  double low = 1e-3, high = 1e3;
  for (int halving = 0; halving < 50; ++halving) {
    const double middle = std::sqrt(low * high);
    const double left = lesson1::gaussian_mean([phi](double z) { return phi(z) * phi(z); }, middle * M);
    (left < M ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

}  // namespace ex1_8
