// Lesson 4, part 2: the picture of a product unit with the numbers of one example.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "common/support/plot.hpp"
#include "lessons/4_bilinear_gates/model/1_product_layer.hpp"

namespace lesson4 {

// Returns "(2, -1)", of a row or a column of two numbers; -0 is written as 0.
std::string pair_text(const Matrix<double>& two);

// Draws one unit with two inputs: what goes forward, and the gradients that come back.
plot::Diagram diagram_of(const ProductLayer& unit, const Matrix<double>& X, const ProductLayer::Trace& t,
                         const Matrix<double>& dh, const Gradients<ProductLayer>& g);

}  // namespace lesson4
