// Exercise 1.3, solution: the backward pass of one layer, H = tanh(X·W + b).
// b is added to every row, so a change of b changes every row and db collects from all of them: the sum. A mean over
// the batch does belong somewhere, but once, in the loss: its 1/n is in dH already. With it twice, b learns n times too
// slowly. Adam rescales each gradient and hides it; a gradient check does not.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"

namespace ex1_3 {

struct Gradients {
  Matrix<double> dX, dW, db;
};

// X is n x in, W is in x out, H and dH are n x out; dH = d loss / d H.
inline Gradients backward(const Matrix<double>& X, const Matrix<double>& W, const Matrix<double>& H,
                          const Matrix<double>& dH) {
  const Matrix<double> dZ = hadamard(dH, map(H, [](double h) { return 1 - h * h; }));  // n x out: tanh' from H, back
  Gradients g;
  g.dX = matmul(dZ, transpose(W));  // n x in   back
  g.dW = matmul(transpose(X), dZ);  // in x out   back
  g.db = column_sums(dZ);           // 1 x out: n examples share one b, back
  return g;
}

}  // namespace ex1_3
