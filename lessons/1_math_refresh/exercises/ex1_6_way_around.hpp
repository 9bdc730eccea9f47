// Exercise 1.6 (find the bug, 15 minutes): a layer with a way around it, H = X + tanh(X·W + b).
// Deep networks are built of such layers: when weights are small, the way around lets signal and
// gradient through as they are. One line of the backward pass is wrong here, though it would be
// right in other layers. `make exercise1.6` compares each gradient with numbers. Which of them are
// off, and which line do these have in common?
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"

namespace ex1_6 {

struct Gradients {
  Matrix<double> dX, dW, db;
};

// X, H = X + tanh(X·W + b) and dH = d loss / d H are rows x n, W is n x n.
inline Gradients backward(const Matrix<double>& X, const Matrix<double>& W, const Matrix<double>& H,
                          const Matrix<double>& dH) {
  // TODO: find the wrong line and mend it.
  const Matrix<double> dZ =
      hadamard(dH, map_entries(H, [](double h) { return 1 - h * h; }));  // rows x n
  Gradients g;
  g.dX = dH + matmul(dZ, transpose(W));  // rows x n
  g.dW = matmul(transpose(X), dZ);       // n x n
  g.db = column_sums(dZ);                // 1 x n
  return g;
}

}  // namespace ex1_6
