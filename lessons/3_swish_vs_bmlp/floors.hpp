// Lesson 3: what a model can reach, without training: least squares on its features.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <functional>
#include <vector>

#include "lessons/3_swish_vs_bmlp/models.hpp"

namespace lesson3 {

// Returns R² over all outputs, 1 - Σ (output - target)² / Σ (target - its mean)².
inline double r_squared(const Matrix<double>& Y, const Matrix<double>& target) {
  const Matrix<double> error = Y - target, spread = add_row(target, -1 * column_means(target));
  return 1 - dot(error, error) / dot(spread, spread);
}

// Returns the weights w (k x out) that minimize the mean square of Φ·w - T. Each equation is solved
// for its weight, which is then taken out of all others. A feature made up of earlier ones leaves
// only rounding on the diagonal, and gets weight 0.   (3.6)
inline Matrix<double> least_squares(const Matrix<double>& Phi, const Matrix<double>& T) {
  const Matrix<double> equations = matmul(transpose(Phi), Phi);  // k x k
  Matrix<double> N = equations, w = matmul(transpose(Phi), T);   // k x k, k x out
  const std::size_t k = N.rows();
  for (std::size_t j = 0; j < k; ++j) {
    const double pivot = N(j, j), share = pivot > 1e-12 * equations(j, j) ? 1 / pivot : 0;
    for (double& z : w.row(j)) z *= share;
    for (double& z : N.row(j)) z *= share;
    for (std::size_t i = 0; i < k; ++i) {
      if (i == j) continue;
      const double times = N(i, j);
      for (std::size_t m = j; m < k; ++m) N(i, m) -= times * N(j, m);
      for (std::size_t o = 0; o < w.cols(); ++o) w(i, o) -= times * w(j, o);
    }
  }
  return w;
}

// Returns the loss of the best map of these features: no model that uses them gets below.
inline double floor_of(const Matrix<double>& Phi, const Matrix<double>& T) {
  return mean_square(matmul(Phi, least_squares(Phi, T)) - T);
}

// Returns all products of at most `degree` entries of a row, 1 first. A product layer uses those of
// degree 2: 153 for 16 inputs.
inline Matrix<double> monomials(const Matrix<double>& X, std::size_t degree) {
  std::vector<std::vector<std::size_t>> all{{}};  // which entries, in ascending order
  for (std::size_t from = 0, k = 0; k < degree; ++k)
    for (const std::size_t until = all.size(); from < until; ++from)
      for (std::size_t j = all[from].empty() ? 0 : all[from].back(); j < X.cols(); ++j) {
        all.push_back(all[from]);
        all.back().push_back(j);
      }
  Matrix<double> Phi(X.rows(), all.size(), 1);
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t k = 0; k < all.size(); ++k)
      for (const std::size_t j : all[k]) Phi(i, k) *= X(i, j);
  return Phi;
}

// Returns the columns 1, x[j], mean(x)·x[j]: what weights W1 + mean(x)·U1 can use.
inline Matrix<double> gated_mean_features(const Matrix<double>& X) {
  const std::size_t in = X.cols();
  Matrix<double> Phi(X.rows(), 1 + 2 * in, 1);
  for (std::size_t i = 0; i < X.rows(); ++i) {
    double mean = 0;
    for (const double x : X.row(i)) mean += x / double(in);
    for (std::size_t j = 0; j < in; ++j) {
      Phi(i, 1 + j) = X(i, j);
      Phi(i, 1 + in + j) = mean * X(i, j);
    }
  }
  return Phi;
}

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

// Fits by least squares on 4,000 evenly spaced places.
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
