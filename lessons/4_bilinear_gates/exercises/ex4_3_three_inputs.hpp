// Exercise 4.3 (warm-up, 15 minutes): two coefficients of a unit with three inputs, read from its weights.
// A unit computes (w1·x + w2·y + w3·z + b)(v1·x + v2·y + v3·z + c). Unit k has column k of all four: row 0 of W and V holds
// the weights of x, row 1 those of y, row 2 those of z. So w1 is layer.W(0, k), and b is layer.b(0, k).
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "lessons/4_bilinear_gates/models.hpp"

namespace ex4_3 {

using lesson4::ProductLayer;

// TODO: multiply out on paper, collect what stands before x·z and what stands before z alone, and write both.

// The coefficient of x·z in unit k of a layer with three inputs.
inline double coefficient_xz([[maybe_unused]] const ProductLayer<double>& layer, [[maybe_unused]] std::size_t k) {
  return 0;
}

// The coefficient of z in it.
inline double coefficient_z([[maybe_unused]] const ProductLayer<double>& layer, [[maybe_unused]] std::size_t k) {
  return 0;
}

}  // namespace ex4_3
