// Lesson 5, parts 1 to 4: a tensor of order three, and what is done with it. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include "common/matrix.hpp"

// Numbers T[o,p,q]: for each output o a matrix over pairs (p, q) of inputs. Stored slice by slice.
template <class T>
struct Tensor3 {
  std::vector<Matrix<T>> slices;

  Tensor3(std::size_t outputs, std::size_t rows, std::size_t cols) : slices(outputs, Matrix<T>(rows, cols)) {}

  std::size_t outputs() const { return slices.size(); }
  Shape shape() const { return slices.empty() ? Shape{} : slices[0].shape(); }  // of each slice
  T& operator()(std::size_t o, std::size_t p, std::size_t q) { return slices.at(o)(p, q); }
  const T& operator()(std::size_t o, std::size_t p, std::size_t q) const { return slices.at(o)(p, q); }
};

// B[k,i,j] = W[i,k]·V[j,k]: a product layer as a tensor; W and V are m x h.   (5.1)
template <class T>
Tensor3<T> product_tensor(const Matrix<T>& W, const Matrix<T>& V) {
  check_shapes(W.shape() == V.shape(), "product_tensor", W.shape(), V.shape());
  Tensor3<T> B(W.cols(), W.rows(), W.rows());
  for (std::size_t k = 0; k < W.cols(); ++k)
    for (std::size_t i = 0; i < W.rows(); ++i)
      for (std::size_t j = 0; j < W.rows(); ++j) B(k, i, j) = W(i, k) * V(j, k);
  return B;
}

// Y[r,o] = Σ_pq X[r,p]·T[o,p,q]·X[r,q]; X is n x inputs, Y is n x outputs.   (5.2)
template <class T>
Matrix<T> evaluate(const Tensor3<T>& t, const Matrix<T>& X) {
  Matrix<T> Y(X.rows(), t.outputs());
  for (std::size_t o = 0; o < t.outputs(); ++o) {
    const Matrix<T> XT = matmul(X, t.slices[o]);
    for (std::size_t r = 0; r < X.rows(); ++r)
      for (std::size_t q = 0; q < X.cols(); ++q) Y(r, o) += XT(r, q) * X(r, q);
  }
  return Y;
}

// UB[o,i,j] = Σ_k U[k,o]·B[k,i,j]: a linear map behind; U is h x outputs.   (5.3)
template <class T>
Tensor3<T> fold_behind(const Tensor3<T>& B, const Matrix<T>& U) {
  check_shapes(U.rows() == B.outputs(), "fold_behind", {B.outputs(), 1}, U.shape());
  Tensor3<T> UB(U.cols(), B.shape().rows, B.shape().cols);
  for (std::size_t o = 0; o < U.cols(); ++o)
    for (std::size_t k = 0; k < U.rows(); ++k) UB.slices[o] += U(k, o) * B.slices[k];
  return UB;
}

// BE[k,p,q] = Σ_ij E[p,i]·B[k,i,j]·E[q,j]: a linear map in front; E is inputs x m.   (5.4)
template <class T>
Tensor3<T> fold_in_front(const Tensor3<T>& B, const Matrix<T>& E) {
  Tensor3<T> BE(B.outputs(), E.rows(), E.rows());
  for (std::size_t k = 0; k < B.outputs(); ++k) BE.slices[k] = matmul(matmul(E, B.slices[k]), transpose(E));
  return BE;
}

// UBE[o,p,q] = Σ_k U[k,o]·(E·W)[p,k]·(E·V)[q,k], from the factors, without B in between.   (5.5)
template <class T>
Tensor3<T> fold_factors(const Matrix<T>& EW, const Matrix<T>& EV, const Matrix<T>& U) {
  check_shapes(EW.shape() == EV.shape(), "fold_factors", EW.shape(), EV.shape());
  check_shapes(EW.cols() == U.rows(), "fold_factors", EW.shape(), U.shape());
  Tensor3<T> UBE(U.cols(), EW.rows(), EW.rows());
  for (std::size_t o = 0; o < U.cols(); ++o) {
    Matrix<T> weighted = EW;
    for (std::size_t p = 0; p < weighted.rows(); ++p)
      for (std::size_t k = 0; k < weighted.cols(); ++k) weighted(p, k) *= U(k, o);
    UBE.slices[o] = matmul(weighted, transpose(EV));
  }
  return UBE;
}

// S[o,p,q] = (T[o,p,q] + T[o,q,p])/2: the same outputs, since x_p·x_q = x_q·x_p.   (5.11)
template <class T>
Tensor3<T> symmetric(const Tensor3<T>& t) {
  Tensor3<T> S = t;
  for (Matrix<T>& slice : S.slices) slice = T(0.5) * (slice + Matrix<T>(transpose(slice)));
  return S;
}

// Everything on and above the diagonal: T[o,p,q] + T[o,q,p] for p < q. The same outputs again, half the numbers.
template <class T>
Tensor3<T> triangular(const Tensor3<T>& t) {
  Tensor3<T> upper(t.outputs(), t.shape().rows, t.shape().cols);
  for (std::size_t o = 0; o < t.outputs(); ++o)
    for (std::size_t p = 0; p < t.shape().rows; ++p)
      for (std::size_t q = p; q < t.shape().cols; ++q) upper(o, p, q) = t(o, p, q) + (p == q ? T(0) : t(o, q, p));
  return upper;
}
