// Lesson 3, part 7: a product whose first factor passes through swish_β, by hand. Equations: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/model/14_swish_gate.hpp"

#include "common/support/elementary.hpp"

namespace lesson3 {

template <class T>
SwishGate<T>::SwishGate(const GateForm& f) : form(f), product(f) {}

template <class T>
SwishGate<T>::SwishGate(const GateForm& f, Random& random) : form(f), product(f, random) {}

template <class T>
void SwishGate<T>::forward(const Matrix<T>& X, Trace& t) const {
  t.P = add_row(matmul(X, product.factors.W), product.factors.b);  // n x h   (3.13)
  t.G = map(T(form.beta) * t.P, elementary::sigmoid<T>);           // n x h   (3.25)
  t.S = hadamard(t.P, t.G);                                        // n x h   (3.25)
  t.Q = add_row(matmul(X, product.factors.V), product.factors.c);  // n x h   (3.14)
  t.H = hadamard(t.S, t.Q);                                        // n x h   (3.26)
  t.Y = product.readout.forward(t.H, X);                           // n x o   (3.16)
}

template <class T>
void SwishGate<T>::backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<SwishGate>& g) const {
  const T beta = T(form.beta);
  const Matrix<T> dH = product.readout.backward(t.H, X, dY, g.d.product.readout);         // n x h   (3.16) back
  const Matrix<T> dS = hadamard(dH, t.Q);                                                 // n x h   (3.26) back
  const Matrix<T> dQ = hadamard(dH, t.S);                                                 // n x h   (3.26) back
  const auto slope = [beta](T z, T gate) { return gate * (1 + beta * z * (1 - gate)); };  // n x h   (3.25) back
  const Matrix<T> dP = hadamard(zip(t.P, t.G, slope), dS);                                // n x h   (3.25) back
  g.d.product.factors.V = matmul(transpose(X), dQ);                                       // d x h   (3.14) back
  g.d.product.factors.c = column_sums(dQ);                                                // 1 x h   (3.14) back
  g.d.product.factors.W = matmul(transpose(X), dP);                                       // d x h   (3.13) back
  g.d.product.factors.b = column_sums(dP);                                                // 1 x h   (3.13) back
  if (!g.with_dX) return;
  g.dX = product.readout.backward_to_X(dY);                         // n x d   (3.16) back
  matmul_into(g.dX, dQ, transpose(product.factors.V), Write::add);  // n x d   (3.14) back
  matmul_into(g.dX, dP, transpose(product.factors.W), Write::add);  // n x d   (3.13) back
}

template struct SwishGate<float>;
template struct SwishGate<double>;

}  // namespace lesson3
