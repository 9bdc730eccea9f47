// Lesson 3, part 5: every product of two hidden numbers, H⊗H, forward and backward by hand. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include "network.hpp"

template <class T>
struct Outer {
  using Number = T;

  Sizes sizes;
  Matrix<T> W1;      // d x h
  Matrix<T> W2;      // o x h·h: W2[o,p,q] stands in row o, column p·h + q
  Matrix<T> W3, b2;  // d x o, 1 x o

  // All parameters zero.
  explicit Outer(Sizes s)
      : sizes(s), W1(s.in, s.hidden), W2(s.out, s.hidden * s.hidden), W3(s.in, s.out), b2(1, s.out) {}

  // The start of training.
  Outer(Sizes s, Random& random) : Outer(s) {
    W1 = uniform_weights<T>(s.in, s.hidden, random);
    W2 = uniform_matrix<T>(s.out, s.hidden * s.hidden, 0.025, random);
    W3 = uniform_weights<T>(s.in, s.out, random);
  }

  Tensors<T> tensors() { return {{"W1", W1}, {"W2", W2}, {"W3", W3}, {"b2", b2}}; }

  // What the backward pass needs to remember of the forward pass.
  struct Trace {
    Matrix<T> X, H, K, Y;
  };

  Trace forward(Matrix<T> X) const {
    Trace t;
    t.X = std::move(X);
    t.H = matmul(t.X, W1);                          // n x h     (3.17)
    t.K = all_products(t.H);                        // n x h·h   (3.18)
    t.Y = add_row(matmul(t.K, transpose(W2)), b2);  // n x o     (3.19)
    matmul_into(t.Y, t.X, W3, Write::add);          // n x o     (3.19)
    return t;
  }

  // dY is d loss / d Y, n x o.
  Gradients<Outer> backward(const Trace& t, const Matrix<T>& dY) const {
    Gradients<Outer> g{Outer(sizes), {}};
    g.d.W2 = matmul(transpose(dY), t.K);               // o x h·h   (3.19) back
    g.d.W3 = matmul(transpose(t.X), dY);               // d x o     (3.19) back
    g.d.b2 = column_sums(dY);                          // 1 x o     (3.19) back
    const Matrix<T> dK = matmul(dY, W2);               // n x h·h   (3.19) back
    const Matrix<T> dH = all_products_back(dK, t.H);   // n x h     (3.18) back
    g.d.W1 = matmul(transpose(t.X), dH);               // d x h     (3.17) back
    g.dX = matmul(dY, transpose(W3));                  // n x d     (3.19) back
    matmul_into(g.dX, dH, transpose(W1), Write::add);  // n x d     (3.17) back
    return g;
  }

  // K[i, p·h + q] = H[i,p]·H[i,q]   (3.18)
  static Matrix<T> all_products(const Matrix<T>& H) {
    const std::size_t h = H.cols();
    Matrix<T> K(H.rows(), h * h);
    for (std::size_t i = 0; i < H.rows(); ++i) {
      const std::span<const T> x = H.row(i);
      for (std::size_t p = 0; p < h; ++p) {
        const std::span<T> products = K.row(i).subspan(p * h, h);
        for (std::size_t q = 0; q < h; ++q) products[q] = x[p] * x[q];
      }
    }
    return K;
  }

  // H[i,p] stands in its row h times as the first factor and h times as the second.
  // dH[i,p] = Σ_q (dK[i, p·h + q] + dK[i, q·h + p])·H[i,q]   (3.18)
  static Matrix<T> all_products_back(const Matrix<T>& dK, const Matrix<T>& H) {
    const std::size_t h = H.cols();
    Matrix<T> dH(H.rows(), h);
    for (std::size_t i = 0; i < H.rows(); ++i) {
      const std::span<const T> x = H.row(i);
      const std::span<T> dx = dH.row(i);
      for (std::size_t p = 0; p < h; ++p) {
        const std::span<const T> dproducts = dK.row(i).subspan(p * h, h);
        for (std::size_t q = 0; q < h; ++q) dx[q] += dproducts[q] * x[p];  // (3.18) back
        for (std::size_t q = 0; q < h; ++q) dx[p] += dproducts[q] * x[q];  // (3.18) back
      }
    }
    return dH;
  }
};
