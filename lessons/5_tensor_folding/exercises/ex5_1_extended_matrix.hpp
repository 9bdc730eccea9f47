// Exercise 5.1 (warm-up, 20 minutes): biases by a constant one, and what they leave in the folded tensor.
// extended(A, a) is the matrix [A 0; a 1]: for it (x, 1) times the matrix is (x·A + a, 1). Then read the constant of a
// net, h = (x·W + b) ⊙ (x·V + c), y = h·U + u, with two inputs, two products and one output:
//     W = [ 1  2      V = [ 3  2      U = [ 1      b = [3 -1]   c = [4 -2]   u = [-6]
//          -1  3 ]          1 -1 ]          2 ]
// S is its symmetric slice over (x0, x1, 1), 3 x 3: y = (x, 1)·S·(x, 1)ᵀ. Fractions: 1.0 / 3, since 1 / 3 is 0.
// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

#include "common/matrix.hpp"

namespace ex5_1 {

constexpr double not_answered = std::numeric_limits<double>::quiet_NaN();

// TODO: fill the matrix, and put your numbers in the place of not_answered.

// A is rows x cols, a is 1 x cols; the result has one row and one column more than A.
inline Matrix<double> extended(const Matrix<double>& A, [[maybe_unused]] const Matrix<double>& a) {
  Matrix<double> wide(A.rows() + 1, A.cols() + 1);
  return wide;
}

// S[2,2], the constant part of y.
const double constant = not_answered;
// S[0,2], the entry in the row of x0 and the column of the 1.
const double entry_of_x0_and_one = not_answered;
// S[2,2] again, when the layer does not see x itself but j = x·E + e with e = [1 2]. E is not needed.
const double constant_behind_embedding = not_answered;

}  // namespace ex5_1
