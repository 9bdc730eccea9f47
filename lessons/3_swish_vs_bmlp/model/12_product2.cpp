// Lesson 3, part 5: two product layers, one behind the other, forward and backward by hand. Equations: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/model/12_product2.hpp"

#include "common/initialize.hpp"

namespace lesson3 {

template <class T>
Product2<T>::Product2(const Product2Form& f)
    : form(f),
      lower(f.in, f.hidden),
      U(f.hidden, f.width),
      d(1, f.width),
      upper(f.width, f.upper),
      readout({f.in, f.upper, f.out}) {}

template <class T>
Product2<T>::Product2(const Product2Form& f, Random& random) : Product2(f) {
  lower.W = uniform_weights<T>(f.in, f.hidden, random);
  lower.V = uniform_weights<T>(f.in, f.hidden, random);
  U = T(0.3) * uniform_weights<T>(f.hidden, f.width, random);
  upper.W = uniform_weights<T>(f.width, f.upper, random);
  upper.V = uniform_weights<T>(f.width, f.upper, random);
  readout = Readout<T>({f.in, f.upper, f.out}, random);
  for (Matrix<T>* bias : {&lower.b, &lower.c, &upper.b, &upper.c})
    *bias = uniform_matrix<T>(1, bias->cols(), 0.5, random);
}

template <class T>
Tensors<T> Product2<T>::tensors() {
  auto& [W, b, V, c] = lower;
  auto& [Wb, bb, Vb, cb] = upper;
  return {{"W", W},   {"b", b},   {"V", V},   {"c", c},           {"U", U},           {"d", d},          {"Wb", Wb},
          {"bb", bb}, {"Vb", Vb}, {"cb", cb}, {"W2", readout.W2}, {"W3", readout.W3}, {"b2", readout.b2}};
}

template <class T>
void Product2<T>::forward(const Matrix<T>& X, Trace& t) const {
  lower.forward(X, t.lower);               // n x h (3.13) (3.14) (3.15)
  t.J = add_row(matmul(t.lower.H, U), d);  // n x width   (3.20)
  upper.forward(t.J, t.upper);             // n x upper   (3.21)
  t.Y = readout.forward(t.upper.H, X);     // n x o       (3.22)
}

template <class T>
void Product2<T>::backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<Product2>& g) const {
  const Matrix<T> dHb = readout.backward(t.upper.H, X, dY, g.d.readout);  // n x upper   (3.22) back
  Matrix<T> dJ(t.J.rows(), t.J.cols());
  upper.backward(t.J, t.upper, dHb, g.d.upper, &dJ);  // n x width   (3.21) back
  g.d.U = matmul(transpose(t.lower.H), dJ);           // h x width   (3.20) back
  g.d.d = column_sums(dJ);                            // 1 x width   (3.20) back
  const Matrix<T> dH = matmul(dJ, transpose(U));      // n x h       (3.20) back
  if (g.with_dX) g.dX = readout.backward_to_X(dY);    // n x d       (3.22) back
  Matrix<T>* const dX = g.with_dX ? &g.dX : nullptr;  // n x d   back
  lower.backward(X, t.lower, dH, g.d.lower, dX);      // (3.15) to (3.13) back
}

template struct Product2<float>;
template struct Product2<double>;

}  // namespace lesson3
