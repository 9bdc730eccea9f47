// Lesson 3, part 7: a product whose first factor passes through swish_β, by hand. Equations: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/model/14_swish_gate.hpp"

#include "common/initialize.hpp"
#include "common/support/elementary.hpp"

namespace lesson3 {

template <class T>
SwishGate<T>::SwishGate(const GateForm& f)
    : form(f), W(f.in, f.hidden), b(1, f.hidden), V(f.in, f.hidden), c(1, f.hidden), readout(f) {}

template <class T>
SwishGate<T>::SwishGate(const GateForm& f, Random& random) : SwishGate(f) {
  W = uniform_weights<T>(f.in, f.hidden, random);
  V = uniform_weights<T>(f.in, f.hidden, random);
  readout = Readout<T>(f, random);
  b = uniform_matrix<T>(1, f.hidden, 0.1, random);
  c = uniform_matrix<T>(1, f.hidden, 0.1, random);
}

template <class T>
Tensors<T> SwishGate<T>::tensors() {
  return {{"W", W}, {"b", b}, {"V", V}, {"c", c}, {"W2", readout.W2}, {"W3", readout.W3}, {"b2", readout.b2}};
}

template <class T>
void SwishGate<T>::forward(const Matrix<T>& X, Trace& t) const {
  t.P = add_row(matmul(X, W), b);                         // n x h   (3.13)
  t.G = map(T(form.beta) * t.P, elementary::sigmoid<T>);  // n x h   (3.25)
  t.S = hadamard(t.P, t.G);                               // n x h   (3.25)
  t.Q = add_row(matmul(X, V), c);                         // n x h   (3.14)
  t.H = hadamard(t.S, t.Q);                               // n x h   (3.26)
  t.Y = readout.forward(t.H, X);                          // n x o   (3.16)
}

template <class T>
void SwishGate<T>::backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<SwishGate>& g) const {
  const T beta = T(form.beta);
  const Matrix<T> dH = readout.backward(t.H, X, dY, g.d.readout);                         // n x h   (3.16) back
  const Matrix<T> dS = hadamard(dH, t.Q);                                                 // n x h   (3.26) back
  const Matrix<T> dQ = hadamard(dH, t.S);                                                 // n x h   (3.26) back
  const auto slope = [beta](T z, T gate) { return gate * (1 + beta * z * (1 - gate)); };  // n x h   (3.25) back
  const Matrix<T> dP = hadamard(zip(t.P, t.G, slope), dS);                                // n x h   (3.25) back
  g.d.V = matmul(transpose(X), dQ);                                                       // d x h   (3.14) back
  g.d.c = column_sums(dQ);                                                                // 1 x h   (3.14) back
  g.d.W = matmul(transpose(X), dP);                                                       // d x h   (3.13) back
  g.d.b = column_sums(dP);                                                                // 1 x h   (3.13) back
  if (!g.with_dX) return;
  g.dX = readout.backward_to_X(dY);                 // n x d   (3.16) back
  matmul_into(g.dX, dQ, transpose(V), Write::add);  // n x d   (3.14) back
  matmul_into(g.dX, dP, transpose(W), Write::add);  // n x d   (3.13) back
}

template struct SwishGate<float>;
template struct SwishGate<double>;

}  // namespace lesson3
