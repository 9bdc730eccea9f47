// Lesson 3, part 2: the BMLP as published. Forward and backward by hand: 05_bmlp.cpp. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/3_swish_vs_bmlp/model/02_readout.hpp"

namespace lesson3 {

template <class T>
struct Bmlp {
  using Number = T;

  Sizes form;
  Matrix<T> W1, u1;      // d x h, 1 x h
  Matrix<T> W2, u2, W3;  // h x o, 1 x o, d x o

  // All parameters zero.
  explicit Bmlp(const Sizes& s);

  // The start of training: u1 and u2 small, as published.
  Bmlp(const Sizes& s, Random& random);

  Tensors<T> tensors() { return {{"W1", W1}, {"u1", u1}, {"W2", W2}, {"u2", u2}, {"W3", W3}}; }
  ConstTensors<T> tensors() const { return read_only(*this); }

  // What the backward pass needs to remember. mX and mH are the means of the rows of X and H.
  struct Trace {
    Matrix<T> mX, H, mH, Y;
  };

  // X is n x d, t.Y n x o. H reaches the output by two paths, through W2 and through its mean; so does X.
  void forward(const Matrix<T>& X, Trace& t) const;
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<Bmlp>& g) const;
};

// Returns the network that README.md works out by hand: two inputs, two hidden units, one output.
Bmlp<double> example_bmlp();

}  // namespace lesson3
