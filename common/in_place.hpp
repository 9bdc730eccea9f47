// Operations whose result goes into a matrix that the caller keeps: where it has the shape already,
// nothing is allocated.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>

#include "common/matrix.hpp"

// Makes A rows x cols; its entries are to be overwritten.
template <class T>
void resize(Matrix<T>& A, std::size_t rows, std::size_t cols) {
  if (A.shape() != Shape{rows, cols}) A = Matrix<T>(rows, cols);
}

// Puts A ⊙ B into `to`, which may be A.
template <class T>
void multiply(const Matrix<T>& A, const Matrix<T>& B, Matrix<T>& to) {
  check_shapes(A.shape() == B.shape(), "multiply", A.shape(), B.shape());
  resize(to, A.rows(), A.cols());
  std::transform(A.values().begin(), A.values().end(), B.values().begin(), to.values().begin(),
                 std::multiplies<T>());
}

// Puts factor·A into `to`, which may be A.
template <class T>
void scale(T factor, const Matrix<T>& A, Matrix<T>& to) {
  resize(to, A.rows(), A.cols());
  std::transform(A.values().begin(), A.values().end(), to.values().begin(),
                 [factor](T a) { return factor * a; });
}
