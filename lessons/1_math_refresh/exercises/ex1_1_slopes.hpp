// Exercise 1.1 (warm-up, 10 minutes): the slopes of z·tanh(βz), an activation function like swish, with tanh as gate.
// The one in z is what backpropagation always needs. Some networks learn β too, and then need the one in β.
// At hand: std::tanh(s), and tanh_prime(s), the slope of tanh at s.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include "lessons/1_math_refresh/models.hpp"

namespace ex1_1 {

using lesson1::tanh_prime;

// TODO: write both slopes; first on paper, then here.

// ∂ z·tanh(βz) / ∂z
inline double slope_in_z([[maybe_unused]] double z, [[maybe_unused]] double beta) { return 0; }

// ∂ z·tanh(βz) / ∂β
inline double slope_in_beta([[maybe_unused]] double z, [[maybe_unused]] double beta) { return 0; }

}  // namespace ex1_1
