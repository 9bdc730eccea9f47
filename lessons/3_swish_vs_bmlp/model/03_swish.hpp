// Lesson 3, part 1: the swish MLP, forward and backward by hand. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include "common/support/elementary.hpp"
#include "network.hpp"

template <class T>
struct Swish {
  using Number = T;

  Sizes sizes;
  bool biases;
  Matrix<T> W1, b1;      // d x h, 1 x h
  Matrix<T> W2, W3, b2;  // h x o, d x o, 1 x o; without biases b1 and b2 stay zero and are not listed

  // All parameters zero.
  explicit Swish(Sizes s, bool with_biases = true)
      : sizes(s),
        biases(with_biases),
        W1(s.in, s.hidden),
        b1(1, s.hidden),
        W2(s.hidden, s.out),
        W3(s.in, s.out),
        b2(1, s.out) {}

  // The start of training.
  Swish(Sizes s, bool with_biases, Random& random) : Swish(s, with_biases) {
    W1 = uniform_weights<T>(s.in, s.hidden, random);
    W2 = uniform_weights<T>(s.hidden, s.out, random);
    W3 = uniform_weights<T>(s.in, s.out, random);
  }

  Tensors<T> tensors() {
    if (!biases) return {{"W1", W1}, {"W2", W2}, {"W3", W3}};
    return {{"W1", W1}, {"b1", b1}, {"W2", W2}, {"W3", W3}, {"b2", b2}};
  }

  // What the backward pass needs to remember of the forward pass. G is σ(H).
  struct Trace {
    Matrix<T> X, H, G, S, Y;
  };

  Trace forward(Matrix<T> X) const {
    Trace t;
    t.X = std::move(X);
    t.H = add_row(matmul(t.X, W1), b1);      // n x h   (3.1)
    t.G = map(t.H, elementary::sigmoid<T>);  // n x h   (3.2)
    t.S = hadamard(t.H, t.G);                // n x h   (3.2)
    t.Y = add_row(matmul(t.S, W2), b2);      // n x o   (3.3)
    matmul_into(t.Y, t.X, W3, Write::add);   // n x o   (3.3)
    return t;
  }

  // dY is d loss / d Y, n x o.
  Gradients<Swish> backward(const Trace& t, const Matrix<T>& dY) const {
    Gradients<Swish> g{Swish(sizes, biases), {}};
    g.d.W2 = matmul(transpose(t.S), dY);                                               // h x o   (3.3) back
    g.d.W3 = matmul(transpose(t.X), dY);                                               // d x o   (3.3) back
    g.d.b2 = column_sums(dY);                                                          // 1 x o   (3.3) back
    const Matrix<T> dS = matmul(dY, transpose(W2));                                    // n x h   (3.3) back
    const auto swish_prime = [](T z, T gate) { return gate * (1 + z * (1 - gate)); };  // n x h   (3.2) back
    const Matrix<T> dH = hadamard(zip(t.H, t.G, swish_prime), dS);                     // n x h   (3.2) back
    g.d.W1 = matmul(transpose(t.X), dH);                                               // d x h   (3.1) back
    g.d.b1 = column_sums(dH);                                                          // 1 x h   (3.1) back
    g.dX = matmul(dY, transpose(W3));                                                  // n x d   (3.3) back
    matmul_into(g.dX, dH, transpose(W1), Write::add);                                  // n x d   (3.1) back
    return g;
  }
};
