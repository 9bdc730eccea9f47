// Exercise 2.3 (find the bug, 15 minutes, medium): softmax, straight from its definition.
// It is the definition, and it is right, on paper. A model that is sure of itself has logits of a thousand, and then it
// is not: find out what fails, and rewrite the formula so that nothing overflows and nothing is divided by 0.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>

#include "common/matrix.hpp"

namespace ex2_3 {

// p_ij = exp(z_ij) / Σ_k exp(z_ik), row by row; n x vocab.
inline Matrix<double> softmax(Matrix<double> logits) {
  // TODO: make it right for logits of any size.
  for (std::size_t i = 0; i < logits.rows(); ++i) {
    double sum = 0;
    for (const double z : logits.row(i)) sum += std::exp(z);
    for (double& z : logits.row(i)) z = std::exp(z) / sum;
  }
  return logits;
}

}  // namespace ex2_3
