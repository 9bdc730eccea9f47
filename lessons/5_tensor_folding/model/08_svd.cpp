// Lesson 5: singular values by one-sided Jacobi rotations. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/model/08_svd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "common/loss.hpp"

namespace lesson5 {

double dot_of_rows(std::span<const double> x, std::span<const double> y) {
  return sum_of<double>(x.size(), [&](std::size_t k) { return x[k] * y[k]; });
}

namespace {

// One sweep: turns every pair of rows of G (n x m) until they are orthogonal, and the rows of V (n x n) with them.
// Returns the number of rotations that were needed. The rows of G are A's columns: a row lies together.   (5.21)
std::size_t orthogonalize(Matrix<double>& G, Matrix<double>& V) {
  // The sums of m products are uncertain by some √m roundings: a smaller angle cannot be seen.
  const double rounding = std::sqrt(double(G.cols())) * std::numeric_limits<double>::epsilon();
  std::size_t rotations = 0;
  for (std::size_t p = 0; p < G.rows(); ++p)
    for (std::size_t q = p + 1; q < G.rows(); ++q) {
      const std::span<double> g_p = G.row(p), g_q = G.row(q);
      const double pp = dot_of_rows(g_p, g_p), qq = dot_of_rows(g_q, g_q), pq = dot_of_rows(g_p, g_q);
      const double length_p = std::sqrt(pp), length_q = std::sqrt(qq);
      if (std::abs(pq) <= rounding * length_p * length_q || std::min(length_p, length_q) <= negligible) continue;
      const Rotation r = diagonalizing(pp, qq, pq);
      rotate_rows(g_p, g_q, r);
      rotate_rows(V.row(p), V.row(q), r);
      ++rotations;
    }
  return rotations;
}

// The decomposition of a matrix with at least as many rows as columns and entries of size 1.
Svd svd_tall(const Matrix<double>& A, int most_sweeps) {
  Matrix<double> G(transpose(A)), V = identity(A.cols());
  for (int done = 0; orthogonalize(G, V) > 0;)
    if (++done >= most_sweeps) throw std::runtime_error("svd: more sweeps needed");
  std::vector<double> lengths;
  for (std::size_t k = 0; k < G.rows(); ++k) {
    const double length = std::sqrt(dot_of_rows(G.row(k), G.row(k)));
    lengths.push_back(length > negligible ? length : 0);
  }

  Svd sorted{Matrix<double>(A.rows(), A.cols()), {}, Matrix<double>(A.cols(), A.cols())};
  for (const std::size_t k : falling_order(lengths)) {
    const std::size_t column = sorted.values.size();
    for (std::size_t i = 0; i < A.rows(); ++i) sorted.U(i, column) = lengths[k] > 0 ? G(k, i) / lengths[k] : 0;
    for (std::size_t j = 0; j < A.cols(); ++j) sorted.V(j, column) = V(k, j);
    sorted.values.push_back(lengths[k]);
  }
  return sorted;
}

}  // namespace

Svd svd(const Matrix<double>& A, int most_sweeps) {
  const int exponent = largest_exponent(A, "svd");
  const Matrix<double> scaled = map(A, [&](double a) { return std::ldexp(a, -exponent); });
  const bool wide = A.rows() < A.cols();
  Svd result = svd_tall(wide ? Matrix<double>(transpose(scaled)) : scaled, most_sweeps);
  if (wide) std::swap(result.U, result.V);
  for (double& value : result.values) value = std::ldexp(value, exponent);
  return result;
}

}  // namespace lesson5
