// Lesson 3, part 2: the BMLP that takes its means over the batch, as the published program does. By hand:
// 06_bmlp_batch.cpp. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/3_swish_vs_bmlp/model/02_readout.hpp"

namespace lesson3 {

template <class T>
struct BmlpBatch {
  using Number = T;

  Sizes form;
  Matrix<T> W1, u1;      // d x h, 1 x d
  Matrix<T> W2, u2, W3;  // h x o, 1 x h, d x o

  // All parameters zero.
  explicit BmlpBatch(const Sizes& s);

  // The start of training: u1 and u2 small, as published.
  BmlpBatch(const Sizes& s, Random& random);

  Tensors<T> tensors() { return {{"W1", W1}, {"u1", u1}, {"W2", W2}, {"u2", u2}, {"W3", W3}}; }
  ConstTensors<T> tensors() const { return read_only(*this); }

  // What the backward pass needs to remember. mX and mH are the means of the columns of X and H: one row for the batch.
  struct Trace {
    Matrix<T> mX, H, mH, Y;
  };

  // X is n x d, t.Y n x o. One number was added everywhere, so it collects everywhere: all of dY, all of dH.
  void forward(const Matrix<T>& X, Trace& t) const;
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<BmlpBatch>& g) const;
};

}  // namespace lesson3
