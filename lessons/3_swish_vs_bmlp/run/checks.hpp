// Lesson 3: the gradient check of any of its models, at parameters of size 1 so that no path is too small to be missed.
// SPDX-License-Identifier: MIT
#pragma once

#include "common/gradcheck.hpp"
#include "common/loss.hpp"
#include "common/random.hpp"

// All tensors of a model drawn anew with entries of the given size.
template <class Model>
void draw_parameters(Model& model, double size, Random& random) {
  for (const auto& [name, tensor] : model.tensors())
    tensor = normal_matrix<double>(tensor.rows(), tensor.cols(), size, random);
}

// Every parameter and X against numbers, through the mean squared error on n random rows.
template <class Model>
GradientReport check_through_loss(Model& model, std::size_t n, Random& random) {
  Matrix<double> X = normal_matrix<double>(n, model.sizes.in, 1, random);
  const Matrix<double> target = normal_matrix<double>(n, model.sizes.out, 1, random);
  const auto loss = [&] { return mean_squared_error(model.forward(X).Y, target); };
  auto gradients = model.backward(model.forward(X), loss().gradient);
  Tensors<double> tensors = model.tensors(), derived = gradients.d.tensors();
  tensors.push_back({"X", X});
  derived.push_back({"X", gradients.dX});
  return check_gradients(tensors, derived, [&] { return loss().value; });
}

// The same through Σ R⊙Y with a fixed random R: at most quadratic in each tensor of a product layer, so that a step of 1 has
// no truncation error. All numbers are quarters, so with means over powers of 2 there is no rounding either.
template <class Model>
GradientReport check_through_sum(Model& model, std::size_t n, Random& random) {
  for (const auto& [name, tensor] : model.tensors()) tensor = quarters(tensor.rows(), tensor.cols(), random);
  Matrix<double> X = quarters(n, model.sizes.in, random);
  const Matrix<double> R = quarters(n, model.sizes.out, random);
  auto gradients = model.backward(model.forward(X), R);
  Tensors<double> tensors = model.tensors(), derived = gradients.d.tensors();
  tensors.push_back({"X", X});
  derived.push_back({"X", gradients.dX});
  return check_gradients(
      tensors, derived, [&] { return dot(R, model.forward(X).Y); }, Step::quadratic);
}
