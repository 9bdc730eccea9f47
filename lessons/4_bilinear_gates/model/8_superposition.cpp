// Lesson 4, part 9: what is known of more features than dimensions, and of a network that holds them. Equation numbers:
// README.md.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/model/8_superposition.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <numbers>

#include "lessons/4_bilinear_gates/model/4_forms.hpp"
#include "lessons/4_bilinear_gates/model/6_cube.hpp"

namespace lesson4 {

std::size_t most_features(std::size_t m, Biases biases) { return m * (m + (biases == Biases::with ? 3 : 1)) / 2; }

Matrix<double> one_at_a_time(std::size_t features, ZeroRow zero) {
  Matrix<double> X(features + (zero == ZeroRow::with ? 1 : 0), features);
  for (std::size_t i = 0; i < features; ++i) X(i, i) = 1;
  return X;
}

WeightedRows all_inputs(std::size_t features, double p) {
  WeightedRows all{Matrix<double>(std::size_t(1) << features, features), {}};
  for (std::size_t i = 0; i < all.X.rows(); ++i) {
    const double ones = double(std::popcount(i));
    for (std::size_t j = 0; j < features; ++j) all.X(i, j) = input_bit(i, j);
    all.weight.push_back(std::pow(p, ones) * std::pow(1 - p, double(features) - ones));
  }
  return all;
}

Loss<double> expected_error(const Matrix<double>& Y, const WeightedRows& rows) {
  Loss<double> loss{0, Y - rows.X};  // back
  const double features = double(rows.X.cols());
  for (std::size_t i = 0; i < Y.rows(); ++i)
    for (std::size_t j = 0; j < Y.cols(); ++j) {
      const double weight = rows.weight[i] * rows.importance_of(j);
      double& e = loss.gradient(i, j);
      loss.value += weight * e * e / features;  // (4.16)
      e *= 2 * weight / features;               // (4.16) back
    }
  return loss;
}

std::vector<double> shares_given_back(const Matrix<double>& Y, const WeightedRows& rows) {
  std::vector<double> shares;
  for (std::size_t j = 0; j < Y.cols(); ++j) {
    double error = 0, mean = 0, square = 0;
    for (std::size_t i = 0; i < Y.rows(); ++i) {
      const double x = rows.X(i, j), e = Y(i, j) - x;
      error += rows.weight[i] * e * e;
      mean += rows.weight[i] * x;
      square += rows.weight[i] * x * x;
    }
    shares.push_back(1 - error / (square - mean * mean));
  }
  return shares;
}

Matrix<double> quadratics_at(const Matrix<double>& E) {
  Matrix<double> values(E.rows() + 1, 6);
  for (std::size_t i = 0; i <= E.rows(); ++i) {
    const double x = i < E.rows() ? E(i, 0) : 0, y = i < E.rows() ? E(i, 1) : 0;
    const double row[] = {1, x, y, x * x, x * y, y * y};
    std::copy(std::begin(row), std::end(row), values.row(i).begin());
  }
  return values;
}

// E·A, where A is the inverse of Cholesky's triangle of (2/n)·EᵀE, transposed.
Matrix<double> in_plain_basis(const Matrix<double>& E) {
  const Matrix<double> G = 2 / double(E.rows()) * matmul(transpose(E), E);
  const double a = std::sqrt(G(0, 0)), b = G(1, 0) / a, c = std::sqrt(G(1, 1) - b * b);
  Matrix<double> plain = E;
  for (std::size_t i = 0; i < E.rows(); ++i) {
    plain(i, 0) = E(i, 0) / a;
    plain(i, 1) = (E(i, 1) - b * plain(i, 0)) / c;
  }
  return plain;
}

std::vector<double> gaps_between(const Matrix<double>& rows) {
  std::vector<double> angles, gaps;
  for (std::size_t i = 0; i < rows.rows(); ++i)
    angles.push_back(std::atan2(rows(i, 1), rows(i, 0)) * 180 / std::numbers::pi);
  std::sort(angles.begin(), angles.end());
  for (std::size_t i = 0; i + 1 < angles.size(); ++i) gaps.push_back(angles[i + 1] - angles[i]);
  gaps.push_back(angles.front() + 360 - angles.back());
  return gaps;
}

std::vector<Matrix<double>> folded(const Bottleneck& model) {
  const ProductLayer& layer = model.net.layer;
  const std::size_t n = model.E.rows();
  const Matrix<double> EW = matmul(model.E, layer.W), EV = matmul(model.E, layer.V);
  std::vector<Matrix<double>> F(n, Matrix<double>(n + 1, n + 1));
  for (std::size_t o = 0; o < n; ++o) {
    for (std::size_t i = 0; i <= n; ++i)
      for (std::size_t j = 0; j <= n; ++j)
        for (std::size_t k = 0; k < layer.W.cols(); ++k) {
          const double wi = i < n ? EW(i, k) : layer.b(0, k), wj = j < n ? EW(j, k) : layer.b(0, k);
          const double vi = i < n ? EV(i, k) : layer.c(0, k), vj = j < n ? EV(j, k) : layer.c(0, k);
          F[o](i, j) += model.net.U(k, o) * (wi * vj + wj * vi) / 2;
        }
    F[o](n, n) += model.net.d(0, o);
  }
  return F;
}

std::size_t input_rank(const std::vector<Matrix<double>>& F, double zero) {
  const std::size_t rows = F[0].rows();
  Matrix<double> side_by_side(rows, rows * F.size());
  for (std::size_t o = 0; o < F.size(); ++o)
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < rows; ++j) side_by_side(i, o * rows + j) = F[o](i, j);
  return rank_of(side_by_side, zero);
}

double answer(const Matrix<double>& slice, std::span<const double> features) {
  const std::size_t n = features.size();
  const auto z = [&](std::size_t i) { return i < n ? features[i] : 1.0; };
  double sum = 0;
  for (std::size_t i = 0; i <= n; ++i)
    for (std::size_t j = 0; j <= n; ++j) sum += z(i) * slice(i, j) * z(j);
  return sum;
}

double response(const std::vector<Matrix<double>>& F, std::size_t o, std::size_t i) {
  const std::size_t one = F[0].rows() - 1;
  return F[o](i, i) + 2 * F[o](i, one) + F[o](one, one);
}

}  // namespace lesson4
