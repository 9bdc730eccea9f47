// Exercise 4.3 (fill, 10 minutes, easy): two coefficients of a product unit, read from its weights.
// A unit computes (w1·x + w2·y + b)(v1·x + v2·y + c) = xx·x² + yy·y² + xy·x·y + (...)·x + (...)·y + one. Unit k has
// column k of all four: row 0 of W and V holds the weights of x, row 1 those of y. So w1 is layer.W(0, k), and b is
// layer.b(0, k).
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "lessons/4_bilinear_gates/model/1_product_layer.hpp"

namespace ex4_3 {

using lesson4::ProductLayer;

// TODO: multiply out on paper, collect what stands before x·y and what stands alone, and write both.

// The coefficient of x·y in unit k of a layer with two inputs.
inline double coefficient_xy([[maybe_unused]] const ProductLayer& layer, [[maybe_unused]] std::size_t k) { return 0; }

// The constant of unit k.
inline double coefficient_one([[maybe_unused]] const ProductLayer& layer, [[maybe_unused]] std::size_t k) { return 0; }

}  // namespace ex4_3
