// Lesson 3: the read-out with which five of its models end, forward and backward. Each numbers it for itself in
// README.md: the swish MLP (3.3), input-dependent weights (3.12), products and gates (3.16), two product layers (3.22).
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/model/02_readout.hpp"

#include "common/initialize.hpp"

namespace lesson3 {

template <class T>
Readout<T>::Readout(const Sizes& s) : W2(s.hidden, s.out), W3(s.in, s.out), b2(1, s.out) {}

template <class T>
Readout<T>::Readout(const Sizes& s, Random& random) : Readout(s) {
  W2 = uniform_weights<T>(s.hidden, s.out, random);
  W3 = uniform_weights<T>(s.in, s.out, random);
}

template <class T>
Matrix<T> Readout<T>::forward(const Matrix<T>& H, const Matrix<T>& X) const {
  Matrix<T> Y = add_row(matmul(H, W2), b2);  // n x o   (3.3) (3.12) (3.16) (3.22)
  matmul_into(Y, X, W3, Write::add);         // n x o
  return Y;
}

template <class T>
Matrix<T> Readout<T>::backward(const Matrix<T>& H, const Matrix<T>& X, const Matrix<T>& dY, Readout& d) const {
  d.W2 = matmul(transpose(H), dY);   // h x o   (3.3) (3.12) (3.16) (3.22) back
  d.W3 = matmul(transpose(X), dY);   // d x o   back
  d.b2 = column_sums(dY);            // 1 x o   back
  return matmul(dY, transpose(W2));  // n x h   back
}

template <class T>
Matrix<T> Readout<T>::backward_to_X(const Matrix<T>& dY) const {
  return matmul(dY, transpose(W3));  // n x d   (3.3) (3.12) (3.16) (3.22) back
}

template struct Readout<float>;
template struct Readout<double>;

}  // namespace lesson3
