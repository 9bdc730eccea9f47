// The products of a table without descent: the proof of "One table, one set of products", as a
// recipe.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/5_tensor_folding/spectra.hpp"

namespace lesson5 {

// Replaces A by H·A·H and R by H·R with the reflection H that makes R's column k zero below k
// (Householder 1958).
inline void reflect(Matrix<double>& A, Matrix<double>& R, std::size_t k) {
  const std::size_t n = R.rows();
  std::vector<double> v(n);
  for (std::size_t i = k; i < n; ++i) v[i] = R(i, k);
  const double length = std::sqrt(dot_of_rows(v, v));
  v[k] += v[k] < 0 ? -length : length;
  const double square = dot_of_rows(v, v);
  if (square == 0) return;
  const auto from_left = [&](Matrix<double>& M) {
    for (std::size_t j = 0; j < n; ++j) {
      double share = 0;
      for (std::size_t i = k; i < n; ++i) share += v[i] * M(i, j);
      for (std::size_t i = k; i < n; ++i) M(i, j) -= 2 * share / square * v[i];
    }
  };
  from_left(R);
  from_left(A);
  for (std::size_t i = 0; i < n; ++i) {
    double share = 0;
    for (std::size_t j = k; j < n; ++j) share += v[j] * A(i, j);
    for (std::size_t j = k; j < n; ++j) A(i, j) -= 2 * share / square * v[j];
  }
}

// Returns the real parts of a matrix's eigenvalues, largest first. In the QR algorithm (Francis
// 1961) A becomes Qᵀ·A·Q, where A - s·I = Q·R, until the last row, or the last two, are zero beside
// their own columns; then it goes on without them. Throws std::runtime_error where none comes off.
inline std::vector<double> eigenvalues(Matrix<double> A) {
  std::vector<double> values;
  int steps = 0;
  for (std::size_t n = A.rows(); n > 0;) {
    const std::size_t first = n < 2 ? 0 : n - 2;  // of the last two
    const auto beside = [&](std::size_t i, std::size_t end) {
      double most = 0;
      for (std::size_t j = 0; j < end; ++j) most = std::max(most, std::abs(A(i, j)));
      return most <= 1e-14 * largest_entry(A);
    };
    const double mean = (A(first, first) + A(n - 1, n - 1)) / 2,
                 half = (A(first, first) - A(n - 1, n - 1)) / 2,
                 square = n < 2 ? 0 : half * half + A(first, n - 1) * A(n - 1, first),
                 root = half < 0 ? std::sqrt(std::max(square, 0.0))
                                 : -std::sqrt(std::max(square, 0.0));
    const bool single = beside(n - 1, n - 1);
    if (single || (beside(first, first) && beside(n - 1, first))) {
      if (single) values.push_back(A(n - 1, n - 1));
      else values.insert(values.end(), {mean + root, mean - root});
      n -= single ? 1 : 2;
      const Matrix<double> left(column_block(A, 0, n));
      A = Matrix<double>(row_block(left, 0, n));
      steps = 0;
      continue;
    }
    if (++steps > 300) throw std::runtime_error("eigenvalues: more steps needed");
    const double shift = mean + root;  // the one nearer to the last entry
    Matrix<double> R = A - shift * identity(n);
    for (std::size_t k = 0; k + 1 < n; ++k) reflect(A, R, k);
  }
  std::sort(values.rbegin(), values.rend());
  return values;
}

// Throws std::runtime_error where an eigenvalue is next to 0, so that nothing can be divided by it.
inline void check_independent(const Eigen& eigen) {
  if (!(std::abs(eigen.values.back()) > 1e-14 * std::abs(eigen.values[0])))
    throw std::runtime_error("the products of this table are not independent");
}

// Returns columns of length 1 at right angles, which mix those of Y, which are independent.
inline Matrix<double> upright(const Matrix<double>& Y) {
  const Eigen square = eigen_symmetric(matmul(transpose(Y), Y));
  check_independent(square);
  std::vector<double> inverse;
  for (const double value : square.values) inverse.push_back(1 / std::sqrt(value));
  return matmul(Y, transpose(scale_rows(square.vectors, inverse)));
}

inline Matrix<double> inverse_of_symmetric(const Matrix<double>& A) {
  const Eigen eigen = eigen_symmetric(A);
  check_independent(eigen);
  std::vector<double> inverse;
  for (const double value : eigen.values) inverse.push_back(1 / value);
  return matmul(transpose(eigen.vectors), scale_rows(eigen.vectors, inverse));
}

inline Matrix<double> mixed(const Tensor3& S, Random& random) {
  Matrix<double> A(S[0].rows(), S[0].cols());
  for (const Matrix<double>& slice : S) A += random.normal() * slice;
  return symmetric_part(A);
}

// Returns a net of h products with the table S, symmetric slices of at least 2h rows that have one.
// Throws std::runtime_error where none is found.
inline Net<double> products_of_table(const Tensor3& S, std::size_t h, Random random) {
  if (S[0].rows() < 2 * h) throw std::runtime_error("2h inputs are needed for h products");
  // The slices, seen in the space of the 2h columns of W and V.
  Matrix<double> Y(S[0].rows(), 2 * h);
  for (const Matrix<double>& slice : S)
    Y += matmul(slice, normal_matrix<double>(slice.cols(), 2 * h, 1, random));
  const Matrix<double> Q = upright(Y);
  Tensor3 B;
  for (const Matrix<double>& slice : S)
    B.push_back(symmetric_part(matmul(matmul(transpose(Q), slice), Q)));

  const Matrix<double> A = mixed(B, random), other = mixed(B, random);
  Net<double> net(of_products(S[0].rows(), h, S.size()));
  const std::vector<double> twice = eigenvalues(matmul(A, inverse_of_symmetric(other)));
  for (std::size_t k = 0; k < h; ++k) {
    const double rho = (twice[2 * k] + twice[2 * k + 1]) / 2;  // which noise may part
    // What meets every product but one, and so nothing of A - ρ·A': a plane, 2h x 2.
    const Matrix<double> rest = A - rho * other;
    const Eigen meets = eigen_symmetric(symmetric_part(matmul(transpose(rest), rest)));
    const Matrix<double> plane(transpose(row_block(meets.vectors, 2 * h - 2, 2)));
    // A sees in it the one product alone, whose part of A is P·C⁻¹·Pᵀ.
    const Matrix<double> P = matmul(A, plane), C = symmetric_part(matmul(transpose(plane), P));
    const Matrix<double> Z = upright(P), turned = matmul(transpose(Z), P);
    const Eigen squares = eigen_symmetric(
        symmetric_part(matmul(matmul(turned, inverse_of_symmetric(C)), transpose(turned))));
    // One square with plus and one with minus are one product: (a + b)(a - b) = a² - b².
    const Matrix<double> ends = matmul(matmul(Q, Z), transpose(squares.vectors));  // n x 2
    const std::size_t plus = squares.values[0] < 0,
                      minus = 1 - plus;  // the larger size comes first
    const double a = std::sqrt(std::abs(squares.values[plus])),
                 b = std::sqrt(std::abs(squares.values[minus]));
    for (std::size_t p = 0; p < ends.rows(); ++p) {
      net.W(p, k) = a * ends(p, plus) + b * ends(p, minus);
      net.V(p, k) = a * ends(p, plus) - b * ends(p, minus);
    }
    for (std::size_t o = 0; o < B.size(); ++o)
      net.U(k, o) = dot(matmul(matmul(transpose(plane), B[o]), plane), C) / dot(C, C);
  }
  return net;
}

}  // namespace lesson5
