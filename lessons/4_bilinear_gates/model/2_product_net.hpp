// Lesson 4, the model: a product layer with a linear read-out. Forward and backward by hand: 2_product_net.cpp.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/4_bilinear_gates/model/1_product_layer.hpp"

namespace lesson4 {

struct NetForm {
  std::size_t in, units, out;
  Biases biases = Biases::with;  // of the layer and of the read-out
};

struct ProductNet {
  using Number = double;

  NetForm form;
  ProductLayer layer;
  Matrix<double> U, d;  // h x o, 1 x o

  // All parameters zero.
  explicit ProductNet(const NetForm& f);

  // The start of training.
  ProductNet(const NetForm& f, Random& random);

  Tensors<double> tensors();
  ConstTensors<double> tensors() const { return read_only(*this); }

  struct Trace {
    ProductLayer::Trace layer;
    Matrix<double> Y;
  };

  // X is n x d, t.Y n x o.
  void forward(const Matrix<double>& X, Trace& t) const;
  void backward(const Matrix<double>& X, const Trace& t, const Matrix<double>& dY, Gradients<ProductNet>& g) const;
};

}  // namespace lesson4
