// Lesson 5, part 10: a tensor as a matrix, in two ways, so that a singular value decomposition can be taken of it.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include "svd.hpp"
#include "tensor3.hpp"

// Output mode: a row for each output, its slice written as one long row; outputs x rows·cols.   (5.22)
inline Matrix<double> output_unfolding(const Tensor3<double>& t) {
  Matrix<double> A(t.outputs(), t.shape().rows * t.shape().cols);
  for (std::size_t o = 0; o < t.outputs(); ++o)
    std::copy(t.slices[o].values().begin(), t.slices[o].values().end(), A.row(o).begin());
  return A;
}

// Input mode: a row for each input, with all that it meets: rows x outputs·cols.   (5.23)
inline Matrix<double> input_unfolding(const Tensor3<double>& t) {
  Matrix<double> A(t.shape().rows, t.outputs() * t.shape().cols);
  for (std::size_t o = 0; o < t.outputs(); ++o)
    for (std::size_t p = 0; p < t.shape().rows; ++p)
      for (std::size_t q = 0; q < t.shape().cols; ++q) A(p, o * t.shape().cols + q) = t(o, p, q);
  return A;
}

// How many singular values are larger than a part of the largest.
inline std::size_t count_above(const std::vector<double>& values, double part) {
  std::size_t count = 0;
  for (const double value : values) count += value > part * values[0];
  return count;
}

// How much of each input lies in the directions of the first `rank` singular vectors: 1 for an input that they hold, 0 for
// one that nothing depends on.
inline std::vector<double> leverage(const Svd& input_mode, std::size_t rank) {
  std::vector<double> found(input_mode.U.rows());
  for (std::size_t p = 0; p < found.size(); ++p)
    for (std::size_t k = 0; k < rank; ++k) found[p] += input_mode.U(p, k) * input_mode.U(p, k);
  return found;
}
