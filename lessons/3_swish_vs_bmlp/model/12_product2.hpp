// Lesson 3, part 5: two product layers, one behind the other. By hand: 12_product2.cpp. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/3_swish_vs_bmlp/model/10_product.hpp"

namespace lesson3 {

struct Product2Form : Sizes {        // hidden: the products of the first layer
  std::size_t width = 0, upper = 0;  // the numbers that the second layer sees, and its products
};

template <class T>
struct Product2 {
  using Number = T;

  Product2Form form;
  Factors<T> lower;    // W, b, V, c: d x h, 1 x h, twice
  Matrix<T> U, d;      // h x width, 1 x width
  Factors<T> upper;    // Wb, bb, Vb, cb: width x upper, 1 x upper, twice
  Readout<T> readout;  // W2 (upper x o), W3, b2

  // All parameters zero.
  explicit Product2(const Product2Form& f);

  // The start of training. Signals are squared twice, so the first layer's output is kept small (README.md: q → q²).
  Product2(const Product2Form& f, Random& random);

  Tensors<T> tensors();
  ConstTensors<T> tensors() const { return read_only(*this); }

  // What the backward pass needs to remember of the forward pass.
  struct Trace {
    typename Factors<T>::Trace lower, upper;
    Matrix<T> J, Y;
  };

  // X is n x d, t.Y n x o.
  void forward(const Matrix<T>& X, Trace& t) const;
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<Product2>& g) const;
};

}  // namespace lesson3
