// Lesson 3: the gradient checks of its parts.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/gradcheck.hpp"
#include "common/loss.hpp"
#include "common/random.hpp"

namespace lesson3 {

// Checks every parameter and X against numbers, through the mean squared error on n random rows.
template <class Model>
GradientReport check_through_loss(Model& model, std::size_t n, Random& random) {
  Matrix<double> X = normal_matrix<double>(n, model.form.in, 1, random);
  const Matrix<double> target = normal_matrix<double>(n, model.form.out, 1, random);
  return check_model(model, X, [&](const Matrix<double>& Y) { return mean_squared_error(Y, target); });
}

// Draws the model anew and checks it through Σ R⊙Y with a fixed random R: at most quadratic in each tensor of a product
// layer, so that a step of 1 has no truncation error. All numbers are quarters, so with means over powers of 2 there is
// no rounding either.
template <class Model>
GradientReport check_through_sum(Model& model, std::size_t n, Random& random) {
  for (const auto& [name, tensor] : model.tensors()) tensor = quarters(tensor.rows(), tensor.cols(), random);
  Matrix<double> X = quarters(n, model.form.in, random);
  const Matrix<double> R = quarters(n, model.form.out, random);
  return check_model(
      model, X,
      [&](const Matrix<double>& Y) {
        return Loss<double>{dot(R, Y), R};
      },
      Step::quadratic);
}

}  // namespace lesson3
