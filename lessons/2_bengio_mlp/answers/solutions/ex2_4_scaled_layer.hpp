// Exercise 2.4, solution: backwards through the scale, the tanh and the linear layer.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"

namespace ex2_4 {

struct Gradients {
  Matrix<double> ds, dZ, dW1, db1, dE;
};

// E is n x c·d, W1 is c·d x h, s is 1 x h; U = tanh(Z) with Z = E·W1 + b1, and dH, are n x h.
inline Gradients backward(const Matrix<double>& E, const Matrix<double>& W1, const Matrix<double>& s,
                          const Matrix<double>& U, const Matrix<double>& dH) {
  Gradients g;
  g.ds = column_sums(hadamard(dH, U));  // 1 x h: s_j is used by every window   back
  Matrix<double> dU = dH;               // n x h   back
  for (std::size_t i = 0; i < dU.rows(); ++i)
    for (std::size_t j = 0; j < dU.cols(); ++j) dU(i, j) *= s.values()[j];  // back
  g.dZ = zip(dU, U, [](double du, double u) { return du * (1 - u * u); });  // n x h   back
  g.dW1 = matmul(transpose(E), g.dZ);                                       // c·d x h   back
  g.db1 = column_sums(g.dZ);                                                // 1 x h   back
  g.dE = matmul(g.dZ, transpose(W1));                                       // n x c·d   back
  return g;
}

}  // namespace ex2_4
