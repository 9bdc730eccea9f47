// Exercise 2.3, solution: softmax that no logit can break.
// exp(z - m)/Σ exp(z_k - m) is the same for every m, since exp(-m) cancels. With m the row's largest logit the
// exponents are at most 0, so no exp exceeds 1, and the largest is exactly 1, so the sum is never 0. The mean in the
// place of the maximum, or the maximum of all rows, keeps one promise and breaks the other.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>

#include "common/matrix.hpp"

namespace ex2_3 {

// p_ij = exp(z_ij) / Σ_k exp(z_ik), row by row; n x vocab.
inline Matrix<double> softmax(Matrix<double> logits) {
  for (std::size_t i = 0; i < logits.rows(); ++i) {
    const double top = *std::max_element(logits.row(i).begin(), logits.row(i).end());
    double sum = 0;
    for (const double z : logits.row(i)) sum += std::exp(z - top);
    for (double& z : logits.row(i)) z = std::exp(z - top) / sum;
  }
  return logits;
}

}  // namespace ex2_3
