// Exercise 6.3, solution: attention with a window.
// The tokens that i sees are i, i - 1, ..., i - (window - 1), so the first that is hidden is i - window: j + window <= i.
// With < each token saw window + 1 of them, and only near the start was nothing wrong. (Sums, since i - window would wrap
// below 0.)
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
  constexpr double never = -std::numeric_limits<double>::infinity();  // softmax makes it 0
  Matrix<double> A = 1 / std::sqrt(double(Q.cols())) * matmul(Q, transpose(K));
  for (std::size_t i = 0; i < A.rows(); ++i) {
    for (std::size_t j = 0; j < A.cols(); ++j)
      if (j > i || j + window <= i) A(i, j) = never;
    softmax(A.row(i));
  }
  return A;
}

}  // namespace ex6_3
