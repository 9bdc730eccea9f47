// Lesson 3, part 5: input-dependent weights, W1 + mean(x)·U1, forward and backward by hand. Equations: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/model/09_gated_mean.hpp"

#include "common/initialize.hpp"
#include "lessons/3_swish_vs_bmlp/model/04_means.hpp"

namespace lesson3 {

template <class T>
GatedMean<T>::GatedMean(const Sizes& s)
    : form(s), W1(s.in, s.hidden), U1(s.in, s.hidden), b1(1, s.hidden), readout(s) {}

template <class T>
GatedMean<T>::GatedMean(const Sizes& s, Random& random) : GatedMean(s) {
  W1 = uniform_weights<T>(s.in, s.hidden, random);
  U1 = uniform_weights<T>(s.in, s.hidden, random);
  readout = Readout<T>(s, random);
}

template <class T>
Tensors<T> GatedMean<T>::tensors() {
  return {{"W1", W1}, {"U1", U1}, {"b1", b1}, {"W2", readout.W2}, {"W3", readout.W3}, {"b2", readout.b2}};
}

template <class T>
void GatedMean<T>::forward(const Matrix<T>& X, Trace& t) const {
  t.m = row_means(X);                   // n x 1   (3.11)
  t.F = matmul(X, U1);                  // n x h   (3.11)
  t.H = scale_rows(t.F, t.m);           // n x h   (3.11)
  matmul_into(t.H, X, W1, Write::add);  // n x h   (3.11)
  t.H = add_row(std::move(t.H), b1);    // n x h   (3.11)
  t.Y = readout.forward(t.H, X);        // n x o   (3.12)
}

template <class T>
void GatedMean<T>::backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<GatedMean>& g) const {
  const Matrix<T> dH = readout.backward(t.H, X, dY, g.d.readout);  // n x h   (3.12) back
  const Matrix<T> dF = scale_rows(dH, t.m);                        // n x h   (3.11) back
  g.d.W1 = matmul(transpose(X), dH);                               // d x h   (3.11) back
  g.d.U1 = matmul(transpose(X), dF);                               // d x h   (3.11) back
  g.d.b1 = column_sums(dH);                                        // 1 x h   (3.11) back
  if (!g.with_dX) return;
  const Matrix<T> dm = row_dots(dH, t.F);            // n x 1   (3.11) back
  g.dX = readout.backward_to_X(dY);                  // n x d   (3.12) back
  matmul_into(g.dX, dH, transpose(W1), Write::add);  // n x d   (3.11) back
  matmul_into(g.dX, dF, transpose(U1), Write::add);  // n x d   (3.11) back
  g.dX = add_column(g.dX, T(1) / T(form.in) * dm);   // n x d   (3.11) back
}

template struct GatedMean<float>;
template struct GatedMean<double>;

}  // namespace lesson3
