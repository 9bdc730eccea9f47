// Lesson 3, part 1: the swish MLP, forward and backward by hand. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/model/03_swish.hpp"

#include "common/initialize.hpp"
#include "common/support/elementary.hpp"

namespace lesson3 {

template <class T>
Swish<T>::Swish(const SwishForm& f) : form(f), W1(f.in, f.hidden), b1(1, f.hidden), readout(f) {}

template <class T>
Swish<T>::Swish(const SwishForm& f, Random& random) : Swish(f) {
  W1 = uniform_weights<T>(f.in, f.hidden, random);
  readout = Readout<T>(f, random);
}

template <class T>
Tensors<T> Swish<T>::tensors() {
  if (form.biases == Biases::without) return {{"W1", W1}, {"W2", readout.W2}, {"W3", readout.W3}};
  return {{"W1", W1}, {"b1", b1}, {"W2", readout.W2}, {"W3", readout.W3}, {"b2", readout.b2}};
}

template <class T>
void Swish<T>::forward(const Matrix<T>& X, Trace& t) const {
  t.H = add_row(matmul(X, W1), b1);        // n x h   (3.1)
  t.G = map(t.H, elementary::sigmoid<T>);  // n x h   (3.2)
  t.S = hadamard(t.H, t.G);                // n x h   (3.2)
  t.Y = readout.forward(t.S, X);           // n x o   (3.3)
}

template <class T>
void Swish<T>::backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<Swish>& g) const {
  const Matrix<T> dS = readout.backward(t.S, X, dY, g.d.readout);              // n x h   (3.3) back
  const auto slope = [](T z, T gate) { return gate * (1 + z * (1 - gate)); };  // n x h   (3.2) back
  const Matrix<T> dH = hadamard(zip(t.H, t.G, slope), dS);                     // n x h   (3.2) back
  g.d.W1 = matmul(transpose(X), dH);                                           // d x h   (3.1) back
  g.d.b1 = column_sums(dH);                                                    // 1 x h   (3.1) back
  if (!g.with_dX) return;
  g.dX = readout.backward_to_X(dY);                  // n x d   (3.3) back
  matmul_into(g.dX, dH, transpose(W1), Write::add);  // n x d   (3.1) back
}

template struct Swish<float>;
template struct Swish<double>;

}  // namespace lesson3
