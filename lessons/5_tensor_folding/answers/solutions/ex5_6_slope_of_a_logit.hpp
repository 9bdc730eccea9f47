// Exercise 5.6, solution: which pixel moves a logit most? The slope of an output in its inputs.
// x_p stands in two places, as the first factor and as the second: ∂y/∂x_p = Σ_q T[p,q]·x_q + Σ_q x_q·T[q,p]. With S in
// the place of T both sums are the same, and the slope is 2·x·S. Each term of y has two inputs, so x times the slope
// counts it twice: half of x_p·dy_p is the share of pixel p that part 7 shows.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"

namespace ex5_6 {

// x is 1 x n, T is n x n; the result is 1 x n.
inline Matrix<double> slope(const Matrix<double>& x, const Matrix<double>& T) {
  return matmul(x, T) + matmul(x, transpose(T));  // back
}

const double times_y = 2;

}  // namespace ex5_6
