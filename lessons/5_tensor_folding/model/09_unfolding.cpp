// Lesson 5, part 10: a tensor as a matrix, in two ways. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/model/09_unfolding.hpp"

#include <algorithm>

namespace lesson5 {

Matrix<double> output_unfolding(const Tensor3& t) {
  Matrix<double> A(t.outputs(), t.shape().rows * t.shape().cols);
  for (std::size_t o = 0; o < t.outputs(); ++o)
    std::copy(t.slices[o].values().begin(), t.slices[o].values().end(), A.row(o).begin());  // (5.22)
  return A;
}

Matrix<double> input_unfolding(const Tensor3& t) {
  Matrix<double> A(t.shape().rows, t.outputs() * t.shape().cols);
  for (std::size_t o = 0; o < t.outputs(); ++o)
    for (std::size_t p = 0; p < t.shape().rows; ++p)
      for (std::size_t q = 0; q < t.shape().cols; ++q) A(p, o * t.shape().cols + q) = t(o, p, q);  // (5.23)
  return A;
}

std::size_t count_above(const std::vector<double>& values, double part) {
  std::size_t count = 0;
  for (const double value : values) count += value > part * values[0];
  return count;
}

std::vector<double> leverage(const Svd& input_mode, std::size_t rank) {
  std::vector<double> found(input_mode.U.rows());
  for (std::size_t p = 0; p < found.size(); ++p)
    for (std::size_t k = 0; k < rank; ++k) found[p] += input_mode.U(p, k) * input_mode.U(p, k);
  return found;
}

}  // namespace lesson5
