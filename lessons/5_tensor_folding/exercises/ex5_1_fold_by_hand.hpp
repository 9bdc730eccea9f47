// Exercise 5.1 (warm-up, 20 minutes): fold U into B, first on paper, then for a layer of any size.
// Two inputs, two products, one output: y = 1·(x·W)_0·(x·V)_0 + 2·(x·W)_1·(x·V)_1 with
//     W = [ 1  2      V = [ 3  2      U = [ 1
//          -1  3 ]          1 -1 ]          2 ]
// Product k has column k of W and of V: B[k,i,j] = W[i,k]·V[j,k]. Write B[0] and B[1] on paper. U weighs them.
// At hand: B.slices[k], which is a matrix, number * matrix, += (common/matrix.hpp).
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "lessons/5_tensor_folding/models.hpp"

namespace ex5_1 {

using lesson5::Tensor3;

// TODO: put your numbers in the place of the zeros, row after row; then write folded_slice.

// T, with y = Σ_ij x[i]·T[i,j]·x[j], as the formula above makes it.
inline Matrix<double> T() {
  return {{0, 0},  //
          {0, 0}};
}

// The symmetric matrix with the same y.
inline Matrix<double> S() {
  return {{0, 0},  //
          {0, 0}};
}

// T[o] of a layer with any number of products and outputs. B has h slices, m x m; U is h x outputs.
inline Matrix<double> folded_slice(const Tensor3& B, [[maybe_unused]] const Matrix<double>& U,
                                   [[maybe_unused]] std::size_t o) {
  Matrix<double> slice(B.shape().rows, B.shape().cols);  // m x m
  return slice;
}

}  // namespace ex5_1
