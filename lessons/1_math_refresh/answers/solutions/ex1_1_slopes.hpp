// Exercise 1.1, solution: product rule in z, where both factors move; in β only tanh(βz) does.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include "lessons/1_math_refresh/model/1_activations.hpp"

namespace ex1_1 {

using lesson1::tanh_prime;

// tanh(βz) + z·(slope of tanh(βz) in z), which is β·tanh'(βz)
inline double slope_in_z(double z, double beta) {
  return std::tanh(beta * z) + beta * z * tanh_prime(beta * z);  // back
}

// z·(slope of tanh(βz) in β), which is z·tanh'(βz)
inline double slope_in_beta(double z, double beta) {
  return z * z * tanh_prime(beta * z);  // back
}

}  // namespace ex1_1
