// Exercise 6.5 (fill, 15 minutes, easy): whose query opens the gate? A proof by program.
// Two gates for one head: that of the token that attends, C_i = Σ_j A_ij·(G_i ⊙ V_j), and that of the token that is
// looked at, C_i = Σ_j A_ij·(G_j ⊙ V_j), which is BMA. One letter is different. Write both sums as they stand, with
// loops: entry k of G_i ⊙ V_j is G(i,k)·V(j,k). Then the short form that one of the two has, G ⊙ (A·V).
// `make exercise6` draws A, G and V, and confronts all three.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <limits>

#include "common/matrix.hpp"

namespace ex6_5 {

constexpr double not_answered = std::numeric_limits<double>::quiet_NaN();

// TODO: write the three functions, and put your number in the place of not_answered.

// A is n x n, G and V are n x dh, C is n x dh.
inline Matrix<double> attending([[maybe_unused]] const Matrix<double>& A, const Matrix<double>& G,
                                [[maybe_unused]] const Matrix<double>& V) {
  Matrix<double> C(G.rows(), G.cols());
  return C;
}

inline Matrix<double> own([[maybe_unused]] const Matrix<double>& A, const Matrix<double>& G,
                          [[maybe_unused]] const Matrix<double>& V) {
  Matrix<double> C(G.rows(), G.cols());
  return C;
}

// G ⊙ (A·V), without a loop: matmul and hadamard (common/matrix.hpp).
inline Matrix<double> gate_after_sum([[maybe_unused]] const Matrix<double>& A, const Matrix<double>& G,
                                     [[maybe_unused]] const Matrix<double>& V) {
  return Matrix<double>(G.rows(), G.cols());
}

// With causal weights over n = 6 tokens: in how many rows are the two gates the same, whatever G and V are?
const double rows_that_agree = not_answered;

}  // namespace ex6_5
