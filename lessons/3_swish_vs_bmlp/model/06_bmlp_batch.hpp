// Lesson 3, part 2: the BMLP that takes its means over the batch, as the published program does. Equations: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include "means.hpp"
#include "network.hpp"

template <class T>
struct BmlpBatch {
  using Number = T;

  Sizes sizes;
  Matrix<T> W1, u1;      // d x h, 1 x d
  Matrix<T> W2, u2, W3;  // h x o, 1 x h, d x o

  // All parameters zero.
  explicit BmlpBatch(Sizes s)
      : sizes(s), W1(s.in, s.hidden), u1(1, s.in), W2(s.hidden, s.out), u2(1, s.hidden), W3(s.in, s.out) {}

  // The start of training: u1 and u2 small, as published.
  BmlpBatch(Sizes s, Random& random) : BmlpBatch(s) {
    W1 = uniform_weights<T>(s.in, s.hidden, random);
    W2 = uniform_weights<T>(s.hidden, s.out, random);
    W3 = uniform_weights<T>(s.in, s.out, random);
    u1 = uniform_matrix<T>(1, s.in, 0.01, random);
    u2 = uniform_matrix<T>(1, s.hidden, 0.01, random);
  }

  Tensors<T> tensors() { return {{"W1", W1}, {"u1", u1}, {"W2", W2}, {"u2", u2}, {"W3", W3}}; }

  // What the backward pass needs to remember. mX and mH are the means of the columns of X and H: one row for the batch.
  struct Trace {
    Matrix<T> X, mX, H, mH, Y;
  };

  Trace forward(Matrix<T> X) const {
    Trace t;
    t.X = std::move(X);
    t.mX = column_means(t.X);                                 // 1 x d   (3.6)
    t.H = add_everywhere(matmul(t.X, W1), T(dot(t.mX, u1)));  // n x h   (3.6)
    t.mH = column_means(t.H);                                 // 1 x h   (3.7)
    t.Y = add_everywhere(matmul(t.H, W2), T(dot(t.mH, u2)));  // n x o   (3.7)
    matmul_into(t.Y, t.X, W3, Write::add);                    // n x o   (3.7)
    return t;
  }

  // dY is d loss / d Y, n x o. One number was added everywhere, so it collects everywhere: all of dY, all of dH.
  Gradients<BmlpBatch> backward(const Trace& t, const Matrix<T>& dY) const {
    Gradients<BmlpBatch> g{BmlpBatch(sizes), {}};
    const T rows = T(t.X.rows());
    const T dsH = total(dY);                           // of mH·u2       (3.7) back
    g.d.W2 = matmul(transpose(t.H), dY);               // h x o          (3.7) back
    g.d.u2 = dsH * t.mH;                               // 1 x h          (3.7) back
    g.d.W3 = matmul(transpose(t.X), dY);               // d x o          (3.7) back
    Matrix<T> dH = matmul(dY, transpose(W2));          // n x h          (3.7) back
    dH = add_row(dH, dsH / rows * u2);                 // n x h          (3.7) back
    const T dsX = total(dH);                           // of mX·u1       (3.6) back
    g.d.W1 = matmul(transpose(t.X), dH);               // d x h          (3.6) back
    g.d.u1 = dsX * t.mX;                               // 1 x d          (3.6) back
    g.dX = matmul(dY, transpose(W3));                  // n x d          (3.7) back
    matmul_into(g.dX, dH, transpose(W1), Write::add);  // n x d          (3.6) back
    g.dX = add_row(g.dX, dsX / rows * u1);             // n x d          (3.6) back
    return g;
  }
};
