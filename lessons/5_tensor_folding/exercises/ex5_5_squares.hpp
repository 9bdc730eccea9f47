// Exercise 5.5 (transfer, 20 minutes): fold another layer, one that squares.
// z = x·W, h_k = z_k², y = h·U + d: one matrix in front and no second factor. Biases of the layer there are none; W is
// n x h, U is h x outputs, d is 1 x outputs. Write the slice of output o over (x, 1), (n + 1) x (n + 1) and symmetric:
// (x, 1)·S·(x, 1)ᵀ must be y_o. Then the spectrum of such layers.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <limits>

#include "common/matrix.hpp"

namespace ex5_5 {

constexpr double not_answered = std::numeric_limits<double>::quiet_NaN();

// TODO: write the slice, and put your numbers in the place of not_answered.

inline Matrix<double> slice_of_squares(const Matrix<double>& W, [[maybe_unused]] const Matrix<double>& U,
                                       [[maybe_unused]] const Matrix<double>& d, [[maybe_unused]] std::size_t o) {
  Matrix<double> S(W.rows() + 1, W.rows() + 1);
  return S;
}

// 144 inputs, 24 squares, d = 0: how many eigenvalues of a slice can be other than 0, at most?
const double most_eigenvalues = not_answered;
// Of U's 24 weights for this output 7 are negative; no column of W is a sum of multiples of others. How many eigenvalues are
// negative?
const double negative_eigenvalues = not_answered;
// x[0]² + x[1]² + x[2]², with no bias: how many products does it take, at least?
const double products_for_three_squares = not_answered;

}  // namespace ex5_5
