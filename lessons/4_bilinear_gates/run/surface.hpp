// Lesson 4: what a network says over a square around the four corners, as a small image.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>

#include "common/matrix.hpp"
#include "common/model.hpp"
#include "common/support/plot.hpp"

namespace lesson4 {

constexpr std::size_t surface_side = 21;

// Returns the values over the square [-1/2, 3/2]², y = 3/2 on top.
template <class Model>
plot::Image surface(const Model& model, const std::string& caption) {
  Matrix<double> X(surface_side * surface_side, 2);
  for (std::size_t i = 0; i < surface_side; ++i)
    for (std::size_t j = 0; j < surface_side; ++j) {
      X(i * surface_side + j, 0) = -0.5 + 2 * double(j) / (surface_side - 1);
      X(i * surface_side + j, 1) = 1.5 - 2 * double(i) / (surface_side - 1);
    }
  const Matrix<double> Y = output(model, X);
  return {caption, {Y.values().begin(), Y.values().end()}};
}

}  // namespace lesson4
