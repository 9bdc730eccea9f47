// Exercise 6.3, solution: the weights of causal attention, in which token i sees tokens 0 to i.
// `visible` is a count, and the first token that is hidden has that number as its index: j >= visible. With > each
// token saw its successor, and the successor is what a language model has to name: it copied, and the loss fell. When
// it writes, the successor is not there yet. Only the last row was right: behind it there is nothing to see.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <limits>

#include "common/loss.hpp"
#include "common/matrix.hpp"

namespace ex6_3 {

// A, n x n: softmax(Q·Kᵀ/√dh) row by row. Q and K are n x dh; rows and columns are counted from 0.
inline Matrix<double> causal_weights(const Matrix<double>& Q, const Matrix<double>& K) {
  constexpr double never = -std::numeric_limits<double>::infinity();  // softmax makes it 0
  Matrix<double> A = 1 / std::sqrt(double(Q.cols())) * matmul(Q, transpose(K));
  for (std::size_t i = 0; i < A.rows(); ++i) {
    const std::size_t visible = i + 1;  // token 0 sees one token, token 1 sees two, ...
    for (std::size_t j = 0; j < A.cols(); ++j)
      if (j >= visible) A(i, j) = never;
    softmax(A.row(i));
  }
  return A;
}

}  // namespace ex6_3
