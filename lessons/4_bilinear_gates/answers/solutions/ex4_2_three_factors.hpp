// Exercise 4.2, solution: the backward pass of H = P ⊙ Q ⊙ Q with P = X·W + b, Q = X·V + c.
// The slope of p·q² in p is q², and in q it is 2·p·q: Q stands twice, and both places collect. Then come two layers of lesson
// 1, and X, which feeds both, collects from both.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"

namespace ex4_2 {

struct Gradients {
  Matrix<double> dP, dQ, dW, db, dV, dc, dX;
};

// X is n x d; W and V are d x h; P, Q and dH are n x h.
inline Gradients backward(const Matrix<double>& X, const Matrix<double>& W, const Matrix<double>& V,
                          const Matrix<double>& P, const Matrix<double>& Q, const Matrix<double>& dH) {
  Gradients g;
  g.dP = hadamard(dH, hadamard(Q, Q));                             // n x h   back
  g.dQ = 2 * hadamard(dH, hadamard(P, Q));                         // n x h   back
  g.dW = matmul(transpose(X), g.dP);                               // d x h   back
  g.db = column_sums(g.dP);                                        // 1 x h   back
  g.dV = matmul(transpose(X), g.dQ);                               // d x h   back
  g.dc = column_sums(g.dQ);                                        // 1 x h   back
  g.dX = matmul(g.dP, transpose(W)) + matmul(g.dQ, transpose(V));  // n x d   back
  return g;
}

}  // namespace ex4_2
