// Exercise 5.4 (transfer, 15 minutes): which pixel moves a logit most? The slope of an output in its inputs.
// y = Σ_pq x[p]·T[p,q]·x[q], with a slice T as folding leaves it: not symmetric. Write dy, 1 x n, with dy[p] = ∂y/∂x[p].
// Derive it for n = 2 first: y = T00·x0² + (T01 + T10)·x0·x1 + T11·x1². At hand: matmul, transpose (common/matrix.hpp;
// a transpose is a view: where a matrix is wanted, Matrix<double>(transpose(T))).
// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

#include "common/matrix.hpp"

namespace ex5_4 {

constexpr double not_answered = std::numeric_limits<double>::quiet_NaN();

// TODO: write the slope, and put your number in the place of not_answered.

// x is 1 x n, T is n x n; the result is 1 x n.
inline Matrix<double> slope(const Matrix<double>& x, [[maybe_unused]] const Matrix<double>& T) {
  return Matrix<double>(1, x.cols());
}

// Multiply the slope by x, entry by entry, and add up: how many times y is that, whatever T and x are?
const double times_y = not_answered;

}  // namespace ex5_4
