// Exercise 3.2 (transfer, 20 minutes): the second layer with weights that depend on its input, W2 + mean(h)·U2.
// Y = H·W2 + mean(H) ⊙ (H·U2): each row of H·U2 times the mean of that row of H. This backward pass is right for one
// output, which is how it got through its first test. `make exercise3` has three.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"

namespace ex3_2 {

using lesson3::add_column, lesson3::row_dots, lesson3::row_means, lesson3::scale_rows;

// TODO: find the bug and mend it; delete this line when you start.

struct Gradients {
  Matrix<double> dW2, dU2, dH;
};

// H is n x h, W2 and U2 are h x o, dY is n x o. scale_rows(A, m) multiplies row i of A by m(i, 0); row_dots(A, B) holds the
// scalar product of row i of A with row i of B, n x 1; add_column(A, m) adds m(i, 0) to all of row i of A.
inline Gradients backward(const Matrix<double>& H, const Matrix<double>& W2, const Matrix<double>& U2,
                          const Matrix<double>& dY) {
  const Matrix<double> m = row_means(H);                              // n x 1
  const Matrix<double> F = matmul(H, U2);                             // n x o
  const Matrix<double> dF = scale_rows(dY, m);                        // n x o
  const Matrix<double> dm = 1 / double(dY.cols()) * row_dots(dY, F);  // n x 1
  Gradients g;
  g.dW2 = matmul(transpose(H), dY);                              // h x o
  g.dU2 = matmul(transpose(H), dF);                              // h x o
  g.dH = matmul(dY, transpose(W2)) + matmul(dF, transpose(U2));  // n x h
  g.dH = add_column(g.dH, 1 / double(H.cols()) * dm);            // n x h
  return g;
}

}  // namespace ex3_2
