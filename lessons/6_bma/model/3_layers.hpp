// Lesson 6: the layers around attention, each forward beside its backward: linear, layer norm, GELU feed-forward, dropout.
// n rows are tokens, d is the width. Results go into matrices that the caller keeps, so that a training step makes none.
// dX means d loss / d X; gradients of parameters are set, never added to. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>

#include "common/matrix.hpp"
#include "common/random.hpp"
#include "common/support/elementary.hpp"

// Makes A rows x cols where it is not; what it then holds is to be overwritten.
template <class T>
void make_room(Matrix<T>& A, std::size_t rows, std::size_t cols) {
  if (A.shape() != Shape{rows, cols}) A = Matrix<T>(rows, cols);
}

// Σ term(j) over j < count, in 16 interleaved parts that do not wait for each other.
template <class T, class Term>
T sum_of(std::size_t count, Term term) {
  std::array<T, 16> part{};
  std::size_t j = 0;
  for (; j + part.size() <= count; j += part.size())
    for (std::size_t k = 0; k < part.size(); ++k) part[k] += term(j + k);
  T sum = 0;
  for (; j < count; ++j) sum += term(j);
  for (const T p : part) sum += p;
  return sum;
}

// C = A ⊙ B, and C = factor·A. C may be A.
template <class T>
void multiply(const Matrix<T>& A, const Matrix<T>& B, Matrix<T>& C) {
  check_shapes(A.shape() == B.shape(), "multiply", A.shape(), B.shape());
  make_room(C, A.rows(), A.cols());
  std::transform(A.values().begin(), A.values().end(), B.values().begin(), C.values().begin(), std::multiplies<T>());
}
template <class T>
void scale(T factor, const Matrix<T>& A, Matrix<T>& C) {
  make_room(C, A.rows(), A.cols());
  std::transform(A.values().begin(), A.values().end(), C.values().begin(), [factor](T a) { return factor * a; });
}

// ---------------------------------------------------------------------------------------------------------- linear

// Y = X·W + b, n x in times in x out; an empty b is no bias.   (6.1)
template <class T>
void linear(const Matrix<T>& X, const Matrix<T>& W, const Matrix<T>& b, Matrix<T>& Y) {
  make_room(Y, X.rows(), W.cols());
  matmul_into(Y, X, W);
  if (b.size() == 0) return;
  for (std::size_t i = 0; i < Y.rows(); ++i)
    std::transform(Y.row(i).begin(), Y.row(i).end(), b.row(0).begin(), Y.row(i).begin(), std::plus<T>());
}

// dX, or dX += with Write::add, so that several layers can send their part.
template <class T>
void linear_back(const Matrix<T>& X, const Matrix<T>& W, const Matrix<T>& dY, Matrix<T>& dW, Matrix<T>& db,
                 Matrix<T>& dX, Write write = Write::set) {
  make_room(dX, X.rows(), X.cols());
  matmul_into(dW, transpose(X), dY);         // in x out   (6.1) back
  matmul_into(dX, dY, transpose(W), write);  // n x in     (6.1) back
  if (db.size() == 0) return;
  std::fill(db.values().begin(), db.values().end(), T(0));  // back
  for (std::size_t i = 0; i < dY.rows(); ++i)
    for (std::size_t j = 0; j < dY.cols(); ++j) db.values()[j] += dY.row(i)[j];  // 1 x out    (6.1) back
}

// ------------------------------------------------------------------------------------------------------ layer norm

// Each row moved to mean 0, scaled to variance 1, then by the gain γ and the shift β (Ba, Kiros and Hinton 2016).
template <class T>
struct LayerNorm {
  static constexpr T epsilon = T(1e-5);  // PyTorch's

  Matrix<T> gain, shift;  // 1 x d; an empty shift is none

  LayerNorm(std::size_t width, bool biases) : gain(1, width), shift(biases ? 1 : 0, biases ? width : 0) {}

  struct Trace {
    Matrix<T> N, root;  // the normalised rows, n x d, and 1/√(variance + ε) of each, n x 1
    Matrix<T> Y;        // n x d
  };

  // N = (X - mean)/√(variance + ε), Y = γ ⊙ N + β.   (6.10)
  void forward(const Matrix<T>& X, Trace& t) const {
    const std::size_t d = X.cols();
    make_room(t.N, X.rows(), d), make_room(t.Y, X.rows(), d), make_room(t.root, X.rows(), 1);
    for (std::size_t i = 0; i < X.rows(); ++i) {
      const std::span<const T> x = X.row(i), g = gain.row(0);
      const std::span<T> N = t.N.row(i), y = t.Y.row(i);
      const T mean = sum_of<T>(d, [&](std::size_t j) { return x[j]; }) / T(d);
      for (std::size_t j = 0; j < d; ++j) N[j] = x[j] - mean;
      const T variance = sum_of<T>(d, [&](std::size_t j) { return N[j] * N[j]; }) / T(d);
      const T root = 1 / std::sqrt(variance + epsilon);
      t.root.row(i)[0] = root;
      for (std::size_t j = 0; j < d; ++j) N[j] *= root;
      for (std::size_t j = 0; j < d; ++j) y[j] = g[j] * N[j];
      if (shift.size() > 0) std::transform(y.begin(), y.end(), shift.row(0).begin(), y.begin(), std::plus<T>());
    }
  }

  // dX += the part that comes through this layer; the gradients of γ and β go into `grad`.
  void backward(const Trace& t, const Matrix<T>& dY, LayerNorm& grad, Matrix<T>& dX) const {
    const std::size_t d = dY.cols();
    std::fill(grad.gain.values().begin(), grad.gain.values().end(), T(0));    // back
    std::fill(grad.shift.values().begin(), grad.shift.values().end(), T(0));  // back
    for (std::size_t i = 0; i < dY.rows(); ++i) {
      const std::span<const T> dy = dY.row(i), N = t.N.row(i), g = gain.row(0);
      const std::span<T> dx = dX.row(i), dg = grad.gain.row(0);
      for (std::size_t j = 0; j < d; ++j) dg[j] += dy[j] * N[j];  // 1 x d   (6.10) back
      if (shift.size() > 0)
        for (std::size_t j = 0; j < d; ++j) grad.shift.values()[j] += dy[j];                    // 1 x d   (6.10) back
      const T mean = sum_of<T>(d, [&](std::size_t j) { return g[j] * dy[j]; }) / T(d);          // of dN    (6.10) back
      const T along = sum_of<T>(d, [&](std::size_t j) { return g[j] * dy[j] * N[j]; }) / T(d);  // dN ⊙ N   (6.10) back
      const T root = t.root.row(i)[0];
      for (std::size_t j = 0; j < d; ++j) dx[j] += root * (g[j] * dy[j] - mean - N[j] * along);  // (6.10) back
    }
  }
};

// ---------------------------------------------------------------------------------------------------- feed-forward

// GELU in the form of GPT-2 (Hendrycks and Gimpel 2016): z times a gate between 0 and 1 that z opens itself,
// ½(1 + tanh u) = σ(2u) with u = √(2/π)·(z + 0.044715·z³). Lesson 3's swish with a bend in the slope.   (6.11)
template <class T>
T gelu(T z) {
  const T slope = T(2 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi);
  return z * elementary::sigmoid(slope * z * (1 + T(0.044715) * z * z));
}

// σ + z·σ·(1 - σ)·(2u)'
template <class T>
T gelu_prime(T z) {
  const T slope = T(2 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi), square = T(0.044715) * z * z;
  const T gate = elementary::sigmoid(slope * z * (1 + square));
  return gate + z * gate * (1 - gate) * slope * (1 + 3 * square);  // (6.11) back
}

// Each token by itself: up to four times the width, a bend, and down again.
template <class T>
struct FeedForward {
  Matrix<T> W1, b1, W2, b2;  // d x 4d, 1 x 4d, 4d x d, 1 x d; empty biases are none

  FeedForward(std::size_t width, bool biases)
      : W1(width, 4 * width),
        b1(biases ? 1 : 0, biases ? 4 * width : 0),
        W2(4 * width, width),
        b2(biases ? 1 : 0, biases ? width : 0) {}

  struct Trace {
    Matrix<T> Z, H, Y;  // n x 4d, n x 4d, n x d
  };

  void forward(const Matrix<T>& X, Trace& t) const {
    linear(X, W1, b1, t.Z);  // n x 4d   (6.1)
    make_room(t.H, t.Z.rows(), t.Z.cols());
    std::transform(t.Z.values().begin(), t.Z.values().end(), t.H.values().begin(), gelu<T>);  // n x 4d   (6.11)
    linear(t.H, W2, b2, t.Y);                                                                 // n x d    (6.1)
  }

  // `d` is room for the gradients of what the trace holds.
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Trace& d, FeedForward& grad,
                Matrix<T>& dX) const {
    linear_back(t.H, W2, dY, grad.W2, grad.b2, d.H);  // back
    make_room(d.Z, t.Z.rows(), t.Z.cols());
    const std::span<const T> dH = d.H.values(), Z = t.Z.values();
    const std::span<T> dZ = d.Z.values();
    for (std::size_t k = 0; k < Z.size(); ++k) dZ[k] = dH[k] * gelu_prime(Z[k]);  // n x 4d   (6.11) back
    linear_back(X, W1, d.Z, grad.W1, grad.b1, dX);                                // back
  }
};

// --------------------------------------------------------------------------------------------------------- dropout

// rows x cols factors, 0 with the given probability and else 1/(1 - probability), so that the mean stays (Srivastava et al.
// 2014). Without `random`, which means evaluation, or at probability 0 an empty matrix: nothing is dropped.   (6.12)
template <class T>
void draw_mask(Matrix<T>& mask, std::size_t rows, std::size_t cols, double probability, Random* random) {
  if (!random || probability == 0) {
    make_room(mask, 0, 0);
    return;
  }
  make_room(mask, rows, cols);
  for (T& factor : mask.values()) factor = random->uniform() < probability ? T(0) : T(1 / (1 - probability));
}

// A ⊙ mask in place, forward and backward alike; an empty mask leaves A as it is.   (6.12)
template <class T>
void apply_mask(Matrix<T>& A, const Matrix<T>& mask) {
  if (mask.size() > 0) multiply(A, mask, A);
}
