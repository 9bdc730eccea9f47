// Exercise 4.3, solution: two coefficients of a unit with three inputs, read from its weights.
// Multiplied out there are sixteen terms. x and z meet twice, w1·x with v3·z and w3·z with v1·x. z stands alone where it
// meets a bias, w3·z with c and b with v3·z.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "lessons/4_bilinear_gates/models.hpp"

namespace ex4_3 {

using lesson4::ProductLayer;

// The coefficient of x·z in unit k of a layer with three inputs.
inline double coefficient_xz(const ProductLayer<double>& layer, std::size_t k) {
  return layer.W(0, k) * layer.V(2, k) + layer.W(2, k) * layer.V(0, k);
}

// The coefficient of z in it.
inline double coefficient_z(const ProductLayer<double>& layer, std::size_t k) {
  return layer.W(2, k) * layer.c(0, k) + layer.b(0, k) * layer.V(2, k);
}

}  // namespace ex4_3
