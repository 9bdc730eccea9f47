// Exercise 4.2, solution: the backward pass of the layer H = P ⊙ Q with P = X·W + b, Q = X·V + c.
// h_ij = p_ij·q_ij has the slope q_ij in p_ij and the slope p_ij in q_ij: each factor receives dH times the other one.
// From there on it is lesson 1 twice. X feeds both factors, so what comes back from them adds.
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
  g.dP = hadamard(dH, Q);                                          // n x h   back
  g.dQ = hadamard(dH, P);                                          // n x h   back
  g.dW = matmul(transpose(X), g.dP);                               // d x h   back
  g.db = column_sums(g.dP);                                        // 1 x h   back
  g.dV = matmul(transpose(X), g.dQ);                               // d x h   back
  g.dc = column_sums(g.dQ);                                        // 1 x h   back
  g.dX = matmul(g.dP, transpose(W)) + matmul(g.dQ, transpose(V));  // n x d   back
  return g;
}

}  // namespace ex4_2
