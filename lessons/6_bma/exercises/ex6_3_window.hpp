// Exercise 6.3 (transfer, 15 minutes): attention with a window. Find the bug.
// Token i sees itself and the `window - 1` tokens before it: two tokens for a window of 2, except at the start. A model
// of one block with these weights was to have a memory of `window` symbols; measured, it was longer. Every gradient is
// right. `make exercise6` changes one token of X and says which rows of A·V move for a window of 2. Which rows may?
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <limits>

#include "common/loss.hpp"
#include "common/matrix.hpp"

namespace ex6_3 {

// A, n x n: softmax(Q·Kᵀ/√dh) row by row. Q and K are n x dh; rows and columns are counted from 0.
inline Matrix<double> window_weights(const Matrix<double>& Q, const Matrix<double>& K, std::size_t window) {
  // TODO: find the bug and mend it.
  constexpr double never = -std::numeric_limits<double>::infinity();  // softmax makes it 0
  Matrix<double> A = 1 / std::sqrt(double(Q.cols())) * matmul(Q, transpose(K));
  for (std::size_t i = 0; i < A.rows(); ++i) {
    for (std::size_t j = 0; j < A.cols(); ++j)
      if (j > i || j + window < i) A(i, j) = never;
    softmax(A.row(i));
  }
  return A;
}

}  // namespace ex6_3
