// Lesson 4, part 9: more features than dimensions. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numbers>
#include <span>
#include <vector>

#include "common/loss.hpp"
#include "fit.hpp"
#include "forms.hpp"

// How many features survive m dimensions: the monomials of degree 1 and 2, or of degree 2 alone.   (4.14)
inline std::size_t limit_with_biases(std::size_t m) { return m * (m + 3) / 2; }
inline std::size_t limit_without_biases(std::size_t m) { return m * (m + 1) / 2; }

// Each feature alone, a row each; and at the end, if wanted, none at all.
inline Matrix<double> one_at_a_time(std::size_t features, bool with_zero) {
  Matrix<double> X(features + (with_zero ? 1 : 0), features);
  for (std::size_t i = 0; i < features; ++i) X(i, i) = 1;
  return X;
}

// All 2ⁿ inputs, and how probable each is when every feature is on with probability p, independently.
struct WeightedRows {
  Matrix<double> X;
  std::vector<double> weight;  // sums to 1
};
inline WeightedRows all_inputs(std::size_t features, double p) {
  WeightedRows all{Matrix<double>(std::size_t(1) << features, features), {}};
  for (std::size_t i = 0; i < all.X.rows(); ++i) {
    const double ones = double(std::popcount(i));
    for (std::size_t j = 0; j < features; ++j) all.X(i, j) = double(i >> j & 1);
    all.weight.push_back(std::pow(p, ones) * std::pow(1 - p, double(features) - ones));
  }
  return all;
}

// The expected squared error of a feature when Y answers the rows: Σ_i weight_i·Σ_j (y_ij - x_ij)² / features; and its gradient.
inline Loss<double> expected_error(const Matrix<double>& Y, const WeightedRows& rows) {
  Loss<double> loss{0, Y - rows.X};  // back
  const double features = double(rows.X.cols());
  for (std::size_t i = 0; i < Y.rows(); ++i)
    for (double& e : loss.gradient.row(i)) {
      loss.value += rows.weight[i] * e * e / features;
      e *= 2 * rows.weight[i] / features;  // back
    }
  return loss;
}

// Trains on all inputs at once with any optimizer, each input as important as it is probable; returns the expected squared
// error of a feature.
template <class Optimizer>
double fit_weighted(Bottleneck& model, Optimizer optimizer, const WeightedRows& rows, long steps, double rate) {
  for (long step = 0;; ++step) {
    const auto trace = model.forward(rows.X);
    const Loss<double> loss = expected_error(trace.output(), rows);
    if (step == steps) return loss.value;
    auto gradients = model.backward(trace, loss.gradient);  // back
    optimizer.step(model.tensors(), gradients.d.tensors(), cosine_rate(step, steps, rate));
  }
}

// The same with AdamW.
inline double fit_weighted(Bottleneck& model, const WeightedRows& rows, long steps, double rate) {
  return fit_weighted(model, AdamW<double>(FitSettings{}.adam), rows, steps, rate);
}

// The six quadratic functions 1, x, y, x², xy, y² of two numbers, at each row of E and at 0, (n + 1) x 6. With biases and
// the input 0 five features need rank 6: less, and one relation binds what any output says at the six points.
inline Matrix<double> quadratics_at(const Matrix<double>& E) {
  Matrix<double> values(E.rows() + 1, 6);
  for (std::size_t i = 0; i <= E.rows(); ++i) {
    const double x = i < E.rows() ? E(i, 0) : 0, y = i < E.rows() ? E(i, 1) : 0;
    const double row[] = {1, x, y, x * x, x * y, y * y};
    std::copy(std::begin(row), std::end(row), values.row(i).begin());
  }
  return values;
}

// The rows of E (n x 2) after the change of basis that makes EᵀE = (n/2)·I. E·A with A⁻¹ in W and V is the same network, so
// only what such a change leaves alone says something about it. A is the inverse of Cholesky's triangle, transposed.
inline Matrix<double> in_plain_basis(const Matrix<double>& E) {
  const Matrix<double> G = 2 / double(E.rows()) * matmul(transpose(E), E);
  const double a = std::sqrt(G(0, 0)), b = G(1, 0) / a, c = std::sqrt(G(1, 1) - b * b);
  Matrix<double> plain = E;
  for (std::size_t i = 0; i < E.rows(); ++i) {
    plain(i, 0) = E(i, 0) / a;
    plain(i, 1) = (E(i, 1) - b * plain(i, 0)) / c;
  }
  return plain;
}

// The angles between neighbouring rows of a matrix n x 2, in degrees; they add up to 360.
inline std::vector<double> gaps_between(const Matrix<double>& rows) {
  std::vector<double> angles, gaps;
  for (std::size_t i = 0; i < rows.rows(); ++i)
    angles.push_back(std::atan2(rows(i, 1), rows(i, 0)) * 180 / std::numbers::pi);
  std::sort(angles.begin(), angles.end());
  for (std::size_t i = 0; i + 1 < angles.size(); ++i) gaps.push_back(angles[i + 1] - angles[i]);
  gaps.push_back(angles.front() + 360 - angles.back());
  return gaps;
}

// The network as one table, for each output a symmetric (n + 1) x (n + 1) matrix over the features and the constant 1:
// T[o,i,j] = ½ Σ_k U[k,o]·(w_ik·v_jk + w_jk·v_ik), where w is [E·W; b] and v is [E·V; c], and d[o] is added at the corner.   (4.15)
inline std::vector<Matrix<double>> folded(const Bottleneck& model) {
  const ProductLayer& layer = model.net.layer;
  const std::size_t n = model.E.rows();
  const Matrix<double> EW = matmul(model.E, layer.W), EV = matmul(model.E, layer.V);
  std::vector<Matrix<double>> T(n, Matrix<double>(n + 1, n + 1));
  for (std::size_t o = 0; o < n; ++o) {
    for (std::size_t i = 0; i <= n; ++i)
      for (std::size_t j = 0; j <= n; ++j)
        for (std::size_t k = 0; k < layer.W.cols(); ++k) {
          const double wi = i < n ? EW(i, k) : layer.b(0, k), wj = j < n ? EW(j, k) : layer.b(0, k);
          const double vi = i < n ? EV(i, k) : layer.c(0, k), vj = j < n ? EV(j, k) : layer.c(0, k);
          T[o](i, j) += model.net.U(k, o) * (wi * vj + wj * vi) / 2;
        }
    T[o](n, n) += model.net.d(0, o);
  }
  return T;
}

// In how many directions of the input, the constant among them, the table varies: the rank of its slices side by side.
inline std::size_t input_rank(const std::vector<Matrix<double>>& T, double zero) {
  const std::size_t rows = T[0].rows();
  Matrix<double> side_by_side(rows, rows * T.size());
  for (std::size_t o = 0; o < T.size(); ++o)
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < rows; ++j) side_by_side(i, o * rows + j) = T[o](i, j);
  return rank_of(side_by_side, zero);
}

// z·T·zᵀ for one output's slice, z the features of a row and the constant 1.
inline double answer(const Matrix<double>& slice, std::span<const double> features) {
  const std::size_t n = features.size();
  const auto z = [&](std::size_t i) { return i < n ? features[i] : 1.0; };
  double sum = 0;
  for (std::size_t i = 0; i <= n; ++i)
    for (std::size_t j = 0; j <= n; ++j) sum += z(i) * slice(i, j) * z(j);
  return sum;
}

// What the table says of feature i alone, for output o: T[o,i,i] + 2·T[o,i,one] + T[o,one,one].
inline double response(const std::vector<Matrix<double>>& T, std::size_t o, std::size_t i) {
  const std::size_t one = T[0].rows() - 1;
  return T[o](i, i) + 2 * T[o](i, one) + T[o](one, one);
}
