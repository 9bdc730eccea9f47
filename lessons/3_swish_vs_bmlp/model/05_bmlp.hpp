// Lesson 3, part 2: the BMLP as published, forward and backward by hand. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include "means.hpp"
#include "network.hpp"

template <class T>
struct Bmlp {
  using Number = T;

  Sizes sizes;
  Matrix<T> W1, u1;      // d x h, 1 x h
  Matrix<T> W2, u2, W3;  // h x o, 1 x o, d x o

  // All parameters zero.
  explicit Bmlp(Sizes s)
      : sizes(s), W1(s.in, s.hidden), u1(1, s.hidden), W2(s.hidden, s.out), u2(1, s.out), W3(s.in, s.out) {}

  // The start of training: u1 and u2 small, as published.
  Bmlp(Sizes s, Random& random) : Bmlp(s) {
    W1 = uniform_weights<T>(s.in, s.hidden, random);
    W2 = uniform_weights<T>(s.hidden, s.out, random);
    W3 = uniform_weights<T>(s.in, s.out, random);
    u1 = uniform_matrix<T>(1, s.hidden, 0.01, random);
    u2 = uniform_matrix<T>(1, s.out, 0.01, random);
  }

  Tensors<T> tensors() { return {{"W1", W1}, {"u1", u1}, {"W2", W2}, {"u2", u2}, {"W3", W3}}; }

  // What the backward pass needs to remember. mX and mH are the means of the rows of X and H.
  struct Trace {
    Matrix<T> X, mX, H, mH, Y;
  };

  Trace forward(Matrix<T> X) const {
    Trace t;
    t.X = std::move(X);
    t.mX = row_means(t.X);                     // n x 1   (3.4)
    t.H = matmul(t.X, W1) + matmul(t.mX, u1);  // n x h   (3.4)
    t.mH = row_means(t.H);                     // n x 1   (3.5)
    t.Y = matmul(t.H, W2) + matmul(t.mH, u2);  // n x o   (3.5)
    matmul_into(t.Y, t.X, W3, Write::add);     // n x o   (3.5)
    return t;
  }

  // dY is d loss / d Y, n x o. H reaches the output by two paths, through W2 and through its mean; so does X.
  Gradients<Bmlp> backward(const Trace& t, const Matrix<T>& dY) const {
    Gradients<Bmlp> g{Bmlp(sizes), {}};
    g.d.W2 = matmul(transpose(t.H), dY);                // h x o   (3.5) back
    g.d.u2 = matmul(transpose(t.mH), dY);               // 1 x o   (3.5) back
    g.d.W3 = matmul(transpose(t.X), dY);                // d x o   (3.5) back
    const Matrix<T> dmH = matmul(dY, transpose(u2));    // n x 1   (3.5) back
    Matrix<T> dH = matmul(dY, transpose(W2));           // n x h   (3.5) back
    dH = add_column(dH, T(1) / T(sizes.hidden) * dmH);  // n x h   (3.5) back
    g.d.W1 = matmul(transpose(t.X), dH);                // d x h   (3.4) back
    g.d.u1 = matmul(transpose(t.mX), dH);               // 1 x h   (3.4) back
    const Matrix<T> dmX = matmul(dH, transpose(u1));    // n x 1   (3.4) back
    g.dX = matmul(dY, transpose(W3));                   // n x d   (3.5) back
    matmul_into(g.dX, dH, transpose(W1), Write::add);   // n x d   (3.4) back
    g.dX = add_column(g.dX, T(1) / T(sizes.in) * dmX);  // n x d   (3.4) back
    return g;
  }
};
