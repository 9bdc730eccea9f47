// Tests of lesson 3's model/ apart from its gradients: least squares, Legendre quadrature, the fold.
// SPDX-License-Identifier: MIT
#include <cmath>

#include "lessons/3_swish_vs_bmlp/floors.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"
#include "tests/check.hpp"

using namespace lesson3;

static void least_squares_solves(Checks& check) {
  Random random(1);
  const auto A = normal_matrix<double>(9, 4, 1, random);
  const Matrix<double> S = matmul(transpose(A), A), L = cholesky(S);
  // 4 products of numbers up to 10 in each entry: some ten roundings of 1e-15.
  check.near(max_abs_difference(matmul(L, transpose(L)), S), 0, 1e-13, "L·Lᵀ gives the matrix back");
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i + 1; j < 4; ++j) check.that(L(i, j) == 0, "L is a lower triangle");
  const auto w = normal_matrix<double>(4, 3, 1, random);
  check.near(max_abs_difference(least_squares(A, matmul(A, w)), w), 0, 1e-12, "weights that fit exactly are found");

  const auto T = normal_matrix<double>(9, 2, 1, random);
  const Matrix<double> error = matmul(A, least_squares(A, T)) - T;
  check.near(largest_entry(matmul(transpose(A), error)), 0, 1e-13, "what is left is at right angles to every feature");
  check.throws([&] { cholesky(A); }, "9 x 4", "Cholesky of what is not square");
}

// A third column that is the sum of the others gets the weight 0; the fit is that of the others alone.
static void least_squares_with_a_redundant_column(Checks& check) {
  Random random(2);
  const auto A = normal_matrix<double>(20, 2, 1, random), T = normal_matrix<double>(20, 1, 1, random);
  Matrix<double> B(20, 3);
  for (std::size_t i = 0; i < 20; ++i) {
    B(i, 0) = A(i, 0);
    B(i, 1) = A(i, 1);
    B(i, 2) = A(i, 0) + A(i, 1);
  }
  const Matrix<double> w = least_squares(B, T), alone = least_squares(A, T);
  check.that(w(2, 0) == 0, "a redundant column has no weight");
  check.near(std::abs(w(0, 0) - alone(0, 0)) + std::abs(w(1, 0) - alone(1, 0)), 0, 1e-13, "the others are as without");
}

static void features(Checks& check) {
  const Matrix<double> X{{2, 3}};
  check.that(affine_features(X) == Matrix<double>{{1, 2, 3}}, "affine features");
  check.that(quadratic_features(X) == Matrix<double>{{1, 2, 3, 4, 6, 9}}, "quadratic features");
  check.that(gated_mean_features(X) == Matrix<double>{{1, 2, 3, 5, 7.5}}, "features of the mean gate");
  check.that(quadratic_features(Matrix<double>(1, 16)).cols() == 153, "16 inputs make 153 monomials");
}

static void quadrature(Checks& check) {
  const Quadrature rule = gauss_legendre(4, 3);
  for (std::size_t power = 0; power <= 7; ++power) {
    double mean = 0;
    for (std::size_t k = 0; k < rule.points.size(); ++k) mean += rule.weights[k] * std::pow(rule.points[k], power);
    const double exact = power % 2 ? 0 : std::pow(3, power) / double(power + 1);
    check.near(mean, exact, 1e-12, "mean of x^" + std::to_string(power) + " with four points on each half");
  }
  double corner = 0;
  for (std::size_t k = 0; k < rule.points.size(); ++k) corner += rule.weights[k] * std::abs(rule.points[k]);
  check.near(corner, 1.5, 1e-14, "a corner at 0 does no harm");
  const std::vector<double> P = legendre(4, 0.5);
  check.near(P[2], -0.125, 0, "P_2(1/2) = (3/4 - 1)/2");
  check.near(P[4], (35 / 16.0 - 30 / 4.0 + 3) / 8, 1e-16, "P_4(1/2)");
  check.that(legendre(0, 0.5) == std::vector<double>{1}, "P_0 alone");
}

// Closed forms. |x| on [-3, 3]: variance 9/12, best parabola 15/16 of it. cos wx: mean sin(3w)/(3w), variance by cos².
static void polynomial_fits(Checks& check) {
  const PolynomialFit corner = fit_polynomials([](double x, double) { return std::abs(x); }, 3, 4);
  check.near(corner.variance, 0.75, 1e-13, "|x|: variance");
  check.near(corner.share[1], 0, 1e-13, "|x|: no line helps");
  check.near(corner.share[2], 15 / 16.0, 1e-13, "|x|: the best parabola");
  check.near(corner.even, 0.75, 1e-13, "|x| is even");

  const PolynomialFit wave = fit_polynomials([](double x, double) { return std::cos(1.5 * x); }, 3, 4);
  const double mean = std::sin(4.5) / 4.5;
  check.near(wave.variance, (1 + std::sin(9) / 9) / 2 - mean * mean, 1e-13, "cos 1.5x: variance");

  // x²y = (x² - 3)·y + 3y: E[y²] = 3, E[(x² - 3)²] = 81/5 - 9 = 7.2, so 27 of 27 + 21.6 is linear.
  const PolynomialFit cubic = fit_polynomials([](double x, double y) { return x * x * y; }, 3, 4);
  check.near(cubic.variance, 48.6, 1e-11, "x²y: variance");
  check.near(cubic.share[1], 5 / 9.0, 1e-13, "x²y: the best plane");
  check.near(cubic.share[3], 1, 1e-13, "x²y is of degree 3");
  check.near(cubic.even, 0, 1e-12, "x²y is odd");
}

static void folding(Checks& check) {
  Random random(5);
  Bmlp<double> f({3, 5, 2});
  fill_normal(f.tensors(), random);
  const auto X = normal_matrix<double>(8, 3, 1, random);
  check.near(max_abs_difference(output(f, X), matmul(X, fold(f))), 0, 1e-13, "the fold is the network");
}

int main() {
  Checks check;
  least_squares_solves(check);
  least_squares_with_a_redundant_column(check);
  features(check);
  quadrature(check);
  polynomial_fits(check);
  folding(check);
  return check.done("test_lesson3_floors");
}
