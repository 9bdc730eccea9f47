// How weights start where a lesson does not study that very thing (lesson 1 does): uniform numbers.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>

#include "common/matrix.hpp"
#include "common/random.hpp"

// rows x cols independent numbers from U[-bound, bound).
template <class T>
Matrix<T> uniform_matrix(std::size_t rows, std::size_t cols, double bound, Random& random) {
  return map(Matrix<T>(rows, cols), [&](T) { return static_cast<T>(random.uniform(-bound, bound)); });
}

// in x out weights from U(-1/√in, 1/√in): each unit's sum starts with a third of the second moment of its inputs.
template <class T>
Matrix<T> uniform_weights(std::size_t in, std::size_t out, Random& random) {
  return uniform_matrix<T>(in, out, 1 / std::sqrt(double(in)), random);
}
