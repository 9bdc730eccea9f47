// Lesson 3, part 2: the BMLP as published, forward and backward by hand. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/model/05_bmlp.hpp"

#include "common/initialize.hpp"
#include "lessons/3_swish_vs_bmlp/model/04_means.hpp"

namespace lesson3 {

template <class T>
Bmlp<T>::Bmlp(const Sizes& s)
    : form(s), W1(s.in, s.hidden), u1(1, s.hidden), W2(s.hidden, s.out), u2(1, s.out), W3(s.in, s.out) {}

template <class T>
Bmlp<T>::Bmlp(const Sizes& s, Random& random) : Bmlp(s) {
  W1 = uniform_weights<T>(s.in, s.hidden, random);
  W2 = uniform_weights<T>(s.hidden, s.out, random);
  W3 = uniform_weights<T>(s.in, s.out, random);
  u1 = uniform_matrix<T>(1, s.hidden, 0.01, random);
  u2 = uniform_matrix<T>(1, s.out, 0.01, random);
}

template <class T>
void Bmlp<T>::forward(const Matrix<T>& X, Trace& t) const {
  t.mX = row_means(X);                       // n x 1   (3.4)
  t.H = matmul(X, W1) + matmul(t.mX, u1);    // n x h   (3.4)
  t.mH = row_means(t.H);                     // n x 1   (3.5)
  t.Y = matmul(t.H, W2) + matmul(t.mH, u2);  // n x o   (3.5)
  matmul_into(t.Y, X, W3, Write::add);       // n x o   (3.5)
}

template <class T>
void Bmlp<T>::backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<Bmlp>& g) const {
  g.d.W2 = matmul(transpose(t.H), dY);               // h x o   (3.5) back
  g.d.u2 = matmul(transpose(t.mH), dY);              // 1 x o   (3.5) back
  g.d.W3 = matmul(transpose(X), dY);                 // d x o   (3.5) back
  const Matrix<T> dmH = matmul(dY, transpose(u2));   // n x 1   (3.5) back
  Matrix<T> dH = matmul(dY, transpose(W2));          // n x h   (3.5) back
  dH = add_column(dH, T(1) / T(form.hidden) * dmH);  // n x h   (3.5) back
  g.d.W1 = matmul(transpose(X), dH);                 // d x h   (3.4) back
  g.d.u1 = matmul(transpose(t.mX), dH);              // 1 x h   (3.4) back
  if (!g.with_dX) return;
  const Matrix<T> dmX = matmul(dH, transpose(u1));   // n x 1   (3.4) back
  g.dX = matmul(dY, transpose(W3));                  // n x d   (3.5) back
  matmul_into(g.dX, dH, transpose(W1), Write::add);  // n x d   (3.4) back
  g.dX = add_column(g.dX, T(1) / T(form.in) * dmX);  // n x d   (3.4) back
}

template struct Bmlp<float>;
template struct Bmlp<double>;

Bmlp<double> example_bmlp() {
  Bmlp<double> net({2, 2, 1});
  net.W1 = {{1, 0}, {2, -1}};
  net.u1 = {{4, 2}};
  net.W2 = {{1}, {3}};
  net.u2 = {{2}};
  net.W3 = {{-5}, {1}};
  return net;
}

}  // namespace lesson3
