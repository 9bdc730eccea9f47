// Exercise 1.5 (transfer, 15 minutes): a layer with a way around it, H = X + tanh(X·W + b). Deep networks are built of
// such layers, since with small weights the way around lets signal and gradient through as they are.
// One line of its backward pass is wrong. `make exercise1.5` compares each gradient with numbers: which one is off?
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"

namespace ex1_5 {

struct Gradients {
  Matrix<double> dX, dW, db;
};

// X, S = tanh(X·W + b) and dH = d loss / d H are n x d, W is d x d.
inline Gradients backward(const Matrix<double>& X, const Matrix<double>& W, const Matrix<double>& S,
                          const Matrix<double>& dH) {
  // TODO: find the wrong line and mend it.
  const Matrix<double> dZ = hadamard(dH, map(S, [](double s) { return 1 - s * s; }));  // n x d
  Gradients g;
  g.dX = matmul(dZ, transpose(W));  // n x d
  g.dW = matmul(transpose(X), dZ);  // d x d
  g.db = column_sums(dZ);           // 1 x d
  return g;
}

}  // namespace ex1_5
