// Lesson 3, part 2: the BMLP that takes its means over the batch, forward and backward by hand. Equations: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/model/06_bmlp_batch.hpp"

#include "common/initialize.hpp"
#include "lessons/3_swish_vs_bmlp/model/04_means.hpp"

namespace lesson3 {

template <class T>
BmlpBatch<T>::BmlpBatch(const Sizes& s)
    : form(s), W1(s.in, s.hidden), u1(1, s.in), W2(s.hidden, s.out), u2(1, s.hidden), W3(s.in, s.out) {}

template <class T>
BmlpBatch<T>::BmlpBatch(const Sizes& s, Random& random) : BmlpBatch(s) {
  W1 = uniform_weights<T>(s.in, s.hidden, random);
  W2 = uniform_weights<T>(s.hidden, s.out, random);
  W3 = uniform_weights<T>(s.in, s.out, random);
  u1 = uniform_matrix<T>(1, s.in, 0.01, random);
  u2 = uniform_matrix<T>(1, s.hidden, 0.01, random);
}

template <class T>
void BmlpBatch<T>::forward(const Matrix<T>& X, Trace& t) const {
  t.mX = column_means(X);                                   // 1 x d   (3.6)
  t.H = add_everywhere(matmul(X, W1), T(dot(t.mX, u1)));    // n x h   (3.6)
  t.mH = column_means(t.H);                                 // 1 x h   (3.7)
  t.Y = add_everywhere(matmul(t.H, W2), T(dot(t.mH, u2)));  // n x o   (3.7)
  matmul_into(t.Y, X, W3, Write::add);                      // n x o   (3.7)
}

template <class T>
void BmlpBatch<T>::backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<BmlpBatch>& g) const {
  const T rows = T(X.rows());
  const T dsH = total(dY);                   // of mH·u2       (3.7) back
  g.d.W2 = matmul(transpose(t.H), dY);       // h x o          (3.7) back
  g.d.u2 = dsH * t.mH;                       // 1 x h          (3.7) back
  g.d.W3 = matmul(transpose(X), dY);         // d x o          (3.7) back
  Matrix<T> dH = matmul(dY, transpose(W2));  // n x h          (3.7) back
  dH = add_row(dH, dsH / rows * u2);         // n x h          (3.7) back
  const T dsX = total(dH);                   // of mX·u1       (3.6) back
  g.d.W1 = matmul(transpose(X), dH);         // d x h          (3.6) back
  g.d.u1 = dsX * t.mX;                       // 1 x d          (3.6) back
  if (!g.with_dX) return;
  g.dX = matmul(dY, transpose(W3));                  // n x d          (3.7) back
  matmul_into(g.dX, dH, transpose(W1), Write::add);  // n x d          (3.6) back
  g.dX = add_row(g.dX, dsX / rows * u1);             // n x d          (3.6) back
}

template struct BmlpBatch<float>;
template struct BmlpBatch<double>;

}  // namespace lesson3
