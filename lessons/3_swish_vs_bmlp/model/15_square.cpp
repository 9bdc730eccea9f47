// Lesson 3, part 7: a layer of squares, forward and backward by hand. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/model/15_square.hpp"

#include "common/initialize.hpp"

namespace lesson3 {

template <class T>
Square<T>::Square(const Sizes& s) : form(s), W(s.in, s.hidden), b(1, s.hidden), readout(s) {}

template <class T>
Square<T>::Square(const Sizes& s, Random& random) : Square(s) {
  W = uniform_weights<T>(s.in, s.hidden, random);
  readout = Readout<T>(s, random);
  b = uniform_matrix<T>(1, s.hidden, 0.1, random);
}

template <class T>
Tensors<T> Square<T>::tensors() {
  return {{"W", W}, {"b", b}, {"W2", readout.W2}, {"W3", readout.W3}, {"b2", readout.b2}};
}

template <class T>
void Square<T>::forward(const Matrix<T>& X, Trace& t) const {
  t.P = add_row(matmul(X, W), b);  // n x h   (3.27)
  t.H = hadamard(t.P, t.P);        // n x h   (3.28)
  t.Y = readout.forward(t.H, X);   // n x o   (3.16)
}

template <class T>
void Square<T>::backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<Square>& g) const {
  const Matrix<T> dH = readout.backward(t.H, X, dY, g.d.readout);  // n x h   (3.16) back
  const Matrix<T> dP = T(2) * hadamard(dH, t.P);                   // n x h   (3.28) back
  g.d.W = matmul(transpose(X), dP);                                // d x h   (3.27) back
  g.d.b = column_sums(dP);                                         // 1 x h   (3.27) back
  if (!g.with_dX) return;
  g.dX = readout.backward_to_X(dY);                 // n x d   (3.16) back
  matmul_into(g.dX, dP, transpose(W), Write::add);  // n x d   (3.27) back
}

template struct Square<float>;
template struct Square<double>;

}  // namespace lesson3
