// Lesson 5, the model: the forward and the backward pass of embedding, product layer and unembedding. Equation numbers:
// README.md.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/model/02_net.hpp"

#include <cmath>

namespace lesson5 {

template <class T>
Net<T>::Net(const NetForm& f)
    : form(f),
      E(f.embedding ? f.inputs : 0, f.embedding),
      e(1, f.embedding),
      W(f.seen(), f.hidden),
      b(1, f.hidden),
      V(f.seen(), f.hidden),
      c(1, f.hidden),
      U(f.hidden, f.outputs),
      d(1, f.outputs) {}

template <class T>
Net<T>::Net(const NetForm& f, Random& random) : Net(f) {
  for (Matrix<T>* weights : {&E, &W, &V, &U})
    if (weights->size() > 0)
      *weights = normal_matrix<T>(weights->rows(), weights->cols(), 1 / std::sqrt(double(weights->rows())), random);
}

template <class T>
Tensors<T> Net<T>::tensors() {
  Tensors<T> all;
  const auto add = [&](const char* weights, Matrix<T>& w, const char* bias, Matrix<T>& shift) {
    all.push_back({weights, w});
    if (form.biases == Biases::with) all.push_back({bias, shift});
  };
  if (form.embedding) add("E", E, "e", e);
  add("W", W, "b", b);
  add("V", V, "c", c);
  add("U", U, "d", d);
  return all;
}

template <class T>
void Net<T>::forward(const Matrix<T>& X, Trace& t) const {
  t.Z = form.embedding ? add_row(matmul(X, E), e) : X;  // rows x m         (5.6)
  t.P = add_row(matmul(t.Z, W), b);                     // rows x h         (5.7)
  t.Q = add_row(matmul(t.Z, V), c);                     // rows x h         (5.7)
  t.H = hadamard(t.P, t.Q);                             // rows x h         (5.8)
  t.Y = add_row(matmul(t.H, U), d);                     // rows x outputs   (5.9)
}

template <class T>
void Net<T>::backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY,  // rows x outputs
                      Gradients<Net>& g) const {
  g.d.U = matmul(transpose(t.H), dY);             // h x outputs   (5.9) back
  g.d.d = column_sums(dY);                        // 1 x outputs   (5.9) back
  const Matrix<T> dH = matmul(dY, transpose(U));  // rows x h      (5.9) back
  const Matrix<T> dP = hadamard(dH, t.Q);         // rows x h      (5.8) back
  const Matrix<T> dQ = hadamard(dH, t.P);         // rows x h      (5.8) back
  g.d.W = matmul(transpose(t.Z), dP);             // m x h         (5.7) back
  g.d.b = column_sums(dP);                        // 1 x h         (5.7) back
  g.d.V = matmul(transpose(t.Z), dQ);             // m x h         (5.7) back
  g.d.c = column_sums(dQ);                        // 1 x h         (5.7) back
  if (!form.embedding && !g.with_dX) return;
  Matrix<T> dZ = matmul(dP, transpose(W));                               // rows x m    (5.7) back
  matmul_into(dZ, dQ, transpose(V), Write::add);                         // rows x m    (5.7) back
  if (form.embedding) g.d.E = matmul(transpose(X), dZ);                  // inputs x m  (5.6) back
  if (form.embedding) g.d.e = column_sums(dZ);                           // 1 x m       (5.6) back
  if (g.with_dX) g.dX = form.embedding ? matmul(dZ, transpose(E)) : dZ;  // rows x inputs (5.6) back
}

template struct Net<float>;
template struct Net<double>;

}  // namespace lesson5
