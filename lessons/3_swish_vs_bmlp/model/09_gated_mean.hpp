// Lesson 3, part 5: input-dependent weights, W1 + mean(x)·U1, forward and backward by hand. Equations: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include "means.hpp"
#include "network.hpp"

template <class T>
struct GatedMean {
  using Number = T;

  Sizes sizes;
  Matrix<T> W1, U1, b1;  // d x h, d x h, 1 x h
  Matrix<T> W2, W3, b2;  // h x o, d x o, 1 x o

  // All parameters zero.
  explicit GatedMean(Sizes s)
      : sizes(s),
        W1(s.in, s.hidden),
        U1(s.in, s.hidden),
        b1(1, s.hidden),
        W2(s.hidden, s.out),
        W3(s.in, s.out),
        b2(1, s.out) {}

  // The start of training.
  GatedMean(Sizes s, Random& random) : GatedMean(s) {
    W1 = uniform_weights<T>(s.in, s.hidden, random);
    U1 = uniform_weights<T>(s.in, s.hidden, random);
    W2 = uniform_weights<T>(s.hidden, s.out, random);
    W3 = uniform_weights<T>(s.in, s.out, random);
  }

  Tensors<T> tensors() { return {{"W1", W1}, {"U1", U1}, {"b1", b1}, {"W2", W2}, {"W3", W3}, {"b2", b2}}; }

  // What the backward pass needs to remember. m holds the mean of each row of X, Q is X·U1.
  struct Trace {
    Matrix<T> X, m, Q, H, Y;
  };

  Trace forward(Matrix<T> X) const {
    Trace t;
    t.X = std::move(X);
    t.m = row_means(t.X);                   // n x 1   (3.11)
    t.Q = matmul(t.X, U1);                  // n x h   (3.11)
    t.H = scale_rows(t.Q, t.m);             // n x h   (3.11)
    matmul_into(t.H, t.X, W1, Write::add);  // n x h   (3.11)
    t.H = add_row(std::move(t.H), b1);      // n x h   (3.11)
    t.Y = add_row(matmul(t.H, W2), b2);     // n x o   (3.12)
    matmul_into(t.Y, t.X, W3, Write::add);  // n x o   (3.12)
    return t;
  }

  // dY is d loss / d Y, n x o. X feeds four branches: W3, W1, U1 and the mean.
  Gradients<GatedMean> backward(const Trace& t, const Matrix<T>& dY) const {
    Gradients<GatedMean> g{GatedMean(sizes), {}};
    g.d.W2 = matmul(transpose(t.H), dY);               // h x o   (3.12) back
    g.d.W3 = matmul(transpose(t.X), dY);               // d x o   (3.12) back
    g.d.b2 = column_sums(dY);                          // 1 x o   (3.12) back
    const Matrix<T> dH = matmul(dY, transpose(W2));    // n x h   (3.12) back
    const Matrix<T> dQ = scale_rows(dH, t.m);          // n x h   (3.11) back
    const Matrix<T> dm = row_dots(dH, t.Q);            // n x 1   (3.11) back
    g.d.W1 = matmul(transpose(t.X), dH);               // d x h   (3.11) back
    g.d.U1 = matmul(transpose(t.X), dQ);               // d x h   (3.11) back
    g.d.b1 = column_sums(dH);                          // 1 x h   (3.11) back
    g.dX = matmul(dY, transpose(W3));                  // n x d   (3.12) back
    matmul_into(g.dX, dH, transpose(W1), Write::add);  // n x d   (3.11) back
    matmul_into(g.dX, dQ, transpose(U1), Write::add);  // n x d   (3.11) back
    g.dX = add_column(g.dX, T(1) / T(sizes.in) * dm);  // n x d   (3.11) back
    return g;
  }
};
