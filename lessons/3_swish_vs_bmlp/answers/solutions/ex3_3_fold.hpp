// Exercise 3.3, solution: a BMLP folded into one matrix.
// mean(X) = X·1/d with a column of ones, so mean(X)·u1 = X·(1·u1/d): u1/d added to every row of W1 does the same.
// Likewise u2/h is added to every row of W2. What is left are two matrices one behind the other, and W3 beside them:
// M = (W1 + (1/d)·1·u1)·(W2 + (1/h)·1·u2) + W3.
//
//     -4   0  ·  2  +  2  =   -8  +  2  =   -6
//     -3  -2     3     1     -12     1     -11
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"

namespace ex3_3 {

// The entries of M: what the first input is multiplied by, and the second.
const double first = -6;
const double second = -11;

// M, d x o. W1 is d x h, u1 is 1 x h, W2 is h x o, u2 is 1 x o, W3 is d x o.
inline Matrix<double> fold(const Matrix<double>& W1, const Matrix<double>& u1, const Matrix<double>& W2,
                           const Matrix<double>& u2, const Matrix<double>& W3) {
  const Matrix<double> into_hidden = add_row(W1, 1 / double(W1.rows()) * u1);  // d x h: means are over d inputs
  const Matrix<double> into_output = add_row(W2, 1 / double(W2.rows()) * u2);  // h x o: means are over h hidden units
  return matmul(into_hidden, into_output) + W3;                                // d x o
}

}  // namespace ex3_3
