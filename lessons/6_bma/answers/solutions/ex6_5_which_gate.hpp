// Exercise 6.5, solution: whose query opens the gate? A proof by program.
// G_i does not depend on j, so it can be taken out of the sum: Σ_j A_ij·G(i,k)·V(j,k) = G(i,k)·Σ_j A_ij·V(j,k). The
// gate of the token that attends is a gate behind the attention, whatever one calls it. G_j stays inside; its short
// form is A·(G ⊙ V): a value is gated once, and all later tokens find it in that state. In row 0 the only j is i.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "common/matrix.hpp"

namespace ex6_5 {

// A is n x n, G and V are n x dh, C is n x dh.
inline Matrix<double> attending(const Matrix<double>& A, const Matrix<double>& G, const Matrix<double>& V) {
  Matrix<double> C(G.rows(), G.cols());
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j)
      for (std::size_t k = 0; k < V.cols(); ++k) C(i, k) += A(i, j) * G(i, k) * V(j, k);
  return C;
}

inline Matrix<double> own(const Matrix<double>& A, const Matrix<double>& G, const Matrix<double>& V) {
  Matrix<double> C(G.rows(), G.cols());
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j)
      for (std::size_t k = 0; k < V.cols(); ++k) C(i, k) += A(i, j) * G(j, k) * V(j, k);
  return C;
}

// G ⊙ (A·V), without a loop: matmul and hadamard (common/matrix.hpp).
inline Matrix<double> gate_after_sum(const Matrix<double>& A, const Matrix<double>& G, const Matrix<double>& V) {
  return hadamard(G, matmul(A, V));
}

// Row 0.
const double rows_that_agree = 1;

}  // namespace ex6_5
