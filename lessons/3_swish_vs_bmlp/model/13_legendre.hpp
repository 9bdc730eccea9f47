// Lesson 3, part 6: how much of a function polynomials of each degree can say, by quadrature: the R² of the best fit,
// before any data are drawn. Equations: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

namespace lesson3 {

// Returns Leg_0 .. Leg_degree at z, by (i + 1)·Leg_(i+1) = (2i + 1)·z·Leg_i - i·Leg_(i-1).   (3.23)
std::vector<double> legendre(std::size_t degree, double z);

// Points and weights: Σ weight·f(point) is the mean of f over U[-range, range].
struct Quadrature {
  std::vector<double> points, weights;
};

// Returns Gauss's rule with n points on each half of [-range, range], so that a corner at 0 does no harm. Each half is
// exact for polynomials up to degree 2n - 1.
Quadrature gauss_legendre(std::size_t n, double range);

// A function of two independent numbers from U[-range, range], seen by polynomials.
struct PolynomialFit {
  double variance = 0;
  double even = 0;            // the variance of its even part, (f(x, y) + f(-x, -y))/2
  std::vector<double> share;  // share[k]: R² of the best polynomial of total degree at most k
};

// Returns the best fits of f(x, y) by polynomials up to `degree`, by quadrature with so many points a half.   (3.24)
PolynomialFit fit_polynomials(const std::function<double(double x, double y)>& f, double range, std::size_t degree,
                              std::size_t points = 32);

}  // namespace lesson3
