// Exercise 4.2 (warm-up, 25 minutes): the backward pass of H = P ⊙ Q ⊙ Q with P = X·W + b, Q = X·V + c.
// dH = d loss / d H has come back from what follows. Write down h_ij = p_ij·q_ij·q_ij first: what is its slope in p_ij, and
// what in q_ij? Then it is two layers of lesson 1 that share their input.
// At hand: matmul, transpose, hadamard, column_sums, 2 * A, + (common/matrix.hpp).
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"

namespace ex4_2 {

struct Gradients {
  Matrix<double> dP, dQ, dW, db, dV, dc, dX;
};

// X is n x d; W and V are d x h; P, Q and dH are n x h.
inline Gradients backward(const Matrix<double>& X, const Matrix<double>& W, const Matrix<double>& V,
                          const Matrix<double>& P, const Matrix<double>& Q, [[maybe_unused]] const Matrix<double>& dH) {
  // TODO: replace the zeros, in this order; the shapes are right already.
  Gradients g;
  g.dP = Matrix<double>(P.rows(), P.cols());  // n x h
  g.dQ = Matrix<double>(Q.rows(), Q.cols());  // n x h
  g.dW = Matrix<double>(W.rows(), W.cols());  // d x h
  g.db = Matrix<double>(1, W.cols());         // 1 x h
  g.dV = Matrix<double>(V.rows(), V.cols());  // d x h
  g.dc = Matrix<double>(1, V.cols());         // 1 x h
  g.dX = Matrix<double>(X.rows(), X.cols());  // n x d
  return g;
}

}  // namespace ex4_2
