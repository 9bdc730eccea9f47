// Exercise 6.2, solution: the way back through the softmax of attention.
// dS_k = s·Σ_j dA_j·∂a_j/∂(s·S_k) = s·(dA_k·a_k - Σ_j dA_j·a_j·a_k) = s·a_k·(dA_k - Σ_j dA_j·a_j): the same sum for the
// whole row. It is the mean of the row's dA under the weights a, so only what differs from that mean moves a score.
// Where a_k is 0, as behind the causal mask, so is dS_k: no second mask is needed.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "common/matrix.hpp"

namespace ex6_2 {

// dS, n x n.
inline Matrix<double> softmax_backward(const Matrix<double>& A, const Matrix<double>& dA, double s) {
  Matrix<double> dS(A.rows(), A.cols());
  for (std::size_t i = 0; i < A.rows(); ++i) {
    double mean = 0;
    for (std::size_t j = 0; j < A.cols(); ++j) mean += dA(i, j) * A(i, j);                  // back
    for (std::size_t k = 0; k < A.cols(); ++k) dS(i, k) = s * A(i, k) * (dA(i, k) - mean);  // back
  }
  return dS;
}

// Σ_k a_k·dA_k - mean·Σ_k a_k, and the weights add up to 1. The same number added to all scores of a row changes no
// weight.
const double sum_of_a_row = 0;

}  // namespace ex6_2
