// Lesson 5, parts 1 to 4: a tensor of order three, evaluated, folded, made symmetric. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/model/01_tensor.hpp"

#include <algorithm>

namespace lesson5 {

Tensor3 product_tensor(const Matrix<double>& W, const Matrix<double>& V) {
  check_shapes(W.shape() == V.shape(), "product_tensor", W.shape(), V.shape());
  Tensor3 B(W.cols(), W.rows(), W.rows());
  for (std::size_t k = 0; k < W.cols(); ++k)
    for (std::size_t i = 0; i < W.rows(); ++i)
      for (std::size_t j = 0; j < W.rows(); ++j) B(k, i, j) = W(i, k) * V(j, k);  // (5.1)
  return B;
}

Matrix<double> evaluate(const Tensor3& t, const Matrix<double>& X) {
  Matrix<double> Y(X.rows(), t.outputs());
  for (std::size_t o = 0; o < t.outputs(); ++o) {
    const Matrix<double> XT = matmul(X, t.slices[o]);  // n x inputs
    for (std::size_t r = 0; r < X.rows(); ++r)
      for (std::size_t q = 0; q < X.cols(); ++q) Y(r, o) += XT(r, q) * X(r, q);  // (5.2)
  }
  return Y;
}

Tensor3 fold_behind(const Tensor3& B, const Matrix<double>& U) {
  check_shapes(U.rows() == B.outputs(), "fold_behind", {B.outputs(), 1}, U.shape());
  Tensor3 UB(U.cols(), B.shape().rows, B.shape().cols);
  for (std::size_t o = 0; o < U.cols(); ++o)
    for (std::size_t k = 0; k < U.rows(); ++k) UB.slices[o] += U(k, o) * B.slices[k];  // (5.3)
  return UB;
}

Tensor3 fold_in_front(const Tensor3& B, const Matrix<double>& E) {
  Tensor3 BE(B.outputs(), E.rows(), E.rows());
  for (std::size_t k = 0; k < B.outputs(); ++k) BE.slices[k] = matmul(matmul(E, B.slices[k]), transpose(E));  // (5.4)
  return BE;
}

Tensor3 fold_factors(const Matrix<double>& EW, const Matrix<double>& EV, const Matrix<double>& U) {
  check_shapes(EW.shape() == EV.shape(), "fold_factors", EW.shape(), EV.shape());
  check_shapes(EW.cols() == U.rows(), "fold_factors", EW.shape(), U.shape());
  Tensor3 UBE(U.cols(), EW.rows(), EW.rows());
  for (std::size_t o = 0; o < U.cols(); ++o) {
    Matrix<double> weighted = EW;
    for (std::size_t p = 0; p < weighted.rows(); ++p)
      for (std::size_t k = 0; k < weighted.cols(); ++k) weighted(p, k) *= U(k, o);
    UBE.slices[o] = matmul(weighted, transpose(EV));  // inputs x inputs   (5.5)
  }
  return UBE;
}

Matrix<double> symmetric_part(const Matrix<double>& A) { return 0.5 * (A + Matrix<double>(transpose(A))); }

Tensor3 symmetric(const Tensor3& t) {
  Tensor3 S = t;
  for (Matrix<double>& slice : S.slices) slice = symmetric_part(slice);  // (5.11)
  return S;
}

Tensor3 triangular(const Tensor3& t) {
  Tensor3 upper(t.outputs(), t.shape().rows, t.shape().cols);
  for (std::size_t o = 0; o < t.outputs(); ++o)
    for (std::size_t p = 0; p < t.shape().rows; ++p)
      for (std::size_t q = p; q < t.shape().cols; ++q) upper(o, p, q) = t(o, p, q) + (p == q ? 0 : t(o, q, p));
  return upper;
}

double largest_difference(const Tensor3& a, const Tensor3& b) {
  double worst = 0;
  for (std::size_t o = 0; o < a.outputs(); ++o) worst = std::max(worst, max_abs_difference(a.slices[o], b.slices[o]));
  return worst;
}

}  // namespace lesson5
