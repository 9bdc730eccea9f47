// Exercise 6.3 (transfer, 20 minutes): squares in the place of exponentials.
// S holds the scores, n x n. Each row of A is made from the row s of S by a_k = s_k²/Σ_l s_l²: positive, and adding up
// to 1, like a softmax, but with other slopes. From S and dA to dS. Find ∂a_j/∂s_k for j = k and for others, put it into
// ds_k = Σ_j da_j·∂a_j/∂s_k, and see what the sum comes down to: no n x n table of slopes is needed.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <limits>

#include "common/matrix.hpp"

namespace ex6_3 {

constexpr double not_answered = std::numeric_limits<double>::quiet_NaN();

// TODO: write dS, and put your numbers in the place of not_answered.

// S, dA and dS are n x n.
inline Matrix<double> squares_backward(const Matrix<double>& S, [[maybe_unused]] const Matrix<double>& dA) {
  Matrix<double> dS(S.rows(), S.cols());
  return dS;
}

// All scores of a row are doubled. By which factor do its weights change? And what does Σ_k s_k·ds_k of a row therefore
// add up to, whatever dA is?
const double factor_when_doubled = not_answered;
const double sum_of_scores_times_slopes = not_answered;

}  // namespace ex6_3
