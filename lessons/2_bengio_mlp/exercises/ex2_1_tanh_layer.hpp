// Exercise 2.1 (fill, 15 minutes, easy): the backward pass of the hidden layer, H = tanh(E·W1 + b1).
// dH = d loss / d H has come back from the logits. Four gradients are needed: of Z = E·W1 + b1, and of all that went
// into it. tanh' can be had from H alone. At hand: matmul, transpose, hadamard, map, column_sums (common/matrix.hpp),
// and zip(A, B, [](double a, double b) { return a - b; }) for anything done entry by entry.
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
  // TODO: replace the zeros, in this order; the shapes are right already.
  Gradients g;
  g.dZ = Matrix<double>(dH.rows(), dH.cols());   // n x h
  g.dW1 = Matrix<double>(W1.rows(), W1.cols());  // c·d x h
  g.db1 = Matrix<double>(1, H.cols());           // 1 x h
  g.dE = Matrix<double>(E.rows(), E.cols());     // n x c·d
  return g;
}

}  // namespace ex2_1
