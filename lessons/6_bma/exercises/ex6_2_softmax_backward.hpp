// Exercise 6.2 (fill, 20 minutes, medium): the way back through the softmax of attention.
// S = Q·Kᵀ holds the scores, n x n, and each row of A is the softmax of that row of s·S, with s = 1/√dh. From A and dA
// to dS. The slopes of one row a are ∂a_j/∂(s·S_k) = a_j·(1 - a_j) for k = j, and -a_j·a_k for others: n² numbers, the
// Jacobian. Do not build it. Put the slopes into dS_k = s·Σ_j dA_j·∂a_j/∂(s·S_k), and see what the sum comes down to.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <limits>

#include "common/matrix.hpp"

namespace ex6_2 {

constexpr double not_answered = std::numeric_limits<double>::quiet_NaN();

// TODO: write dS, and put your number in the place of not_answered.

// dS, n x n.
inline Matrix<double> softmax_backward(const Matrix<double>& A, [[maybe_unused]] const Matrix<double>& dA,
                                       [[maybe_unused]] double s) {
  Matrix<double> dS(A.rows(), A.cols());
  return dS;
}

// What does each row of dS add up to, whatever A and dA are?
const double sum_of_a_row = not_answered;

}  // namespace ex6_2
