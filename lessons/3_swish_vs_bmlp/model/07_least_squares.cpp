// Lesson 3, part 3: least squares by Cholesky's triangle, and the features of each floor. Equations: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/model/07_least_squares.hpp"

#include <algorithm>
#include <cmath>

namespace lesson3 {

Matrix<double> cholesky(const Matrix<double>& N) {
  check_shapes(N.rows() == N.cols(), "cholesky", N.shape(), N.shape());
  const std::size_t k = N.rows();
  Matrix<double> L(k, k);
  for (std::size_t j = 0; j < k; ++j) {
    for (std::size_t i = j; i < k; ++i) {
      double rest = N(i, j);  // what columns 0 .. j - 1 have left of N[i,j]
      const auto row_i = L.row(i), row_j = L.row(j);
      for (std::size_t t = 0; t < j; ++t) rest -= row_i[t] * row_j[t];
      if (i == j) L(j, j) = rest > 1e-12 * N(j, j) ? std::sqrt(rest) : 0;
      else L(i, j) = L(j, j) > 0 ? rest / L(j, j) : 0;
    }
  }
  return L;
}

Matrix<double> solve_cholesky(const Matrix<double>& L, Matrix<double> B) {
  const std::size_t k = L.rows();
  const auto eliminate = [&](std::size_t j, auto factor, std::size_t first, std::size_t last) {
    for (double& z : B.row(j)) z = L(j, j) > 0 ? z / L(j, j) : 0;
    for (std::size_t i = first; i < last; ++i)
      for (std::size_t o = 0; o < B.cols(); ++o) B(i, o) -= factor(i) * B(j, o);
  };
  for (std::size_t j = 0; j < k; ++j)
    eliminate(
        j, [&](std::size_t i) { return L(i, j); }, j + 1, k);
  for (std::size_t j = k; j-- > 0;)
    eliminate(
        j, [&](std::size_t i) { return L(j, i); }, 0, j);
  return B;
}

Matrix<double> least_squares(const Matrix<double>& Phi, const Matrix<double>& T) {
  return solve_cholesky(cholesky(matmul(transpose(Phi), Phi)), matmul(transpose(Phi), T));
}

Matrix<double> affine_features(const Matrix<double>& X) {
  Matrix<double> Phi(X.rows(), 1 + X.cols(), 1);
  for (std::size_t i = 0; i < X.rows(); ++i) std::copy(X.row(i).begin(), X.row(i).end(), Phi.row(i).begin() + 1);
  return Phi;
}

Matrix<double> quadratic_features(const Matrix<double>& X) {
  const std::size_t d = X.cols();
  Matrix<double> Phi(X.rows(), (d + 1) * (d + 2) / 2, 1);
  for (std::size_t i = 0; i < X.rows(); ++i) {
    const std::span<const double> x = X.row(i);
    std::size_t column = 1;
    for (std::size_t a = 0; a < d; ++a) Phi(i, column++) = x[a];
    for (std::size_t a = 0; a < d; ++a)
      for (std::size_t b = a; b < d; ++b) Phi(i, column++) = x[a] * x[b];
  }
  return Phi;
}

Matrix<double> gated_mean_features(const Matrix<double>& X) {
  const std::size_t d = X.cols();
  Matrix<double> Phi(X.rows(), 1 + 2 * d, 1);
  for (std::size_t i = 0; i < X.rows(); ++i) {
    const std::span<const double> x = X.row(i);
    double mean = 0;
    for (const double value : x) mean += value / double(d);
    for (std::size_t a = 0; a < d; ++a) {
      Phi(i, 1 + a) = x[a];
      Phi(i, 1 + d + a) = mean * x[a];
    }
  }
  return Phi;
}

}  // namespace lesson3
