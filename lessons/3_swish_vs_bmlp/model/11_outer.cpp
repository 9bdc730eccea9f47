// Lesson 3, part 5: every product of two hidden numbers, H⊗H, forward and backward by hand. Equations: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/model/11_outer.hpp"

#include "common/initialize.hpp"

namespace lesson3 {
namespace {

// Returns K, n x h·h: K[i, p·h + q] = H[i,p]·H[i,q]   (3.18)
template <class T>
Matrix<T> all_products(const Matrix<T>& H) {
  const std::size_t h = H.cols();
  Matrix<T> K(H.rows(), h * h);
  for (std::size_t i = 0; i < H.rows(); ++i) {
    const std::span<const T> x = H.row(i);
    for (std::size_t p = 0; p < h; ++p) {
      const std::span<T> products = K.row(i).subspan(p * h, h);
      for (std::size_t q = 0; q < h; ++q) products[q] = x[p] * x[q];
    }
  }
  return K;
}

// Returns dH, n x h. H[i,p] stands in its row h times as the first factor and h times as the second.
// dH[i,p] = Σ_q (dK[i, p·h + q] + dK[i, q·h + p])·H[i,q]   (3.18)
template <class T>
Matrix<T> all_products_back(const Matrix<T>& dK, const Matrix<T>& H) {
  const std::size_t h = H.cols();
  Matrix<T> dH(H.rows(), h);
  for (std::size_t i = 0; i < H.rows(); ++i) {
    const std::span<const T> x = H.row(i);
    const std::span<T> dx = dH.row(i);
    for (std::size_t p = 0; p < h; ++p) {
      const std::span<const T> dproducts = dK.row(i).subspan(p * h, h);
      for (std::size_t q = 0; q < h; ++q) dx[q] += dproducts[q] * x[p];  // (3.18) back
      for (std::size_t q = 0; q < h; ++q) dx[p] += dproducts[q] * x[q];  // (3.18) back
    }
  }
  return dH;
}

}  // namespace

template <class T>
Outer<T>::Outer(const Sizes& s)
    : form(s), W1(s.in, s.hidden), W2(s.out, s.hidden * s.hidden), W3(s.in, s.out), b2(1, s.out) {}

template <class T>
Outer<T>::Outer(const Sizes& s, Random& random) : Outer(s) {
  W1 = uniform_weights<T>(s.in, s.hidden, random);
  W2 = uniform_matrix<T>(s.out, s.hidden * s.hidden, 0.025, random);
  W3 = uniform_weights<T>(s.in, s.out, random);
}

template <class T>
void Outer<T>::forward(const Matrix<T>& X, Trace& t) const {
  t.H = matmul(X, W1);                            // n x h     (3.17)
  t.K = all_products(t.H);                        // n x h·h   (3.18)
  t.Y = add_row(matmul(t.K, transpose(W2)), b2);  // n x o     (3.19)
  matmul_into(t.Y, X, W3, Write::add);            // n x o     (3.19)
}

template <class T>
void Outer<T>::backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<Outer>& g) const {
  g.d.W2 = matmul(transpose(dY), t.K);              // o x h·h   (3.19) back
  g.d.W3 = matmul(transpose(X), dY);                // d x o     (3.19) back
  g.d.b2 = column_sums(dY);                         // 1 x o     (3.19) back
  const Matrix<T> dK = matmul(dY, W2);              // n x h·h   (3.19) back
  const Matrix<T> dH = all_products_back(dK, t.H);  // n x h     (3.18) back
  g.d.W1 = matmul(transpose(X), dH);                // d x h     (3.17) back
  if (!g.with_dX) return;
  g.dX = matmul(dY, transpose(W3));                  // n x d     (3.19) back
  matmul_into(g.dX, dH, transpose(W1), Write::add);  // n x d     (3.17) back
}

template struct Outer<float>;
template struct Outer<double>;

}  // namespace lesson3
