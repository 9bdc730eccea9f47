// Lesson 3, part 6: Legendre's polynomials, Gauss's rule, and fits of functions by polynomials. Equations: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/model/13_legendre.hpp"

#include <cmath>
#include <numbers>

#include "common/matrix.hpp"

namespace lesson3 {

std::vector<double> legendre(std::size_t degree, double z) {
  std::vector<double> P{1, z};
  for (std::size_t k = 1; k < degree; ++k)
    P.push_back(((2 * double(k) + 1) * z * P[k] - double(k) * P[k - 1]) / (double(k) + 1));
  P.resize(degree + 1);
  return P;
}

// The points are the zeros of P_n, found by Newton from a first guess near enough (Abramowitz and Stegun 22.16.6).
Quadrature gauss_legendre(std::size_t n, double range) {
  Quadrature rule;
  for (std::size_t i = 0; i < n; ++i) {
    double z = std::cos(std::numbers::pi * (double(i) + 0.75) / (double(n) + 0.5)), P_prime = 0;
    for (int newton = 0; newton < 10; ++newton) {
      const std::vector<double> P = legendre(n, z);
      P_prime = double(n) * (z * P[n] - P[n - 1]) / (z * z - 1);
      z -= P[n] / P_prime;
    }
    const double weight = 1 / ((1 - z * z) * P_prime * P_prime);  // sums to 1 over a half
    for (const double half : {-1, 1}) {
      rule.points.push_back(half * range * (1 + z) / 2);
      rule.weights.push_back(weight / 2);
    }
  }
  return rule;
}

// The functions √(2i + 1)·P_i(x/range)·√(2j + 1)·P_j(y/range) are uncorrelated and have the mean square 1, so the best
// weight of each is E[f·it], and each adds the square of its weight to the variance that is explained.
PolynomialFit fit_polynomials(const std::function<double(double x, double y)>& f, double range, std::size_t degree,
                              std::size_t points) {
  const Quadrature rule = gauss_legendre(points, range);
  Matrix<double> weight(degree + 1, degree + 1);
  double square = 0, even_square = 0;
  for (std::size_t a = 0; a < rule.points.size(); ++a)
    for (std::size_t b = 0; b < rule.points.size(); ++b) {
      const double x = rule.points[a], y = rule.points[b], mass = rule.weights[a] * rule.weights[b];
      const double value = f(x, y), even = (value + f(-x, -y)) / 2;
      const std::vector<double> P = legendre(degree, x / range), Q = legendre(degree, y / range);
      for (std::size_t i = 0; i <= degree; ++i)
        for (std::size_t j = 0; i + j <= degree; ++j)  // weight_ij   (3.24)
          weight(i, j) += mass * value * P[i] * Q[j] * std::sqrt(double((2 * i + 1) * (2 * j + 1)));
      square += mass * value * value;
      even_square += mass * even * even;
    }
  PolynomialFit fit;
  const double mean_squared = weight(0, 0) * weight(0, 0);
  fit.variance = square - mean_squared;
  fit.even = even_square - mean_squared;
  double explained = 0;
  for (std::size_t k = 0; k <= degree; ++k) {
    if (k > 0)
      for (std::size_t i = 0; i <= k; ++i) explained += weight(i, k - i) * weight(i, k - i);
    fit.share.push_back(explained / fit.variance);
  }
  return fit;
}

}  // namespace lesson3
