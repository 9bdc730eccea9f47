// Exercise 3.2, solution: the way back through a mean.
// y_ik = Σ_j h_ij·W2_jk + m_i·u2_k with m_i = (1/h)·Σ_j h_ij. So h_ij reaches y_ik twice: through W2 with the slope
// W2_jk, and through the mean with the slope u2_k/h, the same for every j. The loss collects over k along both paths:
// dH = dY·W2ᵀ + (1/h)·(dY·u2ᵀ)·1. For u2 the column mean(H) is what X is for any W: du2 = mean(H)ᵀ·dY.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"
#include "lessons/3_swish_vs_bmlp/model/04_means.hpp"

namespace ex3_2 {

using lesson3::row_means, lesson3::add_column;

struct Gradients {
  Matrix<double> dH, du2;
};

// H is n x h, W2 is h x o, u2 is 1 x o, dY is n x o.
inline Gradients backward(const Matrix<double>& H, const Matrix<double>& W2, const Matrix<double>& u2,
                          const Matrix<double>& dY) {
  const Matrix<double> dmean = matmul(dY, transpose(u2));  // n x 1   back
  Gradients g;
  g.dH = add_column(matmul(dY, transpose(W2)), 1 / double(H.cols()) * dmean);  // n x h   back
  g.du2 = matmul(transpose(row_means(H)), dY);                                 // 1 x o   back
  return g;
}

}  // namespace ex3_2
