// Lesson 3, part 6: how much of a function polynomials of each degree can say, by quadrature: the R² of the best fit,
// before any data are drawn. Equations: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "common/matrix.hpp"

// P_0 .. P_degree at z, by (k + 1)·P_(k+1) = (2k + 1)·z·P_k - k·P_(k-1).   (3.23)
inline std::vector<double> legendre(std::size_t degree, double z) {
  std::vector<double> P{1, z};
  for (std::size_t k = 1; k < degree; ++k)
    P.push_back(((2 * double(k) + 1) * z * P[k] - double(k) * P[k - 1]) / (double(k) + 1));
  P.resize(degree + 1);
  return P;
}

// Points and weights: Σ weight·f(point) is the mean of f over U[-range, range].
struct Quadrature {
  std::vector<double> points, weights;
};

// Gauss's rule with n points on each half of [-range, range], so that a corner at 0 does no harm. The points are the zeros
// of P_n, found by Newton from a first guess that is near enough (Abramowitz and Stegun 22.16.6); each half is exact for
// polynomials up to degree 2n - 1.
inline Quadrature gauss_legendre(std::size_t n, double range) {
  Quadrature rule;
  for (std::size_t i = 0; i < n; ++i) {
    double z = std::cos(std::numbers::pi * (double(i) + 0.75) / (double(n) + 0.5)), slope = 0;
    for (int newton = 0; newton < 10; ++newton) {
      const std::vector<double> P = legendre(n, z);
      slope = double(n) * (z * P[n] - P[n - 1]) / (z * z - 1);
      z -= P[n] / slope;
    }
    const double weight = 1 / ((1 - z * z) * slope * slope);  // sums to 1 over a half
    for (const double half : {-1, 1}) {
      rule.points.push_back(half * range * (1 + z) / 2);
      rule.weights.push_back(weight / 2);
    }
  }
  return rule;
}

// A function of two independent numbers from U[-range, range], seen by polynomials.
struct PolynomialFit {
  double variance = 0;
  double even = 0;            // the variance of its even part, (f(x, y) + f(-x, -y))/2
  std::vector<double> share;  // share[k]: R² of the best polynomial of total degree at most k
};

// The functions √(2i + 1)·P_i(x/range)·√(2j + 1)·P_j(y/range) are uncorrelated and have the mean square 1, so the best
// weight of each is E[f·it], and each adds the square of its weight to the variance that is explained.   (3.24)
template <class F>
PolynomialFit fit_polynomials(F f, double range, std::size_t degree, std::size_t points = 32) {
  const Quadrature rule = gauss_legendre(points, range);
  Matrix<double> weight(degree + 1, degree + 1);
  double square = 0, even_square = 0;
  for (std::size_t a = 0; a < rule.points.size(); ++a)
    for (std::size_t b = 0; b < rule.points.size(); ++b) {
      const double x = rule.points[a], y = rule.points[b], mass = rule.weights[a] * rule.weights[b];
      const double value = f(x, y), even = (value + f(-x, -y)) / 2;
      const std::vector<double> P = legendre(degree, x / range), Q = legendre(degree, y / range);
      for (std::size_t i = 0; i <= degree; ++i)
        for (std::size_t j = 0; i + j <= degree; ++j)
          weight(i, j) += mass * value * P[i] * Q[j] * std::sqrt(double((2 * i + 1) * (2 * j + 1)));
      square += mass * value * value, even_square += mass * even * even;
    }
  PolynomialFit fit;
  const double mean_squared = weight(0, 0) * weight(0, 0);
  fit.variance = square - mean_squared, fit.even = even_square - mean_squared;
  double explained = 0;
  for (std::size_t k = 0; k <= degree; ++k) {
    if (k > 0)
      for (std::size_t i = 0; i <= k; ++i) explained += weight(i, k - i) * weight(i, k - i);
    fit.share.push_back(explained / fit.variance);
  }
  return fit;
}
