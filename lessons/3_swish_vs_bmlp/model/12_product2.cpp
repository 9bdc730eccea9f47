// Lesson 3, part 5: two product layers, one behind the other, forward and backward by hand. Equations: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/model/12_product2.hpp"

#include "common/initialize.hpp"

namespace lesson3 {

template <class T>
Product2<T>::Product2(const Product2Form& f)
    : form(f),
      W(f.in, f.hidden),
      b(1, f.hidden),
      V(f.in, f.hidden),
      c(1, f.hidden),
      U(f.hidden, f.width),
      d(1, f.width),
      Wb(f.width, f.upper),
      bb(1, f.upper),
      Vb(f.width, f.upper),
      cb(1, f.upper),
      readout({f.in, f.upper, f.out}) {}

template <class T>
Product2<T>::Product2(const Product2Form& f, Random& random) : Product2(f) {
  W = uniform_weights<T>(f.in, f.hidden, random);
  V = uniform_weights<T>(f.in, f.hidden, random);
  U = T(0.3) * uniform_weights<T>(f.hidden, f.width, random);
  Wb = uniform_weights<T>(f.width, f.upper, random);
  Vb = uniform_weights<T>(f.width, f.upper, random);
  readout = Readout<T>({f.in, f.upper, f.out}, random);
  for (Matrix<T>* bias : {&b, &c, &bb, &cb}) *bias = uniform_matrix<T>(1, bias->cols(), 0.5, random);
}

template <class T>
Tensors<T> Product2<T>::tensors() {
  return {{"W", W},   {"b", b},   {"V", V},   {"c", c},           {"U", U},           {"d", d},          {"Wb", Wb},
          {"bb", bb}, {"Vb", Vb}, {"cb", cb}, {"W2", readout.W2}, {"W3", readout.W3}, {"b2", readout.b2}};
}

template <class T>
void Product2<T>::forward(const Matrix<T>& X, Trace& t) const {
  t.P = add_row(matmul(X, W), b);       // n x h       (3.13)
  t.Q = add_row(matmul(X, V), c);       // n x h       (3.14)
  t.H = hadamard(t.P, t.Q);             // n x h       (3.15)
  t.G = add_row(matmul(t.H, U), d);     // n x width   (3.20)
  t.Pb = add_row(matmul(t.G, Wb), bb);  // n x upper   (3.21)
  t.Qb = add_row(matmul(t.G, Vb), cb);  // n x upper   (3.21)
  t.Hb = hadamard(t.Pb, t.Qb);          // n x upper   (3.21)
  t.Y = readout.forward(t.Hb, X);       // n x o       (3.22)
}

template <class T>
void Product2<T>::backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<Product2>& g) const {
  const Matrix<T> dHb = readout.backward(t.Hb, X, dY, g.d.readout);  // n x upper       (3.22) back
  const Matrix<T> dPb = hadamard(dHb, t.Qb);                         // n x upper       (3.21) back
  const Matrix<T> dQb = hadamard(dHb, t.Pb);                         // n x upper       (3.21) back
  g.d.Wb = matmul(transpose(t.G), dPb);                              // width x upper   (3.21) back
  g.d.bb = column_sums(dPb);                                         // 1 x upper       (3.21) back
  g.d.Vb = matmul(transpose(t.G), dQb);                              // width x upper   (3.21) back
  g.d.cb = column_sums(dQb);                                         // 1 x upper       (3.21) back
  Matrix<T> dG = matmul(dPb, transpose(Wb));                         // n x width       (3.21) back
  matmul_into(dG, dQb, transpose(Vb), Write::add);                   // n x width       (3.21) back
  g.d.U = matmul(transpose(t.H), dG);                                // h x width       (3.20) back
  g.d.d = column_sums(dG);                                           // 1 x width       (3.20) back
  const Matrix<T> dH = matmul(dG, transpose(U));                     // n x h           (3.20) back
  const Matrix<T> dP = hadamard(dH, t.Q);                            // n x h           (3.15) back
  const Matrix<T> dQ = hadamard(dH, t.P);                            // n x h           (3.15) back
  g.d.V = matmul(transpose(X), dQ);                                  // d x h           (3.14) back
  g.d.c = column_sums(dQ);                                           // 1 x h           (3.14) back
  g.d.W = matmul(transpose(X), dP);                                  // d x h           (3.13) back
  g.d.b = column_sums(dP);                                           // 1 x h           (3.13) back
  if (!g.with_dX) return;
  g.dX = readout.backward_to_X(dY);                 // n x d           (3.22) back
  matmul_into(g.dX, dQ, transpose(V), Write::add);  // n x d           (3.14) back
  matmul_into(g.dX, dP, transpose(W), Write::add);  // n x d           (3.13) back
}

template struct Product2<float>;
template struct Product2<double>;

}  // namespace lesson3
