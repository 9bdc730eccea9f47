// Lesson 3, part 5: every product of two hidden numbers, H⊗H. By hand: 11_outer.cpp. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/3_swish_vs_bmlp/model/02_readout.hpp"

namespace lesson3 {

template <class T>
struct Outer {
  using Number = T;

  Sizes form;
  Matrix<T> W1;      // d x h
  Matrix<T> W2;      // o x h·h: W2[o,p,q] stands in row o, column p·h + q
  Matrix<T> W3, b2;  // d x o, 1 x o

  // All parameters zero.
  explicit Outer(const Sizes& s);

  // The start of training.
  Outer(const Sizes& s, Random& random);

  Tensors<T> tensors() { return {{"W1", W1}, {"W2", W2}, {"W3", W3}, {"b2", b2}}; }
  ConstTensors<T> tensors() const { return read_only(*this); }

  // What the backward pass needs to remember of the forward pass.
  struct Trace {
    Matrix<T> H, K, Y;
  };

  // X is n x d, t.Y n x o.
  void forward(const Matrix<T>& X, Trace& t) const;
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<Outer>& g) const;
};

}  // namespace lesson3
