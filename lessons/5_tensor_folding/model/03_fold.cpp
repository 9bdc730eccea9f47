// Lesson 5, parts 2 and 3: folds a whole net into one tensor. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/model/03_fold.hpp"

#include <algorithm>

namespace lesson5 {

Matrix<double> extended(const Matrix<double>& A, const Matrix<double>& a) {
  check_shapes(a.shape() == Shape{1, A.cols()}, "extended", A.shape(), a.shape());
  Matrix<double> wide(A.rows() + 1, A.cols() + 1);
  for (std::size_t j = 0; j < A.cols(); ++j) {
    for (std::size_t i = 0; i < A.rows(); ++i) wide(i, j) = A(i, j);
    wide(A.rows(), j) = a(0, j);
  }
  wide(A.rows(), A.cols()) = 1;
  return wide;
}

Matrix<double> with_last_row(const Matrix<double>& A, const Matrix<double>& a) {
  return Matrix<double>(column_block(extended(A, a), 0, A.cols()));
}

Matrix<double> with_one(const Matrix<double>& X) {
  Matrix<double> wide(X.rows(), X.cols() + 1, 1);
  for (std::size_t i = 0; i < X.rows(); ++i) std::copy(X.row(i).begin(), X.row(i).end(), wide.row(i).begin());
  return wide;
}

template <class T>
Tensor3 fold(const Net<T>& net) {
  const auto in_double = [](const Matrix<T>& A) { return Matrix<double>(A.view()); };
  Matrix<double> W = extended(in_double(net.W), in_double(net.b)), V = extended(in_double(net.V), in_double(net.c));
  if (net.form.embedding) {
    const Matrix<double> E = extended(in_double(net.E), in_double(net.e));
    W = matmul(E, W);
    V = matmul(E, V);
  }
  return fold_factors(W, V, with_last_row(in_double(net.U), in_double(net.d)));
}

template <class T>
std::vector<Matrix<double>> quadratic_slices(const Net<T>& net) {
  const std::size_t n = net.form.inputs;
  std::vector<Matrix<double>> slices;
  for (const Matrix<double>& S : symmetric(fold(net)).slices)
    slices.push_back(Matrix<double>(row_block(column_block(S, 0, n), 0, n)));
  return slices;
}

template Tensor3 fold(const Net<float>&);
template Tensor3 fold(const Net<double>&);
template std::vector<Matrix<double>> quadratic_slices(const Net<float>&);
template std::vector<Matrix<double>> quadratic_slices(const Net<double>&);

}  // namespace lesson5
