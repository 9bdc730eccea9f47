// Lesson 3: the BMLP in the shapes of its write-up, where u1 is as long as a row of X and u2 as one
// of H. Then a mean is over the batch, and its product with u1 or u2 one number, added everywhere.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/3_swish_vs_bmlp/models.hpp"

namespace lesson3 {

// Returns A with a number added to all its entries.
template <class T>
Matrix<T> add_everywhere(const Matrix<T>& A, double number) {
  return map_entries(A, [number](T a) { return a + T(number); });
}

template <class T>
T sum_of(const Matrix<T>& A) {
  return T(dot(A, Matrix<T>(A.rows(), A.cols(), T(1))));
}

template <class T>
struct BatchBmlp {
  using Number = T;
  struct Trace {
    Matrix<T> mX, H, mH, Y;  // mX and mH are the means of the columns of X and H
  };

  Sizes form;
  Matrix<T> W1, u1, W2, u2, W3;  // in x h, 1 x in, h x out, 1 x h, in x out

  explicit BatchBmlp(const Sizes& s)
      : form(s),
        W1(s.in, s.hidden),
        u1(1, s.in),
        W2(s.hidden, s.out),
        u2(1, s.hidden),
        W3(s.in, s.out) {}
  BatchBmlp(const Sizes& s, Random& random) : BatchBmlp(s) {
    start_weights({&W1, &W2, &W3}, random);
    start_rows({&u1, &u2}, published_start, random);
  }
  Tensors<T> tensors() { return {{"W1", W1}, {"u1", u1}, {"W2", W2}, {"u2", u2}, {"W3", W3}}; }
  ConstTensors<T> tensors() const { return read_only(*this); }

  void forward(const Matrix<T>& X, Trace& t) const {
    t.mX = column_means(X);                                // 1 x in   (3.15)
    t.H = add_everywhere(matmul(X, W1), dot(t.mX, u1));    // n x h   (3.15)
    t.mH = column_means(t.H);                              // 1 x h   (3.16)
    t.Y = add_everywhere(matmul(t.H, W2), dot(t.mH, u2));  // n x out   (3.16)
    matmul_into(t.Y, X, W3, Write::add);                   // n x out   (3.16)
  }
  // Each row counts 1/n in a mean.
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY,
                Gradients<BatchBmlp>& g) const {
    const T share = T(1) / T(X.rows()), all = sum_of(dY);  // of every answer   (3.16) back
    g.parameters.W2 = matmul(transpose(t.H), dY);          // h x out   (3.16) back
    g.parameters.W3 = matmul(transpose(X), dY);            // in x out   (3.16) back
    g.parameters.u2 = all * t.mH;                          // 1 x h   (3.16) back
    Matrix<T> dH = matmul(dY, transpose(W2));              // n x h   (3.16) back
    dH = add_row(std::move(dH), share * all * u2);         // n x h   (3.16) back
    const T hidden = sum_of(dH);                           // of every hidden number (3.15) back
    g.parameters.W1 = matmul(transpose(X), dH);            // in x h   (3.15) back
    g.parameters.u1 = hidden * t.mX;                       // 1 x in   (3.15) back
    if (!g.with_dX) return;
    g.dX = matmul(dY, transpose(W3));                      // n x in   (3.16) back
    matmul_into(g.dX, dH, transpose(W1), Write::add);      // n x in   (3.15) back
    g.dX = add_row(std::move(g.dX), share * hidden * u1);  // n x in   (3.15) back
  }
};
extern template struct BatchBmlp<float>;  // compiled once, in models.cpp

}  // namespace lesson3
