// Lesson 5: eigenvalues and eigenvectors of a symmetric matrix by Jacobi's rotations (1846). Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/matrix.hpp"

// ------------------------------------------------------------------------------------------------------- rotations

// A rotation by an angle φ in the plane of two axes p and q: t = tan φ, c = cos φ, s = sin φ.
struct Rotation {
  double t, c, s;
};

// The rotation that makes the symmetric 2 x 2 matrix [app apq; apq aqq] diagonal; apq must not be 0. Of the two roots of
// t² + 2θt - 1 = 0 it takes the smaller one, |φ| <= 45°, which disturbs least what other rotations have done.   (5.12)
inline Rotation diagonalizing(double app, double aqq, double apq) {
  const double theta = (aqq - app) / (2 * apq);
  const double t = std::copysign(1 / (std::abs(theta) + std::sqrt(theta * theta + 1)), theta);
  const double c = 1 / std::sqrt(t * t + 1);
  return {t, c, t * c};
}

// Rows p and q become c·p - s·q and s·p + c·q. A row is contiguous, so the compiler makes vector instructions of this.   (5.13)
inline void rotate_rows(std::span<double> p, std::span<double> q, Rotation r) {
  for (std::size_t k = 0; k < p.size(); ++k) {
    const double old = p[k];
    p[k] = r.c * old - r.s * q[k];
    q[k] = r.s * old + r.c * q[k];
  }
}

// --------------------------------------------------------------------------- what both decompositions of the lesson use

// Such a share of the largest entry counts as 0. Its square does not underflow.
inline constexpr double negligible = 1e-100;
inline constexpr int enough_sweeps = 60;  // random matrices take 6 to 15, graded ones up to 21

// The k with the largest |entry| in [2^k, 2^(k + 1)); 0 for a matrix of zeros. Divided by 2^k, which is exact, no square in
// what follows can overflow. Throws std::invalid_argument "operation: ..." when an entry is infinite or not a number.
inline int largest_exponent(const Matrix<double>& A, const std::string& operation) {
  double largest = 0;
  for (const double a : A.values()) {
    if (!std::isfinite(a)) throw std::invalid_argument(operation + ": an entry is infinite or not a number");
    largest = std::max(largest, std::abs(a));
  }
  return largest > 0 ? std::ilogb(largest) : 0;
}

// The identity, n x n.
inline Matrix<double> identity(std::size_t n) {
  Matrix<double> I(n, n);
  for (std::size_t i = 0; i < n; ++i) I(i, i) = 1;
  return I;
}

// The places of the numbers by falling size |value|; of two of one size the positive one comes first.
inline std::vector<std::size_t> falling_order(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    const double a = std::abs(values[i]), b = std::abs(values[j]);
    return a > b || (a == b && values[i] > values[j]);
  });
  return order;
}

// ---------------------------------------------------------------------------------------------------- eigenvectors

// A = Σ_k values[k]·v_k·v_kᵀ by falling |value|, where v_k is ROW k of `vectors` (n x n): A = vectorsᵀ·diag(values)·vectors.
// So vectors.row(k) is an image, and X·vectorsᵀ has v_k·x for each row x of X. The sign of a vector is free, and vectors of
// equal values may be rotated among themselves.
struct Eigen {
  std::vector<double> values;
  Matrix<double> vectors;
};

// Is a_pq too small to change more than a rounding of the eigenvalues? It is measured by its own two diagonal entries, not by
// the largest entry: that keeps the digits of the small eigenvalues of a positive definite matrix beside its large ones.
inline bool is_diagonal(const Matrix<double>& D, std::size_t p, std::size_t q) {
  const double rounding = std::numeric_limits<double>::epsilon();
  const double scale = std::sqrt(std::abs(D(p, p))) * std::sqrt(std::abs(D(q, q)));
  return std::abs(D(p, q)) <= std::max(rounding * scale, negligible);
}

// D = J·D·Jᵀ with the rotation J that makes a_pq zero, and V = J·V. Only rows and columns p and q change, and the columns
// equal the rows. Column p is left as it was: sweep() fills it in when it is done with row p.   (5.13)
inline void rotate_away(Matrix<double>& D, Matrix<double>& V, std::size_t p, std::size_t q) {
  const double app = D(p, p), aqq = D(q, q), apq = D(p, q);
  const Rotation r = diagonalizing(app, aqq, apq);
  const std::span<double> row_p = D.row(p), row_q = D.row(q), all = D.values();
  rotate_rows(row_p, row_q, r);
  row_p[p] = app - r.t * apq;
  row_q[q] = aqq + r.t * apq;
  row_p[q] = row_q[p] = 0;
  for (std::size_t k = 0; k < D.rows(); ++k) all[k * D.rows() + q] = row_q[k];
  rotate_rows(V.row(p), V.row(q), r);
}

// Every pair p < q once, row after row; the number of rotations that were needed.   (5.13)
inline std::size_t sweep(Matrix<double>& D, Matrix<double>& V) {
  std::size_t rotations = 0;
  for (std::size_t p = 0; p < D.rows(); ++p) {
    for (std::size_t q = p + 1; q < D.rows(); ++q) {
      if (is_diagonal(D, p, q)) continue;
      rotate_away(D, V, p, q);
      ++rotations;
    }
    for (std::size_t k = 0; k < D.rows(); ++k) D(k, p) = D(p, k);
  }
  return rotations;
}

// A·2^-exponent, made symmetric to the last digit. Throws std::invalid_argument when A is not square, or differs from its
// transpose by more than rounding leaves, 1e-12 of the largest entry: a few times the error of sums of 1,000 products.
inline Matrix<double> symmetric_copy(const Matrix<double>& A, int exponent) {
  check_shapes(A.rows() == A.cols(), "eigen_symmetric needs a square matrix", A.shape(), {A.cols(), A.rows()});
  Matrix<double> D = map(A, [&](double a) { return std::ldexp(a, -exponent); });
  for (std::size_t i = 0; i < D.rows(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (!(std::abs(D(i, j) - D(j, i)) <= 1e-12))
        throw std::invalid_argument("eigen_symmetric: not symmetric at entry (" + std::to_string(i) + ", " +
                                    std::to_string(j) + ")");
      D(i, j) = D(j, i) = (D(i, j) + D(j, i)) / 2;
    }
  return D;
}

// The eigenvalues and eigenvectors of a symmetric A (n x n): sweeps until no rotation is needed. Throws std::invalid_argument
// when A is not square, not symmetric or not finite, std::runtime_error when `most_sweeps` are not enough.
inline Eigen eigen_symmetric(const Matrix<double>& A, int most_sweeps = enough_sweeps) {
  const int exponent = largest_exponent(A, "eigen_symmetric");
  Matrix<double> D = symmetric_copy(A, exponent), V = identity(A.rows());
  for (int done = 0; sweep(D, V) > 0;)
    if (++done >= most_sweeps) throw std::runtime_error("eigen_symmetric: more sweeps needed");
  std::vector<double> diagonal;
  for (std::size_t k = 0; k < D.rows(); ++k) diagonal.push_back(std::ldexp(D(k, k), exponent));

  Eigen eigen{{}, Matrix<double>(A.rows(), A.rows())};
  for (const std::size_t k : falling_order(diagonal)) {
    std::copy(V.row(k).begin(), V.row(k).end(), eigen.vectors.row(eigen.values.size()).begin());
    eigen.values.push_back(diagonal[k]);
  }
  return eigen;
}
