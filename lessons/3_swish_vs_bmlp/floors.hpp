// Lesson 3: what can be reached, found without training: least squares on the features that a model can use. Equations:
// README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <functional>

#include "lessons/3_swish_vs_bmlp/models.hpp"

namespace lesson3 {

// Returns R² over all outputs, 1 - Σ (y - t)² / Σ (t - that output's mean)²: 1 is perfect, 0 the mean, below 0 worse.
inline double r_squared(const Matrix<double>& Y, const Matrix<double>& target) {
  const Matrix<double> error = Y - target, spread = add_row(target, -1 * column_means(target));
  return 1 - dot(error, error) / dot(spread, spread);
}

// Returns the weights w (k x o) that make the mean square of Φ·w - T smallest; Φ is n x k, T is n x o. Each equation in
// turn is solved for its weight, which is then taken out of all others. A feature that earlier ones make up leaves only
// rounding on the diagonal, and gets the weight 0.   (3.6)
inline Matrix<double> least_squares(const Matrix<double>& Phi, const Matrix<double>& T) {
  const Matrix<double> equations = matmul(transpose(Phi), Phi);  // k x k
  Matrix<double> N = equations, w = matmul(transpose(Phi), T);   // k x k, k x o
  const std::size_t k = N.rows();
  for (std::size_t j = 0; j < k; ++j) {
    const double pivot = N(j, j), share = pivot > 1e-12 * equations(j, j) ? 1 / pivot : 0;
    for (double& z : w.row(j)) z *= share;
    for (double& z : N.row(j)) z *= share;
    for (std::size_t i = 0; i < k; ++i) {
      if (i == j) continue;
      const double times = N(i, j);
      for (std::size_t t = j; t < k; ++t) N(i, t) -= times * N(j, t);
      for (std::size_t o = 0; o < w.cols(); ++o) w(i, o) -= times * w(j, o);
    }
  }
  return w;
}

// Returns the loss that the best map of these features has on the rows: no model that can use nothing else gets below.
inline double floor_of(const Matrix<double>& Phi, const Matrix<double>& T) {
  return mean_square(matmul(Phi, least_squares(Phi, T)) - T);
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

// The polynomial that fits a curve best on an interval.
struct Polynomial {
  double centre, half;     // the middle of the interval, and half its width
  Matrix<double> weights;  // of 1, u, u², ... with u = (x - centre)/half
  double r2;               // 1: it is the curve

  double operator()(double x) const {
    double y = 0;
    for (std::size_t k = weights.rows(); k-- > 0;) y = y * (x - centre) / half + weights(k, 0);
    return y;
  }
};

// Returns that of so high a degree, by least squares on 4,000 places that lie evenly.
inline Polynomial fit_polynomial(const std::function<double(double)>& f, double centre, double half,
                                 std::size_t degree) {
  constexpr std::size_t places = 4000;
  Matrix<double> Phi(places, degree + 1, 1), y(places, 1);
  for (std::size_t i = 0; i < places; ++i) {
    const double u = (2 * double(i) + 1) / places - 1;
    for (std::size_t k = 1; k <= degree; ++k) Phi(i, k) = Phi(i, k - 1) * u;
    y(i, 0) = f(centre + half * u);
  }
  const Matrix<double> weights = least_squares(Phi, y);
  return {centre, half, weights, r_squared(matmul(Phi, weights), y)};
}

}  // namespace lesson3
