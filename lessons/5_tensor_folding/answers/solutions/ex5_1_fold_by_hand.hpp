// Exercise 5.1, solution: fold U into B, first on paper, then for a layer of any size.
// Column 0 of W is (1, -1), of V (3, 1): B[0] = [3 1; -3 -1]. Column 1 of W is (2, 3), of V (2, -1):
// B[1] = [4 -2; 6 -3]. UB = 1·B[0] + 2·B[1]. Both -3 and 9 belong to x0·x1, so each gets half of their sum, 3, and the
// diagonal stays: y = 11·x0² + 6·x0·x1 - 7·x1². At x = (1, 1) that is 10, and the layer says 0·4 + 2·5·1, too.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "lessons/5_tensor_folding/model/01_tensor.hpp"

namespace ex5_1 {

using lesson5::Tensor3;

// UB, with y = Σ_ij x_i·UB[i,j]·x_j, as the formula above makes it.
inline Matrix<double> UB() {
  return {{11, -3},  //
          {9, -7}};
}

// The symmetric matrix with the same y.
inline Matrix<double> symmetric_UB() {
  return {{11, 3},  //
          {3, -7}};
}

// UB[o] of a layer with any number of products and outputs. B has h slices, m x m; U is h x outputs.
inline Matrix<double> folded_slice(const Tensor3& B, const Matrix<double>& U, std::size_t o) {
  Matrix<double> slice(B.shape().rows, B.shape().cols);  // m x m
  for (std::size_t k = 0; k < U.rows(); ++k) slice += U(k, o) * B.slices[k];
  return slice;
}

}  // namespace ex5_1
