// Lesson 4, parts 4, 8, 9: signatures, distances and ranks of forms. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/model/4_forms.hpp"

#include <cmath>
#include <utility>

namespace lesson4 {

Matrix<double> matrix_of(const QuadraticForm& f) {
  return {{f.xx, f.xy / 2, f.x / 2}, {f.xy / 2, f.yy, f.y / 2}, {f.x / 2, f.y / 2, f.one}};
}

Matrix<double> matrix_of(const ProductLayer& layer) {
  Matrix<double> S(3, 3);
  for (std::size_t k = 0; k < layer.W.cols(); ++k)
    S += matrix_of(multiplied_out(first_factor(layer, k), second_factor(layer, k)));
  return S;
}

int sign_changes(const std::array<double, 4>& numbers, double zero) {
  int changes = 0;
  double last = 0;
  for (const double number : numbers) {
    if (std::abs(number) <= zero) continue;
    if (last * number < 0) ++changes;
    last = number;
  }
  return changes;
}

Signature signature(Matrix<double> S) {
  const double largest = largest_entry(S);
  if (largest > 0) S = 1 / largest * std::move(S);
  const auto minor = [&](std::size_t i, std::size_t j) { return S(i, i) * S(j, j) - S(i, j) * S(i, j); };
  const double trace = S(0, 0) + S(1, 1) + S(2, 2), minors = minor(0, 1) + minor(0, 2) + minor(1, 2);
  const double det = S(0, 0) * minor(1, 2) - S(0, 1) * (S(0, 1) * S(2, 2) - S(1, 2) * S(0, 2)) +
                     S(0, 2) * (S(0, 1) * S(1, 2) - S(1, 1) * S(0, 2));
  constexpr double zero = 1e-12;  // the entries are 1 at most: what is smaller is rounding
  return {sign_changes({1, -trace, minors, -det}, zero), sign_changes({-1, -trace, -minors, -det}, zero)};
}

FormDistance distance_from(const Matrix<double>& S, const Matrix<double>& w, const Matrix<double>& v) {
  const Matrix<double> half = matmul(w, transpose(v));
  const Matrix<double> D = 0.5 * (half + Matrix<double>(transpose(half))) - S;
  return {dot(D, D), 2 * matmul(D, v), 2 * matmul(D, w)};
}

std::size_t rank_of(Matrix<double> A, double zero) {
  std::size_t rank = 0;
  for (; rank < std::min(A.rows(), A.cols()); ++rank) {
    std::size_t row = rank, col = rank;
    for (std::size_t i = rank; i < A.rows(); ++i)
      for (std::size_t j = rank; j < A.cols(); ++j)
        if (std::abs(A(i, j)) > std::abs(A(row, col))) {
          row = i;
          col = j;
        }
    if (std::abs(A(row, col)) <= zero) break;
    for (std::size_t j = 0; j < A.cols(); ++j) std::swap(A(rank, j), A(row, j));
    for (std::size_t i = 0; i < A.rows(); ++i) std::swap(A(i, rank), A(i, col));
    for (std::size_t i = rank + 1; i < A.rows(); ++i) {
      const double factor = A(i, rank) / A(rank, rank);
      for (std::size_t j = rank; j < A.cols(); ++j) A(i, j) -= factor * A(rank, j);
    }
  }
  return rank;
}

}  // namespace lesson4
