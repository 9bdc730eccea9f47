// Exercise 4.3, solution: two coefficients of a product unit, read from its weights.
// Of the nine terms two hold x and y once each: w1·x·v2·y and w2·y·v1·x. One holds neither: b·c. The symmetric matrix
// of the form has half of xy on each side of its diagonal, for x·y and for y·x; the coefficient is the whole.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "lessons/4_bilinear_gates/model/1_product_layer.hpp"

namespace ex4_3 {

using lesson4::ProductLayer;

// The coefficient of x·y in unit k of a layer with two inputs.
inline double coefficient_xy(const ProductLayer& layer, std::size_t k) {
  return layer.W(0, k) * layer.V(1, k) + layer.W(1, k) * layer.V(0, k);
}

// The constant of unit k.
inline double coefficient_one(const ProductLayer& layer, std::size_t k) { return layer.b(0, k) * layer.c(0, k); }

}  // namespace ex4_3
