// Lesson 3: what its models have in common: sizes, and the form in which gradients come back.
// n rows are examples; d inputs, h hidden units, o outputs.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "common/initialize.hpp"
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

// The parameters of one model in those of another of the same shape, such as float ones in double. Throws
// std::invalid_argument for models of other shapes.
template <class To, class From>
To converted(From from, To to) {
  const auto source = from.tensors();
  const auto target = to.tensors();
  using T = typename To::Number;
  check_shapes(source.size() == target.size(), "converted", {source.size(), 0}, {target.size(), 0});
  for (std::size_t t = 0; t < target.size(); ++t)
    check_shapes(source[t].tensor.shape() == target[t].tensor.shape(), "converted", source[t].tensor.shape(),
                 target[t].tensor.shape());
  for (std::size_t t = 0; t < target.size(); ++t) target[t].tensor = Matrix<T>(source[t].tensor.view());
  return to;
}
