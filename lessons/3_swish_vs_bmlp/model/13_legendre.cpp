// Lesson 3, part 6: Legendre's polynomials, Gauss's rule, and fits of functions by polynomials. Equations: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/model/13_legendre.hpp"

#include <cmath>
#include <numbers>

#include "common/matrix.hpp"

namespace lesson3 {

std::vector<double> legendre(std::size_t degree, double z) {
  std::vector<double> leg{1, z};
  for (std::size_t i = 1; i < degree; ++i)
    leg.push_back(((2 * double(i) + 1) * z * leg[i] - double(i) * leg[i - 1]) / (double(i) + 1));
  leg.resize(degree + 1);
  return leg;
}

// The points are the zeros of Leg_n, found by Newton from a first guess near enough (Abramowitz and Stegun 22.16.6).
Quadrature gauss_legendre(std::size_t n, double range) {
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

// The functions √(2i + 1)·Leg_i(x/range)·√(2j + 1)·Leg_j(y/range) are uncorrelated and have the mean square 1, so the best
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
      const std::vector<double> of_x = legendre(degree, x / range), of_y = legendre(degree, y / range);
      for (std::size_t i = 0; i <= degree; ++i)
        for (std::size_t j = 0; i + j <= degree; ++j)  // weight_ij   (3.24)
          weight(i, j) += mass * value * of_x[i] * of_y[j] * std::sqrt(double((2 * i + 1) * (2 * j + 1)));
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
