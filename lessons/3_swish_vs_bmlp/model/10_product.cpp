// Lesson 3, part 5: the product layer, forward and backward by hand. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/model/10_product.hpp"

#include "common/initialize.hpp"

namespace lesson3 {

template <class T>
Factors<T>::Factors(std::size_t in, std::size_t hidden) : W(in, hidden), b(1, hidden), V(in, hidden), c(1, hidden) {}

template <class T>
void Factors<T>::forward(const Matrix<T>& X, Trace& t) const {
  t.P = add_row(matmul(X, W), b);  // n x h   (3.13)
  t.Q = add_row(matmul(X, V), c);  // n x h   (3.14)
  t.H = hadamard(t.P, t.Q);        // n x h   (3.15)
}

template <class T>
void Factors<T>::backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dH, Factors& d, Matrix<T>* dX) const {
  const Matrix<T> dP = hadamard(dH, t.Q);  // n x h   (3.15) back
  const Matrix<T> dQ = hadamard(dH, t.P);  // n x h   (3.15) back
  d.V = matmul(transpose(X), dQ);          // d x h   (3.14) back
  d.c = column_sums(dQ);                   // 1 x h   (3.14) back
  d.W = matmul(transpose(X), dP);          // d x h   (3.13) back
  d.b = column_sums(dP);                   // 1 x h   (3.13) back
  if (dX == nullptr) return;
  matmul_into(*dX, dQ, transpose(V), Write::add);  // n x d   (3.14) back
  matmul_into(*dX, dP, transpose(W), Write::add);  // n x d   (3.13) back
}

template <class T>
Product<T>::Product(const Sizes& s) : form(s), factors(s.in, s.hidden), readout(s) {}

template <class T>
Product<T>::Product(const Sizes& s, Random& random) : Product(s) {
  factors.W = uniform_weights<T>(s.in, s.hidden, random);
  factors.V = uniform_weights<T>(s.in, s.hidden, random);
  readout = Readout<T>(s, random);
  factors.b = uniform_matrix<T>(1, s.hidden, 0.1, random);
  factors.c = uniform_matrix<T>(1, s.hidden, 0.1, random);
}

template <class T>
Tensors<T> Product<T>::tensors() {
  auto& [W, b, V, c] = factors;
  return {{"W", W}, {"b", b}, {"V", V}, {"c", c}, {"W2", readout.W2}, {"W3", readout.W3}, {"b2", readout.b2}};
}

template <class T>
void Product<T>::forward(const Matrix<T>& X, Trace& t) const {
  factors.forward(X, t.products);          // (3.13) (3.14) (3.15)
  t.Y = readout.forward(t.products.H, X);  // n x o   (3.16)
}

template <class T>
void Product<T>::backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<Product>& g) const {
  const Matrix<T> dH = readout.backward(t.products.H, X, dY, g.d.readout);  // n x h   (3.16) back
  if (g.with_dX) g.dX = readout.backward_to_X(dY);                          // n x d   (3.16) back
  Matrix<T>* const dX = g.with_dX ? &g.dX : nullptr;                        // n x d   back
  factors.backward(X, t.products, dH, g.d.factors, dX);                     // (3.15) to (3.13) back
}

template struct Factors<float>;
template struct Factors<double>;
template struct Product<float>;
template struct Product<double>;

}  // namespace lesson3
