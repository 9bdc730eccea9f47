// Exercise 3.2 (fill, 20 minutes, medium): the way back through a mean.
// The BMLP's step from H to Y is Y = H·W2 + mean(H)·u2, where mean(H), n x 1, holds the mean of each row of H. Given
// dY, derive dH and du2. Write down y_ik with indices first: where does h_ij stand in it?
// At hand: matmul, transpose (common/matrix.hpp); row_means(A), and add_column(A, m), which adds entry i of the column
// m to all of row i of A (model/04_means.hpp). A transpose is a view: where a matrix is wanted,
// Matrix<double>(transpose(A)).
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
inline Gradients backward(const Matrix<double>& H, [[maybe_unused]] const Matrix<double>& W2, const Matrix<double>& u2,
                          [[maybe_unused]] const Matrix<double>& dY) {
  // TODO: replace the zeros; the shapes are right already.
  Gradients g;
  g.dH = Matrix<double>(H.rows(), H.cols());  // n x h
  g.du2 = Matrix<double>(1, u2.cols());       // 1 x o
  return g;
}

}  // namespace ex3_2
