// Exercise 1.2 (fill, 10 minutes, easy): the slopes of swish_β(z) = z·σ(βz).
// The one in z is what backpropagation always needs. Some networks learn β too, and then need the one in β.
// At hand: sigmoid(u) and sigmoid_prime(u), the slope of σ at u.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/1_math_refresh/model/1_activations.hpp"

namespace ex1_2 {

using lesson1::sigmoid, lesson1::sigmoid_prime;

// TODO: write both slopes; first on paper, then here.

// ∂ z·σ(βz) / ∂z
inline double slope_in_z([[maybe_unused]] double z, [[maybe_unused]] double beta) { return 0; }

// ∂ z·σ(βz) / ∂β
inline double slope_in_beta([[maybe_unused]] double z, [[maybe_unused]] double beta) { return 0; }

}  // namespace ex1_2
