// The two losses of the course, each with its gradient: mean squared error (derived in lesson 1) and softmax
// cross-entropy (derived in lesson 2). The gradient is taken at once, since it needs what the loss has just computed.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

#include "common/matrix.hpp"
#include "common/support/elementary.hpp"

template <class T>
struct Loss {
  double value = 0;
  Matrix<T> gradient;  // d loss / d (what the model put out), in its shape
};

// loss = Σ (Y - T)² / N over all N entries; gradient 2·(Y - T)/N. Throws when the shapes of Y and T differ.
template <class T>
Loss<T> mean_squared_error(const Matrix<T>& Y, const Matrix<T>& target) {
  const Matrix<T> difference = Y - target;
  const double entries = double(Y.size());
  Loss<T> loss;
  loss.value = dot(difference, difference) / entries;
  loss.gradient = T(2 / entries) * difference;  // (1.3) back
  return loss;
}

// Softmax of one row, in place: p_j = exp(z_j - max z) / Σ exp(z_k - max z). Subtracting the maximum changes nothing in
// exact arithmetic and keeps exp from overflowing. Returns log Σ exp(z_k), which the cross-entropy needs.
template <class T>
double softmax(std::span<T> z) {
  T top = z[0];
  for (const T value : z) top = value > top ? value : top;
  for (T& value : z) value = elementary::exp(value - top);
  double sum = 0;
  for (const T value : z) sum += double(value);
  for (T& value : z) value = T(double(value) / sum);
  return double(top) + std::log(sum);
}

// Mean of -log softmax(row)[target] over the rows of logits (n x vocab), in nats; gradient (softmax - one-hot)/n.
// Throws when there is not one target for each row, or a target is not a column.
template <class T>
Loss<T> softmax_cross_entropy(Matrix<T> logits, std::span<const std::uint32_t> targets) {
  check_shapes(targets.size() == logits.rows(), "softmax_cross_entropy", logits.shape(), {targets.size(), 1});
  const double examples = double(logits.rows());
  Loss<T> loss;
  for (std::size_t i = 0; i < logits.rows(); ++i) {
    const double target_logit = double(logits(i, targets[i]));
    loss.value += (softmax(logits.row(i)) - target_logit) / examples;
    logits(i, targets[i]) -= T(1);  // (2.6) back
  }
  loss.gradient = T(1 / examples) * std::move(logits);  // (2.6) back
  return loss;
}
