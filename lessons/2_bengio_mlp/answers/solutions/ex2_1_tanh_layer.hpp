// Exercise 2.1, solution: the backward pass of the hidden layer, H = tanh(E·W1 + b1).
// tanh acts on each entry alone, so dZ is dH times 1 - tanh² entry by entry, and tanh of Z is H. The rest is the linear
// layer of lesson 1: everything that flows through Z is built from dZ, and no longer from dH.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"

namespace ex2_1 {

struct Gradients {
  Matrix<double> dZ, dW1, db1, dE;
};

// E is n x c·d, W1 is c·d x h, H and dH are n x h.
inline Gradients backward(const Matrix<double>& E, const Matrix<double>& W1, const Matrix<double>& H,
                          const Matrix<double>& dH) {
  Gradients g;
  g.dZ = zip(dH, H, [](double d, double h) { return d * (1 - h * h); });  // n x h   back
  g.dW1 = matmul(transpose(E), g.dZ);                                     // c·d x h   back
  g.db1 = column_sums(g.dZ);                                              // 1 x h   back
  g.dE = matmul(g.dZ, transpose(W1));                                     // n x c·d   back
  return g;
}

}  // namespace ex2_1
