// Lesson 5: eigenvalues and eigenvectors by Jacobi's rotations. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/model/04_jacobi.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace lesson5 {

// ------------------------------------------------------------------------------------------------------- rotations

Rotation diagonalizing(double app, double aqq, double apq) {
  const double theta = (aqq - app) / (2 * apq);
  const double tangent = std::copysign(1 / (std::abs(theta) + std::sqrt(theta * theta + 1)), theta);
  const double cosine = 1 / std::sqrt(tangent * tangent + 1);
  return {tangent, cosine, tangent * cosine};  // (5.12)
}

// A row is contiguous, so the compiler makes vector instructions of this.
void rotate_rows(std::span<double> p, std::span<double> q, Rotation r) {
  for (std::size_t k = 0; k < p.size(); ++k) {
    const double old = p[k];
    p[k] = r.cosine * old - r.sine * q[k];  // (5.13)
    q[k] = r.sine * old + r.cosine * q[k];  // (5.13)
  }
}

// ------------------------------------------------------------------------------------ small things about matrices

int largest_exponent(const Matrix<double>& A, const std::string& operation) {
  const double largest = largest_entry(A);
  if (!std::isfinite(largest)) throw std::invalid_argument(operation + ": an entry is infinite or not a number");
  return largest > 0 ? std::ilogb(largest) : 0;
}

Matrix<double> identity(std::size_t n) {
  Matrix<double> I(n, n);
  for (std::size_t i = 0; i < n; ++i) I(i, i) = 1;
  return I;
}

double squared_length(std::span<const double> x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return sum;
}

Matrix<double> unit_rows(Matrix<double> A) {
  for (std::size_t k = 0; k < A.rows(); ++k) {
    const double length = std::sqrt(std::max(squared_length(A.row(k)), 1e-300));
    for (double& a : A.row(k)) a /= length;
  }
  return A;
}

std::vector<std::size_t> falling_order(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    const double a = std::abs(values[i]), b = std::abs(values[j]);
    return a > b || (a == b && values[i] > values[j]);
  });
  return order;
}

// ---------------------------------------------------------------------------------------------------- eigenvectors

// Is a_pq too small to change more than a rounding of the eigenvalues? It is measured by its own two diagonal entries,
// not by the largest entry: that keeps the digits of the small eigenvalues of a positive definite matrix beside its
// large ones.
static bool is_diagonal(const Matrix<double>& D, std::size_t p, std::size_t q) {
  const double rounding = std::numeric_limits<double>::epsilon();
  const double scale = std::sqrt(std::abs(D(p, p))) * std::sqrt(std::abs(D(q, q)));
  return std::abs(D(p, q)) <= std::max(rounding * scale, negligible);
}

void rotate_away(Matrix<double>& D, Matrix<double>& V, std::size_t p, std::size_t q) {
  const double app = D(p, p), aqq = D(q, q), apq = D(p, q);
  const Rotation r = diagonalizing(app, aqq, apq);
  const std::span<double> row_p = D.row(p), row_q = D.row(q), all = D.values();
  rotate_rows(row_p, row_q, r);
  row_p[p] = app - r.tangent * apq;
  row_q[q] = aqq + r.tangent * apq;
  row_p[q] = row_q[p] = 0;
  for (std::size_t k = 0; k < D.rows(); ++k) all[k * D.rows() + q] = row_q[k];
  rotate_rows(V.row(p), V.row(q), r);
}

std::size_t sweep(Matrix<double>& D, Matrix<double>& V) {
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

// Returns A·2^-exponent, made symmetric to the last digit. Rounding leaves a few times the error of sums of 1,000
// products, below 1e-12 of the largest entry; what differs by more from its transpose is refused.
static Matrix<double> symmetric_copy(const Matrix<double>& A, int exponent) {
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

Eigen eigen_symmetric(const Matrix<double>& A, int most_sweeps) {
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

Matrix<double> matrix_function(const Matrix<double>& A, double (*f)(double value)) {
  const Eigen eigen = eigen_symmetric(A);
  Matrix<double> scaled = eigen.vectors;
  for (std::size_t k = 0; k < A.rows(); ++k)
    for (double& v : scaled.row(k)) v *= f(eigen.values[k]);
  return matmul(transpose(eigen.vectors), scaled);
}

}  // namespace lesson5
