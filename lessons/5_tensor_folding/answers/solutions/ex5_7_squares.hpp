// Exercise 5.7, solution: fold another layer, one that squares.
// z_k² = Σ_pq W[p,k]·W[q,k]·x_p·x_q, which is symmetric as it stands. The constant d meets 1·1 alone. Without d, S is
// W·diag(u)·Wᵀ, so its rank is at most the number of squares. And stretching or turning the inputs changes the size of
// an eigenvalue but not how many are positive and negative (Sylvester's theorem of inertia): a sign for each weight of U.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "common/matrix.hpp"

namespace ex5_7 {

inline Matrix<double> slice_of_squares(const Matrix<double>& W, const Matrix<double>& U, const Matrix<double>& d,
                                       std::size_t o) {
  const std::size_t n = W.rows();
  Matrix<double> S(n + 1, n + 1);
  for (std::size_t k = 0; k < W.cols(); ++k)
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = 0; q < n; ++q) S(p, q) += U(k, o) * W(p, k) * W(q, k);
  S(n, n) = d(0, o);
  return S;
}

const double most_eigenvalues = 24;
const double negative_eigenvalues = 7;
// ¼(a + b)² - ¼(a - b)²: a product has eigenvalues of both signs, so one square is not enough.
const double squares_for_a_product = 2;

}  // namespace ex5_7
