// Exercise 3.5, solution: the second layer with weights that depend on its input, W2 + mean(h)·U2.
// dW2 and dU2 are right, so dF is; dH is wrong, and it has three terms. Those through W2 and U2 are as in any layer. The
// third came through m: m_i stands beside F_ik in every output k of its row, and the loss collects over k. So dm is the sum
// of dY ⊙ F along a row, and not its mean. The mean that there is, over the h numbers of a row of H, has its own line. With
// one output sum and mean over the outputs are the same.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"

namespace ex3_5 {

using lesson3::add_column, lesson3::row_dots, lesson3::row_means, lesson3::scale_rows;

struct Gradients {
  Matrix<double> dW2, dU2, dH;
};

// H is n x h, W2 and U2 are h x o, dY is n x o. scale_rows(A, m) multiplies row i of A by m(i, 0); row_dots(A, B) holds the
// scalar product of row i of A with row i of B, n x 1; add_column(A, m) adds m(i, 0) to all of row i of A.
inline Gradients backward(const Matrix<double>& H, const Matrix<double>& W2, const Matrix<double>& U2,
                          const Matrix<double>& dY) {
  const Matrix<double> m = row_means(H);        // n x 1
  const Matrix<double> F = matmul(H, U2);       // n x o
  const Matrix<double> dF = scale_rows(dY, m);  // n x o   back
  const Matrix<double> dm = row_dots(dY, F);    // n x 1   back
  Gradients g;
  g.dW2 = matmul(transpose(H), dY);                              // h x o   back
  g.dU2 = matmul(transpose(H), dF);                              // h x o   back
  g.dH = matmul(dY, transpose(W2)) + matmul(dF, transpose(U2));  // n x h   back
  g.dH = add_column(g.dH, 1 / double(H.cols()) * dm);            // n x h   back
  return g;
}

}  // namespace ex3_5
