// Exercise 1.3 (find the bug, 10 minutes, easy): the backward pass of one layer, H = tanh(X·W + b).
// One of its lines is wrong. A network with it still learns, only worse, so nobody notices for a while.
// `make exercise1` compares each gradient with numbers: which tensor is off, and by how much?
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
  // TODO: find the wrong line and mend it.
  const Matrix<double> dZ = hadamard(dH, map(H, [](double h) { return 1 - h * h; }));  // n x out: tanh' from H = tanh Z
  Gradients g;
  g.dX = matmul(dZ, transpose(W));                  // n x in
  g.dW = matmul(transpose(X), dZ);                  // in x out
  g.db = (1 / double(X.rows())) * column_sums(dZ);  // 1 x out: n examples share one b
  return g;
}

}  // namespace ex1_3
