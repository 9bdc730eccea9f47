// What a lesson says of its models, once, in template <class Visitor> void visit_models(Visitor&):
//
//   visitor.add("swish", model, X, squared_error(T));      at a point: exported, claimed, tested
//   visitor.test_only("swish, square", model2, X2, loss2); of other sizes: tested only
//
// `model` is of doubles; loss(Y) makes a Loss of its output, in doubles or floats. The list is
// walked by --export and the claims of gradients (common/frame/lesson/model_visitors.hpp), and by
// the gradient test and the mutants (tests/gradients.hpp).
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "common/loss.hpp"

// In what a model's outputs are at most quadratic, so that a step of 1 finds slopes exactly.
enum class Quadratic { none, parameters, all };

struct squared_error {
  Matrix<double> target;

  explicit squared_error(Matrix<double> T) : target(std::move(T)) {}
  template <class T>
  Loss<T> operator()(const Matrix<T>& Y) const {
    return mean_squared_error(Y, Matrix<T>(target.view()));
  }
};

struct cross_entropy {
  std::vector<std::uint32_t> labels;

  template <class T>
  Loss<T> operator()(const Matrix<T>& Y) const {
    return softmax_cross_entropy<T>(Y, labels);
  }
};

// Σ R ⊙ Y, whose gradient is R: for an exact check of slopes.
struct weighted_sum {
  Matrix<double> R;

  template <class T>
  Loss<T> operator()(const Matrix<T>& Y) const {
    const Matrix<T> weights(R.view());
    return {dot(weights, Y), weights};
  }
};
