// Lesson 5: the singular value decomposition by one-sided Jacobi rotations (Hestenes 1958). Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/matrix.hpp"
#include "jacobi.hpp"

// A = U·diag(values)·Vᵀ = Σ_k values[k]·u_k·v_kᵀ for an A of m x n, with r = min(m, n) values >= 0, falling; u_k is column k of
// U (m x r), v_k column k of V (n x r). Columns have length 1 and are orthogonal, but for this: where a value is exactly 0, the
// column of U (of V, when A is wide) is zero too, since any direction would do. Signs are free, in pairs.
struct Svd {
  Matrix<double> U;
  std::vector<double> values;
  Matrix<double> V;
};

// x·y. Sixteen sums side by side, added up at the end: in one sum alone each addition would wait for the last.
inline double dot(std::span<const double> x, std::span<const double> y) {
  constexpr std::size_t lanes = 16;
  double sums[lanes] = {}, rest = 0;
  std::size_t k = 0;
  for (; k + lanes <= x.size(); k += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += x[k + lane] * y[k + lane];
  for (; k < x.size(); ++k) rest += x[k] * y[k];
  return std::accumulate(sums, sums + lanes, rest);
}

// One sweep: turns every pair of rows of G (n x m) until they are orthogonal, and the rows of V (n x n) with them; the number
// of rotations that were needed. The rows of G are the columns of A: rows lie together in memory.   (5.21)
inline std::size_t orthogonalize(Matrix<double>& G, Matrix<double>& V) {
  // The sums of m products are uncertain by some √m roundings: a smaller angle cannot be seen.
  const double rounding = std::sqrt(double(G.cols())) * std::numeric_limits<double>::epsilon();
  std::size_t rotations = 0;
  for (std::size_t p = 0; p < G.rows(); ++p)
    for (std::size_t q = p + 1; q < G.rows(); ++q) {
      const std::span<double> g_p = G.row(p), g_q = G.row(q);
      const double pp = dot(g_p, g_p), qq = dot(g_q, g_q), pq = dot(g_p, g_q);
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
inline Svd svd_tall(const Matrix<double>& A, int most_sweeps) {
  Matrix<double> G(transpose(A)), V = identity(A.cols());
  for (int done = 0; orthogonalize(G, V) > 0;)
    if (++done >= most_sweeps) throw std::runtime_error("svd: more sweeps needed");
  std::vector<double> lengths;
  for (std::size_t k = 0; k < G.rows(); ++k) {
    const double length = std::sqrt(dot(G.row(k), G.row(k)));
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

// The singular value decomposition of any A (m x n); a wide one by its transpose. Throws std::invalid_argument when an entry is
// infinite or not a number, std::runtime_error when `most_sweeps` are not enough.
inline Svd svd(const Matrix<double>& A, int most_sweeps = enough_sweeps) {
  const int exponent = largest_exponent(A, "svd");
  const Matrix<double> scaled = map(A, [&](double a) { return std::ldexp(a, -exponent); });
  const bool wide = A.rows() < A.cols();
  Svd result = svd_tall(wide ? Matrix<double>(transpose(scaled)) : scaled, most_sweeps);
  if (wide) std::swap(result.U, result.V);
  for (double& value : result.values) value = std::ldexp(value, exponent);
  return result;
}
