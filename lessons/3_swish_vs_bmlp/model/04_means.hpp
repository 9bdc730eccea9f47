// Lesson 3: means, and their way back. A mean over d numbers gives each of them the slope 1/d.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"

// The mean of each row, n x 1.
template <class T>
Matrix<T> row_means(const Matrix<T>& A) {
  return matmul(A, Matrix<T>(A.cols(), 1, T(1) / T(A.cols())));
}

// A + m·1: entry i of the column m (n x 1) added to all of row i of A.
template <class T>
Matrix<T> add_column(Matrix<T> A, const Matrix<T>& m) {
  matmul_into(A, m, Matrix<T>(1, A.cols(), T(1)), Write::add);  // (3.5) back
  return A;
}

// The mean of each column, 1 x cols.
template <class T>
Matrix<T> column_means(const Matrix<T>& A) {
  return T(1) / T(A.rows()) * column_sums(A);
}

// A with one number added to every entry.
template <class T>
Matrix<T> add_everywhere(Matrix<T> A, T number) {
  return map(std::move(A), [number](T a) { return a + number; });
}

// The sum of all entries.
template <class T>
T total(const Matrix<T>& A) {
  return static_cast<T>(dot(A, Matrix<T>(A.rows(), A.cols(), T(1))));  // (3.7) back
}

// Row i of A times entry i of the column m (n x 1).
template <class T>
Matrix<T> scale_rows(Matrix<T> A, const Matrix<T>& m) {
  check_shapes(m.shape() == Shape{A.rows(), 1}, "scale_rows", A.shape(), m.shape());
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (T& a : A.row(i)) a *= m(i, 0);
  return A;
}

// The scalar product of row i of A with row i of B, n x 1: the way back of scale_rows to its column.
template <class T>
Matrix<T> row_dots(const Matrix<T>& A, const Matrix<T>& B) {
  return matmul(hadamard(A, B), Matrix<T>(A.cols(), 1, T(1)));  // (3.11) back
}
