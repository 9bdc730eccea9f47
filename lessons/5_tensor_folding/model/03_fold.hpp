// Lesson 5, parts 2 and 3: a whole net as one tensor, biases included. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include "net.hpp"
#include "tensor3.hpp"

// [A 0; a 1]: rows, cols and one more of each. (x, 1) times it is (x·A + a, 1): the constant is carried through.   (5.10)
template <class T>
Matrix<T> extended(const Matrix<T>& A, const Matrix<T>& a) {
  check_shapes(a.shape() == Shape{1, A.cols()}, "extended", A.shape(), a.shape());
  Matrix<T> wide(A.rows() + 1, A.cols() + 1);
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) wide(i, j) = A(i, j);
  for (std::size_t j = 0; j < A.cols(); ++j) wide(A.rows(), j) = a(0, j);
  wide(A.rows(), A.cols()) = 1;
  return wide;
}

// [A; a]: for the last map, behind which no constant is needed.   (5.10)
template <class T>
Matrix<T> with_last_row(const Matrix<T>& A, const Matrix<T>& a) {
  const Matrix<T> wide = extended(A, a);
  return Matrix<T>(column_block(wide, 0, A.cols()));
}

// X with a column of ones behind it.
template <class T>
Matrix<T> with_one(const Matrix<T>& X) {
  Matrix<T> wide(X.rows(), X.cols() + 1, 1);
  for (std::size_t i = 0; i < X.rows(); ++i) std::copy(X.row(i).begin(), X.row(i).end(), wide.row(i).begin());
  return wide;
}

// The net as one tensor over (x, 1), logits[r,o] = Σ_pq x~[r,p]·T[o,p,q]·x~[r,q]. Without biases and with an embedding or
// without, the constant's row and column are zero. In double, whatever the net was trained in.
template <class T>
Tensor3<double> fold(const Net<T>& net) {
  const auto wide = [](const Matrix<T>& A, const Matrix<T>& a) {
    return extended(Matrix<double>(A.view()), Matrix<double>(a.view()));
  };
  Matrix<double> W = wide(net.W, net.b), V = wide(net.V, net.c);
  if (net.form.embedding) {
    const Matrix<double> E = wide(net.E, net.e);
    W = matmul(E, W), V = matmul(E, V);
  }
  return fold_factors(W, V, with_last_row(Matrix<double>(net.U.view()), Matrix<double>(net.d.view())));
}

// The slice of one output without the constant: S = ½ Σ_k U[k,o]·(w_k·v_kᵀ + v_k·w_kᵀ), inputs x inputs. For nets without
// biases this is all there is.
template <class T>
Matrix<double> quadratic_slice(const Net<T>& net, std::size_t o) {
  const Tensor3<double> S = symmetric(fold(net));
  const std::size_t n = net.form.inputs;
  return Matrix<double>(row_block(column_block(S.slices.at(o), 0, n), 0, n));
}
