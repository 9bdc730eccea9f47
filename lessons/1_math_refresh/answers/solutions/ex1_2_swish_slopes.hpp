// Exercise 1.2, solution: the slopes of swish_β(z) = z·σ(βz).
// In z there are two factors that move, so the product rule gives two terms, and the chain rule puts β in front of σ'.
// In β the first z stands still; only σ(βz) moves, and the chain rule puts z in front of σ': z·z in all.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/1_math_refresh/model/1_activations.hpp"

namespace ex1_2 {

using lesson1::sigmoid, lesson1::sigmoid_prime;

// ∂ z·σ(βz) / ∂z
inline double slope_in_z(double z, double beta) {
  return sigmoid(beta * z) + z * beta * sigmoid_prime(beta * z);  // back
}

// ∂ z·σ(βz) / ∂β
inline double slope_in_beta(double z, double beta) { return z * z * sigmoid_prime(beta * z); }  // back

}  // namespace ex1_2
