// Lesson 6, the model: layer norm and the feed-forward layer, forward and backward. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/model/3_layers.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <span>

namespace lesson6 {

// ------------------------------------------------------------------------------------------------------ layer norm

template <class T>
LayerNorm<T>::LayerNorm(std::size_t width, bool biases) : gain(1, width), shift(bias_row<T>(biases, width)) {}

template <class T>
Tensors<T> LayerNorm<T>::tensors() {
  Tensors<T> all;
  append(all, "", {{"weight", gain}, {"bias", shift}});
  return all;
}

// N = (X - mean)/√(variance + ε), Y = γ ⊙ N + β.   (6.15)
template <class T>
void LayerNorm<T>::forward(const Matrix<T>& X, Trace& t) const {
  const std::size_t d = X.cols();
  make_room(t.N, X.rows(), d);
  make_room(t.Y, X.rows(), d);
  make_room(t.root, X.rows(), 1);
  for (std::size_t i = 0; i < X.rows(); ++i) {
    const std::span<const T> x = X.row(i), g = gain.row(0), b = shift.values();
    const std::span<T> N = t.N.row(i), y = t.Y.row(i);
    const T mean = sum_of<T>(d, [&](std::size_t j) { return x[j]; }) / T(d);
    for (std::size_t j = 0; j < d; ++j) N[j] = x[j] - mean;
    const T variance = sum_of<T>(d, [&](std::size_t j) { return N[j] * N[j]; }) / T(d);
    const T root = 1 / std::sqrt(variance + epsilon);
    t.root.row(i)[0] = root;
    for (std::size_t j = 0; j < d; ++j) N[j] *= root;
    for (std::size_t j = 0; j < d; ++j) y[j] = g[j] * N[j];
    if (b.size() > 0) std::transform(y.begin(), y.end(), b.begin(), y.begin(), std::plus<T>());
  }
}

template <class T>
void LayerNorm<T>::backward(const Trace& t, const Matrix<T>& dY,  // n x d
                            LayerNorm& grad, Matrix<T>& dX) const {
  const std::size_t d = dY.cols();
  std::fill(grad.gain.values().begin(), grad.gain.values().end(), T(0));    // back
  std::fill(grad.shift.values().begin(), grad.shift.values().end(), T(0));  // back
  for (std::size_t i = 0; i < dY.rows(); ++i) {
    const std::span<const T> dy = dY.row(i), N = t.N.row(i), g = gain.row(0);
    const std::span<T> dx = dX.row(i), dg = grad.gain.row(0);
    for (std::size_t j = 0; j < d; ++j) dg[j] += dy[j] * N[j];  // 1 x d   (6.15) back
    if (shift.size() > 0)
      for (std::size_t j = 0; j < d; ++j) grad.shift.values()[j] += dy[j];  // 1 x d   (6.15) back
    // Means over the row, of dN = γ ⊙ dy and of dN ⊙ N.   (6.15)
    const T mean = sum_of<T>(d, [&](auto j) { return g[j] * dy[j]; }) / T(d);          // back
    const T along = sum_of<T>(d, [&](auto j) { return g[j] * dy[j] * N[j]; }) / T(d);  // back
    const T root = t.root.row(i)[0];
    for (std::size_t j = 0; j < d; ++j)
      dx[j] += root * (g[j] * dy[j] - mean - N[j] * along);  // n x d, added   (6.15) back
  }
}

// ---------------------------------------------------------------------------------------------------- feed-forward

template <class T>
static constexpr T steepness = T(2 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi);  // 2·√(2/π)

template <class T>
T gelu(T z) {
  return z * elementary::sigmoid(steepness<T> * z * (1 + T(0.044715) * z * z));
}

template <class T>
T gelu_prime(T z) {
  const T square = T(0.044715) * z * z;
  const T gate = elementary::sigmoid(steepness<T> * z * (1 + square));
  return gate + z * gate * (1 - gate) * steepness<T> * (1 + 3 * square);  // (6.16) back
}

template <class T>
FeedForward<T>::FeedForward(std::size_t width, bool biases)
    : W1(width, 4 * width), b1(bias_row<T>(biases, 4 * width)), W2(4 * width, width), b2(bias_row<T>(biases, width)) {}

template <class T>
Tensors<T> FeedForward<T>::tensors() {
  Tensors<T> all;
  append(all, "", {{"W1", W1}, {"b1", b1}, {"W2", W2}, {"b2", b2}});
  return all;
}

template <class T>
void FeedForward<T>::forward(const Matrix<T>& X, Trace& t) const {
  linear(X, W1, b1, t.Z);  // n x 4d   (6.1)
  make_room(t.H, t.Z.rows(), t.Z.cols());
  const std::span<const T> Z = t.Z.values();
  std::transform(Z.begin(), Z.end(), t.H.values().begin(), gelu<T>);  // n x 4d   (6.16)
  linear(t.H, W2, b2, t.Y);                                           // n x d    (6.1)
}

template <class T>
void FeedForward<T>::backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY,  // n x d
                              Room& room, FeedForward& d, Matrix<T>& dX) const {
  linear_back(t.H, W2, dY, d.W2, d.b2, room.dH);  // n x 4d   (6.1) back
  make_room(room.dZ, t.Z.rows(), t.Z.cols());
  const std::span<const T> dH = room.dH.values(), Z = t.Z.values();
  const std::span<T> dZ = room.dZ.values();
  for (std::size_t k = 0; k < Z.size(); ++k) dZ[k] = dH[k] * gelu_prime(Z[k]);  // (6.16) back
  linear_back(X, W1, room.dZ, d.W1, d.b1, dX);                                  // (6.1) back
}

template float gelu(float);
template double gelu(double);
template float gelu_prime(float);
template double gelu_prime(double);
template struct LayerNorm<float>;
template struct LayerNorm<double>;
template struct FeedForward<float>;
template struct FeedForward<double>;

}  // namespace lesson6
