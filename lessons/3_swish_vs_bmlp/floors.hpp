// Lesson 3: what can be reached, found without training: least squares by Cholesky's triangle on the features that a
// model can use, and what polynomials of each degree can say of a function. Equations: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "common/matrix.hpp"

namespace lesson3 {

// ------------------------------------------------------------------------------------------- part 3: least squares

// Returns the lower triangle L with N = L·Lᵀ for a symmetric N (k x k) without negative directions, from the left
// column to the right. A column of the features that the earlier ones make up leaves a pivot of mere rounding: L then
// has a column of zeros there.   (3.9)
inline Matrix<double> cholesky(const Matrix<double>& N) {
  check_shapes(N.rows() == N.cols(), "cholesky", N.shape(), N.shape());
  const std::size_t k = N.rows();
  Matrix<double> L(k, k);
  for (std::size_t j = 0; j < k; ++j)
    for (std::size_t i = j; i < k; ++i) {
      double rest = N(i, j);  // what columns 0 .. j - 1 have left of N[i,j]
      const auto row_i = L.row(i), row_j = L.row(j);
      for (std::size_t t = 0; t < j; ++t) rest -= row_i[t] * row_j[t];
      if (i == j) L(j, j) = rest > 1e-12 * N(j, j) ? std::sqrt(rest) : 0;
      else L(i, j) = L(j, j) > 0 ? rest / L(j, j) : 0;
    }
  return L;
}

// Returns the w (k x o) with N·w = B for N = L·Lᵀ: first L from the top, then Lᵀ from the bottom. What a
// column of zeros stands for gets the weight 0.   (3.9)
inline Matrix<double> solve_cholesky(const Matrix<double>& L, Matrix<double> B) {
  const std::size_t k = L.rows();
  const auto eliminate = [&](std::size_t j, const auto& triangle, std::size_t first, std::size_t last) {
    for (double& z : B.row(j)) z = L(j, j) > 0 ? z / L(j, j) : 0;
    for (std::size_t i = first; i < last; ++i)
      for (std::size_t o = 0; o < B.cols(); ++o) B(i, o) -= triangle(i, j) * B(j, o);
  };
  for (std::size_t j = 0; j < k; ++j) eliminate(j, L.view(), j + 1, k);
  for (std::size_t j = k; j-- > 0;) eliminate(j, transpose(L), 0, j);
  return B;
}

// Returns the weights w (k x o) that make the mean square of Φ·w - T smallest; Φ is n x k, T is n x o.   (3.8)
inline Matrix<double> least_squares(const Matrix<double>& Phi, const Matrix<double>& T) {
  return solve_cholesky(cholesky(matmul(transpose(Phi), Phi)), matmul(transpose(Phi), T));
}

// Returns what a linear map can use: x_1 .. x_d.
inline Matrix<double> linear_features(const Matrix<double>& X) { return X; }

// Returns the columns 1, x_1 .. x_d: what an affine map can use.
inline Matrix<double> affine_features(const Matrix<double>& X) {
  Matrix<double> Phi(X.rows(), 1 + X.cols(), 1);
  for (std::size_t i = 0; i < X.rows(); ++i) std::copy(X.row(i).begin(), X.row(i).end(), Phi.row(i).begin() + 1);
  return Phi;
}

// Returns the columns 1, x_i, and x_i·x_j for i <= j: (d + 1)(d + 2)/2 of them, what a product layer can use.
inline Matrix<double> quadratic_features(const Matrix<double>& X) {
  const std::size_t d = X.cols();
  Matrix<double> Phi(X.rows(), (d + 1) * (d + 2) / 2, 1);
  for (std::size_t i = 0; i < X.rows(); ++i) {
    const std::span<const double> x = X.row(i);
    auto feature = std::copy(x.begin(), x.end(), Phi.row(i).begin() + 1);
    for (std::size_t a = 0; a < d; ++a)
      for (std::size_t b = a; b < d; ++b) *feature++ = x[a] * x[b];
  }
  return Phi;
}

// Returns the columns 1, x_i, mean(x)·x_i: what input-dependent weights W1 + mean(x)·U1 can use.
inline Matrix<double> gated_mean_features(const Matrix<double>& X) {
  const std::size_t d = X.cols();
  Matrix<double> Phi(X.rows(), 1 + 2 * d, 1);
  for (std::size_t i = 0; i < X.rows(); ++i) {
    double mean = 0;
    for (const double x : X.row(i)) mean += x / double(d);
    for (std::size_t a = 0; a < d; ++a) {
      Phi(i, 1 + a) = X(i, a);
      Phi(i, 1 + d + a) = mean * X(i, a);
    }
  }
  return Phi;
}

// ------------------------------------------------------------------------------------ part 6: Legendre's polynomials

// Returns Leg_0 .. Leg_degree at z, by (i + 1)·Leg_(i+1) = (2i + 1)·z·Leg_i - i·Leg_(i-1).   (3.23)
inline std::vector<double> legendre(std::size_t degree, double z) {
  std::vector<double> leg{1, z};
  for (std::size_t i = 1; i < degree; ++i)
    leg.push_back(((2 * double(i) + 1) * z * leg[i] - double(i) * leg[i - 1]) / (double(i) + 1));
  leg.resize(degree + 1);
  return leg;
}

// Points and weights: Σ weight·f(point) is the mean of f over U[-range, range].
struct Quadrature {
  std::vector<double> points, weights;
};

// Returns Gauss's rule with n points on each half of [-range, range], so that a corner at 0 does no harm. Each half is
// exact for polynomials up to degree 2n - 1. The points are the zeros of Leg_n, found by Newton from a first guess near
// enough (Abramowitz and Stegun 22.16.6).
inline Quadrature gauss_legendre(std::size_t n, double range) {
  Quadrature rule;
  for (std::size_t i = 0; i < n; ++i) {
    double z = std::cos(std::numbers::pi * (double(i) + 0.75) / (double(n) + 0.5)), leg_prime = 0;
    for (int newton = 0; newton < 10; ++newton) {
      const std::vector<double> leg = legendre(n, z);
      leg_prime = double(n) * (z * leg[n] - leg[n - 1]) / (z * z - 1);
      z -= leg[n] / leg_prime;
    }
    const double weight = 1 / ((1 - z * z) * leg_prime * leg_prime);  // sums to 1 over a half
    for (const double half : {-1, 1}) {
      rule.points.push_back(half * range * (1 + z) / 2);
      rule.weights.push_back(weight / 2);
    }
  }
  return rule;
}

// Returns √(2i + 1)·Leg_i, of mean square 1 over U[-1, 1], for i up to the degree.
inline std::vector<double> unit_legendre(std::size_t degree, double z) {
  std::vector<double> leg = legendre(degree, z);
  for (std::size_t i = 0; i <= degree; ++i) leg[i] *= std::sqrt(double(2 * i + 1));
  return leg;
}

// A function of two independent numbers from U[-range, range], seen by polynomials.
struct PolynomialFit {
  double variance = 0;
  double even = 0;            // the variance of its even part, (f(x, y) + f(-x, -y))/2
  std::vector<double> share;  // share[k]: R² of the best polynomial of total degree at most k
  Matrix<double> weight;      // of unit_legendre i in x times j in y
};

// Returns the best fits of f(x, y) by polynomials up to `degree`, by quadrature with so many points a half. Products of
// two unit_legendre are uncorrelated, so the best weight of each is E[f·it], and each adds the square of its weight to
// the variance that is explained.   (3.24)
inline PolynomialFit fit_polynomials(const std::function<double(double x, double y)>& f, double range,
                                     std::size_t degree, std::size_t points = 32) {
  const Quadrature rule = gauss_legendre(points, range);
  std::vector<std::vector<double>> values;  // of the polynomials, at each point
  for (const double point : rule.points) values.push_back(unit_legendre(degree, point / range));
  PolynomialFit fit;
  fit.weight = Matrix<double>(degree + 1, degree + 1);
  double square = 0, even_square = 0;
  for (std::size_t a = 0; a < rule.points.size(); ++a)
    for (std::size_t b = 0; b < rule.points.size(); ++b) {
      const double x = rule.points[a], y = rule.points[b], mass = rule.weights[a] * rule.weights[b];
      const double value = f(x, y), even = (value + f(-x, -y)) / 2;
      for (std::size_t i = 0; i <= degree; ++i)
        for (std::size_t j = 0; i + j <= degree; ++j)
          fit.weight(i, j) += mass * value * values[a][i] * values[b][j];  // weight_ij   (3.24)
      square += mass * value * value;
      even_square += mass * even * even;
    }
  const double mean_squared = fit.weight(0, 0) * fit.weight(0, 0);
  fit.variance = square - mean_squared;
  fit.even = even_square - mean_squared;
  double explained = 0;
  for (std::size_t k = 0; k <= degree; ++k) {
    for (std::size_t i = 0; k > 0 && i <= k; ++i) explained += fit.weight(i, k - i) * fit.weight(i, k - i);
    fit.share.push_back(explained / fit.variance);
  }
  return fit;
}

}  // namespace lesson3
