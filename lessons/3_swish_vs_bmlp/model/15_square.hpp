// Lesson 3, part 7: a layer of squares, a product layer whose two factors are one. Forward and backward by hand:
// 15_square.cpp. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/3_swish_vs_bmlp/model/02_readout.hpp"

namespace lesson3 {

template <class T>
struct Square {
  using Number = T;

  Sizes form;
  Matrix<T> W, b;      // d x h, 1 x h
  Readout<T> readout;  // W2, W3, b2

  // All parameters zero.
  explicit Square(const Sizes& s);

  // The start of training.
  Square(const Sizes& s, Random& random);

  Tensors<T> tensors();

  // What the backward pass needs to remember of the forward pass.
  struct Trace {
    Matrix<T> P, H, Y;
  };

  // X is n x d, t.Y n x o.
  void forward(const Matrix<T>& X, Trace& t) const;
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<Square>& g) const;
};

}  // namespace lesson3
