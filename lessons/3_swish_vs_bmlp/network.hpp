// Lesson 3: what its models have in common: sizes, how weights start, and the form in which gradients come back.
// n rows are examples; d inputs, h hidden units, o outputs.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>

#include "common/matrix.hpp"
#include "common/random.hpp"

struct Sizes {
  std::size_t in = 0, hidden = 0, out = 0;  // d, h, o

  bool operator==(const Sizes&) const = default;
};

// What a backward pass returns: the gradient of each parameter under its own name, d.W1 for W1, and dX.
template <class Model>
struct Gradients {
  Model d;
  Matrix<typename Model::Number> dX;
};

// rows x cols independent numbers from U(-bound, bound).
template <class T>
Matrix<T> uniform_matrix(std::size_t rows, std::size_t cols, double bound, Random& random) {
  return map(Matrix<T>(rows, cols), [&](T) { return static_cast<T>(random.uniform(-bound, bound)); });
}

// Weights U(-1/√in, 1/√in): each unit's sum starts with a third of the variance of its inputs.
template <class T>
Matrix<T> uniform_weights(std::size_t in, std::size_t out, Random& random) {
  return uniform_matrix<T>(in, out, 1 / std::sqrt(double(in)), random);
}

// The parameters of one model in those of another of the same shape, such as float ones in double.
template <class To, class From>
To converted(From from, To to) {
  const auto source = from.tensors();
  const auto target = to.tensors();
  using T = typename To::Number;
  for (std::size_t t = 0; t < target.size(); ++t) target[t].tensor = Matrix<T>(source[t].tensor.view());
  return to;
}
