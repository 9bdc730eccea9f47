// Exercise 4.5, solution: the backward pass of a layer of squares with a read-out.
// U and d are right; W, b and X lie behind the square, and are half of what they must be. P is both factors of P ⊙ P: as the
// first it is given dH ⊙ P, and as the second the same once more. A value that is used twice collects twice. The direction of
// the step is right for W and b, so training goes downhill, only with half the rate behind the square.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"

namespace ex4_5 {

struct Gradients {
  Matrix<double> dW, db, dU, dd, dX;
};

// X is n x d; W is d x h, b is 1 x h, U is h x o; dY is n x o.
inline Gradients backward(const Matrix<double>& X, const Matrix<double>& W, const Matrix<double>& b,
                          const Matrix<double>& U, const Matrix<double>& dY) {
  const Matrix<double> P = add_row(matmul(X, W), b);  // n x h
  const Matrix<double> H = hadamard(P, P);            // n x h
  Gradients g;
  const Matrix<double> dH = matmul(dY, transpose(U));  // n x h   back
  const Matrix<double> dP = 2 * hadamard(dH, P);       // n x h   back
  g.dU = matmul(transpose(H), dY);                     // h x o   back
  g.dd = column_sums(dY);                              // 1 x o   back
  g.dW = matmul(transpose(X), dP);                     // d x h   back
  g.db = column_sums(dP);                              // 1 x h   back
  g.dX = matmul(dP, transpose(W));                     // n x d   back
  return g;
}

}  // namespace ex4_5
