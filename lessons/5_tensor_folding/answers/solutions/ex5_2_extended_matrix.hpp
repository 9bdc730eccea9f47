// Exercise 5.2, solution: biases by a constant one, and what they leave in the folded tensor.
// Where x is 0 only the biases are left: h = b ⊙ c, y = (b ⊙ c)·U + d. S[2,2] is the one entry that 1·1 meets, so it is
// that number. x0 alone comes from either factor: its coefficient is Σ_k U[k]·(W[0,k]·c[k] + b[k]·V[0,k]), and S[0,2]
// and S[2,0] have half of it each.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "common/matrix.hpp"

namespace ex5_2 {

// A is rows x cols, a is 1 x cols; the result has one row and one column more than A.
inline Matrix<double> extended(const Matrix<double>& A, const Matrix<double>& a) {
  Matrix<double> wide(A.rows() + 1, A.cols() + 1);
  for (std::size_t j = 0; j < A.cols(); ++j) {
    for (std::size_t i = 0; i < A.rows(); ++i) wide(i, j) = A(i, j);
    wide(A.rows(), j) = a(0, j);
  }
  wide(A.rows(), A.cols()) = 1;
  return wide;
}

// 1·(3·4) + 2·(-1·-2) - 6.
const double constant = 10;
// Half of 1·(1·4 + 3·3) + 2·(2·(-2) + (-1)·2), which is 13 - 12.
const double entry_of_x0_and_one = 0.5;
// At x = 0 the layer sees e: e·W + b = (4, 6) and e·V + c = (11, 1), so 1·44 + 2·6 - 6.
const double constant_behind_embedding = 50;

}  // namespace ex5_2
