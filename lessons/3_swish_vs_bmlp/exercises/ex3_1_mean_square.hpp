// Exercise 3.1 (warm-up, 20 minutes): the way back through a mean of squares.
// A step from H to Y that is like the BMLP's but for one thing: Y = H·W2 + r·u2, where r, n x 1, holds for each row of H
// the mean of its h squares. Given dY, derive dH and du2. Write down y_ik with indices first: where does h_ij stand in it?
// At hand: matmul, transpose, hadamard (common/matrix.hpp); row_means(A), and scale_rows(A, m), which multiplies row i of
// A by entry i of the column m (models.hpp). A transpose is a view: where a matrix is wanted,
// Matrix<double>(transpose(A)).
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"

namespace ex3_1 {

using lesson3::row_means, lesson3::scale_rows;

struct Gradients {
  Matrix<double> dH, du2;
};

// H is n x h, W2 is h x o, u2 is 1 x o, dY is n x o.
inline Gradients backward(const Matrix<double>& H, [[maybe_unused]] const Matrix<double>& W2, const Matrix<double>& u2,
                          [[maybe_unused]] const Matrix<double>& dY) {
  // TODO: replace the zeros; the shapes are right already.
  Gradients g;
  g.dH = Matrix<double>(H.rows(), H.cols());  // n x h
  g.du2 = Matrix<double>(1, u2.cols());       // 1 x o
  return g;
}

}  // namespace ex3_1
