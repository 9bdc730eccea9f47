// Lesson 6, the model: what stands beside attention in a block, layer norm and the feed-forward layer; by hand in
// 3_layers.cpp. They are layers of a larger model: backward(.., room, d, dX) sets the gradients d of their parameters
// and works in `room`; what comes to dX it sets or, where it says so, adds. n rows are tokens, d is the width. Equation
// numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "lessons/6_bma/model/0_linear.hpp"

namespace lesson6 {

// Each row moved to mean 0, scaled to variance 1, then by the gain γ and the shift β (Ba, Kiros and Hinton
// 2016).   (6.15)
template <class T>
struct LayerNorm {
  static constexpr T epsilon = T(1e-5);  // PyTorch's

  Matrix<T> gain, shift;  // 1 x d; an empty shift is none

  LayerNorm(std::size_t width, bool biases);

  Tensors<T> tensors();  // under their PyTorch names; only what there is

  struct Trace {
    Matrix<T> N, root;  // the normalised rows, n x d, and 1/√(variance + ε) of each, n x 1
    Matrix<T> Y;        // n x d
  };

  void forward(const Matrix<T>& X, Trace& t) const;

  // dX += the part that comes through this layer.
  void backward(const Trace& t, const Matrix<T>& dY, LayerNorm& grad, Matrix<T>& dX) const;
};

// Returns GELU of z in the form of GPT-2 (Hendrycks and Gimpel 2016): z times a gate between 0 and 1 that z opens
// itself, ½(1 + tanh u) = σ(2u) with u = √(2/π)·(z + 0.044715·z³). Lesson 3's swish, but for the cubic term.   (6.16)
template <class T>
T gelu(T z);

// Returns its slope, σ + z·σ·(1 - σ)·(2u)'.   (6.16)
template <class T>
T gelu_prime(T z);

// Each token by itself: up to four times the width, a bend, and down again.   (6.16)
template <class T>
struct FeedForward {
  Matrix<T> W1, b1, W2, b2;  // d x 4d, 1 x 4d, 4d x d, 1 x d; empty biases are none

  FeedForward(std::size_t width, bool biases);

  Tensors<T> tensors();  // in forward order; only what there is

  struct Trace {
    Matrix<T> Z, H, Y;  // n x 4d, n x 4d, n x d
  };
  struct Room {
    Matrix<T> dZ, dH;
  };

  void forward(const Matrix<T>& X, Trace& t) const;
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Room& room, FeedForward& d,
                Matrix<T>& dX) const;
};

}  // namespace lesson6
