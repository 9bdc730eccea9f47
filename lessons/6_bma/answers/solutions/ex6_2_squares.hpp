// Exercise 6.2, solution: squares in the place of exponentials.
// With q = Σ_l s_l², a_j = s_j²/q: the numerator moves by 2·s_k for j = k only, and q by 2·s_k for every j. So
// ∂a_j/∂s_k = 2·s_k/q·(δ_jk - a_j), and ds_k = 2·s_k/q·(da_k - Σ_j da_j·a_j): the same mean under the weights as in a
// softmax, behind another factor. Weights do not change when a row of scores is stretched, so the slope along the row
// itself is zero. (Of a softmax it is the slope along (1, ..., 1).)
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "common/matrix.hpp"

namespace ex6_2 {

// S, dA and dS are n x n.
inline Matrix<double> squares_backward(const Matrix<double>& S, const Matrix<double>& dA) {
  Matrix<double> dS(S.rows(), S.cols());
  for (std::size_t i = 0; i < S.rows(); ++i) {
    double q = 0, weighted = 0;
    for (std::size_t k = 0; k < S.cols(); ++k) {
      q += S(i, k) * S(i, k);                    // back
      weighted += dA(i, k) * S(i, k) * S(i, k);  // back
    }
    for (std::size_t k = 0; k < S.cols(); ++k) dS(i, k) = 2 * S(i, k) / q * (dA(i, k) - weighted / q);  // back
  }
  return dS;
}

const double factor_when_doubled = 1;
const double sum_of_scores_times_slopes = 0;

}  // namespace ex6_2
