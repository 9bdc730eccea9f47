// Lesson 3, part 5: the product layer, forward and backward by hand. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include "network.hpp"

template <class T>
struct Product {
  using Number = T;

  Sizes sizes;
  Matrix<T> W, b, V, c;  // d x h, 1 x h, twice
  Matrix<T> W2, W3, b2;  // h x o, d x o, 1 x o

  // All parameters zero.
  explicit Product(Sizes s)
      : sizes(s),
        W(s.in, s.hidden),
        b(1, s.hidden),
        V(s.in, s.hidden),
        c(1, s.hidden),
        W2(s.hidden, s.out),
        W3(s.in, s.out),
        b2(1, s.out) {}

  // The start of training.
  Product(Sizes s, Random& random) : Product(s) {
    W = uniform_weights<T>(s.in, s.hidden, random);
    V = uniform_weights<T>(s.in, s.hidden, random);
    W2 = uniform_weights<T>(s.hidden, s.out, random);
    W3 = uniform_weights<T>(s.in, s.out, random);
    b = uniform_matrix<T>(1, s.hidden, 0.1, random);
    c = uniform_matrix<T>(1, s.hidden, 0.1, random);
  }

  Tensors<T> tensors() { return {{"W", W}, {"b", b}, {"V", V}, {"c", c}, {"W2", W2}, {"W3", W3}, {"b2", b2}}; }

  // What the backward pass needs to remember of the forward pass.
  struct Trace {
    Matrix<T> X, P, Q, H, Y;
  };

  Trace forward(Matrix<T> X) const {
    Trace t;
    t.X = std::move(X);
    t.P = add_row(matmul(t.X, W), b);       // n x h   (3.13)
    t.Q = add_row(matmul(t.X, V), c);       // n x h   (3.14)
    t.H = hadamard(t.P, t.Q);               // n x h   (3.15)
    t.Y = add_row(matmul(t.H, W2), b2);     // n x o   (3.16)
    matmul_into(t.Y, t.X, W3, Write::add);  // n x o   (3.16)
    return t;
  }

  // dY is d loss / d Y, n x o.
  Gradients<Product> backward(const Trace& t, const Matrix<T>& dY) const {
    Gradients<Product> g{Product(sizes), {}};
    g.d.W2 = matmul(transpose(t.H), dY);              // h x o   (3.16) back
    g.d.W3 = matmul(transpose(t.X), dY);              // d x o   (3.16) back
    g.d.b2 = column_sums(dY);                         // 1 x o   (3.16) back
    const Matrix<T> dH = matmul(dY, transpose(W2));   // n x h   (3.16) back
    const Matrix<T> dP = hadamard(dH, t.Q);           // n x h   (3.15) back
    const Matrix<T> dQ = hadamard(dH, t.P);           // n x h   (3.15) back
    g.d.V = matmul(transpose(t.X), dQ);               // d x h   (3.14) back
    g.d.c = column_sums(dQ);                          // 1 x h   (3.14) back
    g.d.W = matmul(transpose(t.X), dP);               // d x h   (3.13) back
    g.d.b = column_sums(dP);                          // 1 x h   (3.13) back
    g.dX = matmul(dY, transpose(W3));                 // n x d   (3.16) back
    matmul_into(g.dX, dQ, transpose(V), Write::add);  // n x d   (3.14) back
    matmul_into(g.dX, dP, transpose(W), Write::add);  // n x d   (3.13) back
    return g;
  }
};
