// Lesson 2, the model: the forward and the backward pass of Bengio's neural language model. Equations: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/2_bengio_mlp/model/2_bengio.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/support/elementary.hpp"

namespace lesson2 {

template <class T>
Bengio<T>::Bengio(const BengioForm& f)
    : form(f),
      C(f.vocab + 1, f.dim),
      W1(f.context * f.dim, f.hidden),
      b1(1, f.hidden),
      W2(f.hidden, f.vocab),
      b2(1, f.vocab),
      Wd(f.direct ? f.context * f.dim : 0, f.direct ? f.vocab : 0) {}

template <class T>
Bengio<T>::Bengio(const BengioForm& f, Random& random, double last_deviation) : Bengio(f) {
  const std::size_t in = f.context * f.dim;
  C = normal_matrix<T>(f.vocab + 1, f.dim, 1, random);
  W1 = normal_matrix<T>(in, f.hidden, 1 / std::sqrt(double(in)), random);
  W2 = normal_matrix<T>(f.hidden, f.vocab, last_deviation, random);
}

template <class T>
Tensors<T> Bengio<T>::tensors() {
  Tensors<T> all{{"C", C}, {"W1", W1}, {"b1", b1}, {"W2", W2}, {"b2", b2}};
  if (form.direct) all.push_back({"Wd", Wd});
  return all;
}

template <class T>
void Bengio<T>::forward(const Windows& X, Trace& t) const {
  t.E = look_up(X);                                        // n x c·d     (2.1)
  t.H = add_row(matmul(t.E, W1), b1);                      // n x h       (2.2)
  t.H = map(std::move(t.H), elementary::tanh<T>);          // n x h       (2.3)
  t.Y = add_row(matmul(t.H, W2), b2);                      // n x vocab   (2.4)
  if (form.direct) matmul_into(t.Y, t.E, Wd, Write::add);  // n x vocab   (2.5)
}

template <class T>
void Bengio<T>::backward(const Windows& X, const Trace& t, const Matrix<T>& dY,  // n x vocab
                         Gradients<Bengio>& g) const {
  const Matrix<T> dE = backward_to_embeddings(t, dY, g.d);  // n x c·d         (2.5) to (2.2) back
  g.d.C = scatter_add(X, dE);                               // (vocab + 1) x d (2.1) back
}

// d loss / d z of one unit with h = tanh z.
template <class T>
static T through_tanh(T dh, T h) {
  return dh * (1 - h * h);  // (2.3) back
}

template <class T>
Matrix<T> Bengio<T>::backward_to_embeddings(const Trace& t, const Matrix<T>& dY, Bengio& d) const {
  Matrix<T> dE(t.E.rows(), t.E.cols());                           // n x c·d
  if (form.direct) d.Wd = matmul(transpose(t.E), dY);             // c·d x vocab (2.5) back
  if (form.direct) dE = matmul(dY, transpose(Wd));                // n x c·d     (2.5) back
  d.W2 = matmul(transpose(t.H), dY);                              // h x vocab   (2.4) back
  d.b2 = column_sums(dY);                                         // 1 x vocab   (2.4) back
  Matrix<T> dH = matmul(dY, transpose(W2));                       // n x h       (2.4) back
  const Matrix<T> dZ = zip(std::move(dH), t.H, through_tanh<T>);  // n x h       (2.3) back
  d.W1 = matmul(transpose(t.E), dZ);                              // c·d x h     (2.2) back
  d.b1 = column_sums(dZ);                                         // 1 x h       (2.2) back
  matmul_into(dE, dZ, transpose(W1), Write::add);                 // n x c·d     (2.2) back
  return dE;
}

// E[i, k·d + a] = C[context[i,k], a]   (2.1)
template <class T>
Matrix<T> Bengio<T>::look_up(const Windows& X) const {
  Matrix<T> E(X.size(), form.context * form.dim);
  for (std::size_t i = 0; i < E.rows(); ++i)
    for (std::size_t k = 0; k < form.context; ++k) {
      const std::span<const T> row = C.row(X.context(i)[k]);
      std::copy(row.begin(), row.end(), E.row(i).begin() + std::ptrdiff_t(k * form.dim));
    }
  return E;
}

// dC[context[i,k], a] += dE[i, k·d + a]   (2.1) back
// A symbol that stands twice collects twice: += and never =.
template <class T>
Matrix<T> Bengio<T>::scatter_add(const Windows& X, const Matrix<T>& dE) const {
  Matrix<T> dC(C.rows(), C.cols());
  for (std::size_t i = 0; i < dE.rows(); ++i)
    for (std::size_t k = 0; k < form.context; ++k) {
      const std::span<T> row = dC.row(X.context(i)[k]);
      for (std::size_t a = 0; a < form.dim; ++a) row[a] += dE(i, k * form.dim + a);  // (2.1) back
    }
  return dC;
}

template struct Bengio<float>;
template struct Bengio<double>;

}  // namespace lesson2
