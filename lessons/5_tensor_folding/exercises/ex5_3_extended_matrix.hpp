// Exercise 5.3 (change, 10 minutes): biases by a constant one. extended(A, a) returns the matrix
// [A 0; a 1], which takes (x, 1) to (x·A + a, 1).
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"

namespace ex5_3 {

// TODO: fill the matrix. A is rows x cols, a is 1 x cols; the result has one row and one column
// more than A.
inline Matrix<double> extended(const Matrix<double>& A, [[maybe_unused]] const Matrix<double>& a) {
  Matrix<double> wide(A.rows() + 1, A.cols() + 1);
  return wide;
}

}  // namespace ex5_3
