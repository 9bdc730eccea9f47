// Exercise 3.2, solution: the way back through a mean of squares.
// y_ik = Σ_j h_ij·W2_jk + r_i·u2_k with r_i = (1/h)·Σ_j h_ij². So h_ij reaches y_ik twice: through W2 with the slope W2_jk,
// and through r_i with the slope (2/h)·h_ij·u2_k. The loss collects over k along both paths: dH = dY·W2ᵀ, and to each
// entry of its row i comes (2/h)·h_ij times entry i of dY·u2ᵀ. For u2 the column r is what X is for any W: du2 = rᵀ·dY.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"

namespace ex3_2 {

using lesson3::row_means, lesson3::scale_rows;

struct Gradients {
  Matrix<double> dH, du2;
};

// H is n x h, W2 is h x o, u2 is 1 x o, dY is n x o.
inline Gradients backward(const Matrix<double>& H, const Matrix<double>& W2, const Matrix<double>& u2,
                          const Matrix<double>& dY) {
  const Matrix<double> dr = matmul(dY, transpose(u2));  // n x 1   back
  Gradients g;
  g.dH = matmul(dY, transpose(W2)) + scale_rows(2 / double(H.cols()) * H, dr);  // n x h   back
  g.du2 = matmul(transpose(row_means(hadamard(H, H))), dY);                     // 1 x o   back
  return g;
}

}  // namespace ex3_2
