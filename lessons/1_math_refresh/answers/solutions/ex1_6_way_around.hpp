// Exercise 1.6, solution: X is used twice, and collects two gradients.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"

namespace ex1_6 {

struct Gradients {
  Matrix<double> dX, dW, db;
};

// X, S = tanh(X·W + b) and dH = d loss / d H are n x d, W is d x d.
inline Gradients backward(const Matrix<double>& X, const Matrix<double>& W, const Matrix<double>& S,
                          const Matrix<double>& dH) {
  const Matrix<double> dZ = hadamard(dH, map(S, [](double s) { return 1 - s * s; }));  // n x d   back
  Gradients g;
  g.dX = matmul(dZ, transpose(W)) + dH;  // n x d: through the layer, and around it   back
  g.dW = matmul(transpose(X), dZ);       // d x d   back
  g.db = column_sums(dZ);                // 1 x d   back
  return g;
}

}  // namespace ex1_6
