// The losses of the course: mean squared error, which lesson 1 derives, and softmax
// cross-entropy, which lesson 2 derives. Each takes its gradient at once, since it has just
// computed what that needs.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "common/fast/elementary.hpp"
#include "common/matrix.hpp"

template <class T>
struct Loss {
  double value = 0;
  Matrix<T> gradient;  // d loss / d Y, in the shape of the model's output Y
};

// loss = Σ (Y - target)² / N over all N entries, with the gradient 2·(Y - target)/N. Throws when
// the shapes differ.
template <class T>
Loss<T> mean_squared_error(const Matrix<T>& Y, const Matrix<T>& target) {
  const Matrix<T> difference = Y - target;
  const double entries = double(Y.size());
  Loss<T> loss;
  loss.value = dot(difference, difference) / entries;
  loss.gradient = T(2 / entries) * difference;  // (1.8) back
  return loss;
}

// Folds term(0), ..., term(count - 1) with f, in 16 interleaved parts that are joined at the end:
// parts that do not wait for each other can become vector instructions. Each starts with `start`,
// which must change nothing: 0 for a sum, one of the numbers for a maximum.
template <class T, class Term, class F>
T fold_parts(std::size_t count, T start, Term term, F f) {
  std::array<T, 16> part;
  part.fill(start);
  std::size_t j = 0;
  for (; j + part.size() <= count; j += part.size())
    for (std::size_t k = 0; k < part.size(); ++k) part[k] = f(part[k], term(j + k));
  for (; j < count; ++j) part[0] = f(part[0], term(j));
  if (count < part.size()) return part[0];  // the others have only their start
  T all = start;
  for (const T p : part) all = f(all, p);
  return all;
}

template <class T, class Term>
T sum_of(std::size_t count, Term term) {
  return fold_parts(count, T(0), term, [](T a, T b) { return a + b; });
}

// What a softmax subtracted from the numbers of a row, and what it divided their exponentials by.
template <class T>
struct Normalizer {
  T top, sum;
  double log_sum() const { return double(top) + std::log(double(sum)); }  // log Σ exp(z_k)
};

// Takes the softmax of a row that is not empty, in place:
//   p_j = exp(z_j - max z) / Σ exp(z_k - max z)
// Subtracting the maximum changes nothing in exact arithmetic and keeps exp from overflowing.
template <class T>
Normalizer<T> softmax(std::span<T> z) {
  const auto entry = [numbers = z.data()](std::size_t j) { return numbers[j]; };
  const T top = fold_parts(z.size(), z[0], entry, [](T a, T b) { return a > b ? a : b; });
  for (T& value : z) value = elementary::exp(value - top);
  const T sum = sum_of<T>(z.size(), entry);
  const T scale = 1 / sum;
  for (T& value : z) value *= scale;
  return {top, sum};
}
extern template Normalizer<float> softmax(
    std::span<float>);  // compiled once, with all optimizations

// loss = the mean of -log softmax(row)[target] over the n rows, in nats, with the gradient (softmax
// - one-hot)/n. Throws unless each row has a target, and each target is a column.
template <class T>
Loss<T> softmax_cross_entropy(Matrix<T> logits, std::span<const std::uint32_t> targets) {
  check_shapes(targets.size() == logits.rows(), "softmax_cross_entropy", logits.shape(),
               {targets.size(), 1});
  const double examples = double(logits.rows());
  Loss<T> loss;
  for (std::size_t i = 0; i < logits.rows(); ++i) {
    const double target_logit = double(logits(i, targets[i]));
    loss.value += (softmax(logits.row(i)).log_sum() - target_logit) / examples;
    logits(i, targets[i]) -= T(1);  // (2.5) back
  }
  loss.gradient = T(1 / examples) * std::move(logits);  // (2.5) back
  return loss;
}
