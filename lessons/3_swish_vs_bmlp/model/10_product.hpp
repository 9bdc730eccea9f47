// Lesson 3, part 5: the product layer. Forward and backward by hand: 10_product.cpp. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/3_swish_vs_bmlp/model/02_readout.hpp"

namespace lesson3 {

// The two factors of h products, each a sum of its own over the inputs.
template <class T>
struct Factors {
  Matrix<T> W, b, V, c;  // d x h, 1 x h, twice

  // All parameters zero.
  Factors(std::size_t in, std::size_t hidden);

  struct Trace {
    Matrix<T> P, Q, H;
  };

  // X is n x d, t.H n x h.
  void forward(const Matrix<T>& X, Trace& t) const;

  // Sets d.W, d.b, d.V, d.c from dH, and adds to dX what reaches X from it; nullptr where nobody asks for that.
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dH, Factors& d, Matrix<T>* dX) const;
};

template <class T>
struct Product {
  using Number = T;

  Sizes form;
  Factors<T> factors;  // W, b, V, c
  Readout<T> readout;  // W2, W3, b2

  // All parameters zero.
  explicit Product(const Sizes& s);

  // The start of training.
  Product(const Sizes& s, Random& random);

  Tensors<T> tensors();
  ConstTensors<T> tensors() const { return read_only(*this); }

  // What the backward pass needs to remember of the forward pass.
  struct Trace {
    typename Factors<T>::Trace products;
    Matrix<T> Y;
  };

  // X is n x d, t.Y n x o.
  void forward(const Matrix<T>& X, Trace& t) const;
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<Product>& g) const;
};

}  // namespace lesson3
