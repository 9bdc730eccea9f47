// Lesson 5, part 10: a tensor as a matrix, in two ways, so that a singular value decomposition can be taken of it.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include "lessons/5_tensor_folding/model/01_tensor.hpp"
#include "lessons/5_tensor_folding/model/08_svd.hpp"

namespace lesson5 {

// Returns the output mode: a row for each output, its slice written as one long row; outputs x rows·cols.   (5.22)
Matrix<double> output_unfolding(const Tensor3& t);

// Returns the input mode: a row for each input, with all that it meets; rows x outputs·cols.   (5.23)
Matrix<double> input_unfolding(const Tensor3& t);

// Counts the singular values that are larger than a part of the largest.
std::size_t count_above(const std::vector<double>& values, double part);

// Returns how much of each input lies in the directions of the first `rank` singular vectors: 1 for an input that they
// hold, 0 for one that nothing depends on.
std::vector<double> leverage(const Svd& input_mode, std::size_t rank);

}  // namespace lesson5
