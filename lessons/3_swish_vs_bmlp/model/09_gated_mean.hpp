// Lesson 3, part 5: input-dependent weights, W1 + mean(x)·U1. By hand: 09_gated_mean.cpp. Equations: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/3_swish_vs_bmlp/model/02_readout.hpp"

namespace lesson3 {

template <class T>
struct GatedMean {
  using Number = T;

  Sizes form;
  Matrix<T> W1, U1, b1;  // d x h, d x h, 1 x h
  Readout<T> readout;    // W2, W3, b2

  // All parameters zero.
  explicit GatedMean(const Sizes& s);

  // The start of training.
  GatedMean(const Sizes& s, Random& random);

  Tensors<T> tensors();
  ConstTensors<T> tensors() const { return read_only(*this); }

  // What the backward pass needs to remember. m holds the mean of each row of X, F is X·U1.
  struct Trace {
    Matrix<T> m, F, H, Y;
  };

  // X is n x d, t.Y n x o. X feeds four branches: W3, W1, U1 and the mean.
  void forward(const Matrix<T>& X, Trace& t) const;
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<GatedMean>& g) const;
};

}  // namespace lesson3
