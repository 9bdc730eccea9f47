// Lesson 4, the model: a product layer. Forward and backward by hand: 1_product_layer.cpp. Equation numbers: README.md.
// n rows are examples; dX means d loss / d X.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "common/model.hpp"

namespace lesson4 {

enum class Biases { without, with };

struct LayerForm {
  std::size_t in, units;
  Biases biases = Biases::with;
};

struct ProductLayer {
  using Number = double;

  LayerForm form;
  Matrix<double> W, b, V, c;  // d x h, 1 x h, twice; without biases b and c stay zero and are not listed

  // All parameters zero.
  explicit ProductLayer(const LayerForm& f);

  // The start of training: weights and biases alike.
  ProductLayer(const LayerForm& f, Random& random);

  Tensors<double> tensors();
  ConstTensors<double> tensors() const { return read_only(*this); }

  // What the backward pass needs to remember. The output Y is the H of README.md.
  struct Trace {
    Matrix<double> P, Q, Y;
  };

  // X is n x d, t.Y n x h.
  void forward(const Matrix<double>& X, Trace& t) const;
  void backward(const Matrix<double>& X, const Trace& t, const Matrix<double>& dH, Gradients<ProductLayer>& g) const;
};

}  // namespace lesson4
