// Lesson 4, part 9: the trained bottleneck read from its weights, without a single input: one table
// over the features and the constant 1 for each output, as lesson 5 will fold a whole net.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <vector>

#include "lessons/4_bilinear_gates/forms.hpp"
#include "lessons/4_bilinear_gates/models.hpp"

namespace lesson4 {

// Returns [E·A; a], the weights of a factor over the features and 1: (features + 1) x h.
inline Matrix<double> over_features(const Matrix<double>& E, const Matrix<double>& A,
                                    const Matrix<double>& a) {
  const Matrix<double> EA = matmul(E, A);
  Matrix<double> all(E.rows() + 1, A.cols());
  const auto last = std::copy(EA.values().begin(), EA.values().end(), all.values().begin());
  std::copy(a.values().begin(), a.values().end(), last);
  return all;
}

// Returns F, a symmetric table for each output o: Y[r,o] = x·F[o]·xᵀ + u[o] for x = (X[r], 1).
inline std::vector<Matrix<double>> folded(const Bottleneck<double>& model) {
  const ProductLayer<double>& layer = model.net.layer;
  const Matrix<double> w = over_features(model.E, layer.W, layer.b),
                       v = over_features(model.E, layer.V, layer.c);
  std::vector<Matrix<double>> F;
  for (std::size_t o = 0; o < model.form.features; ++o) {
    Matrix<double> weighted = w;
    for (std::size_t i = 0; i < w.rows(); ++i)
      for (std::size_t k = 0; k < w.cols(); ++k) weighted(i, k) *= model.net.U(k, o) / 2;
    const Matrix<double> half = matmul(weighted, transpose(v));
    F.push_back(half + Matrix<double>(transpose(half)));  // (4.15)
  }
  return F;
}

// Returns x·F·xᵀ.
inline double form_at(const Matrix<double>& F, const Matrix<double>& x) {
  return matmul(matmul(x, F), transpose(x))(0, 0);
}

// Returns Σ F[o]·F[o]ᵀ, whose eigenvectors are the directions of (x, 1) in an SVD of all tables.
inline Matrix<double> squares_of(const std::vector<Matrix<double>>& F) {
  Matrix<double> squares(F[0].rows(), F[0].cols());
  for (const Matrix<double>& table : F) squares += matmul(table, transpose(table));
  return squares;
}

// Returns in how many directions of (x, 1) any of the tables varies.
inline int directions_of(const std::vector<Matrix<double>>& F) {
  const Signature s = signature(squares_of(F));
  return s.plus + s.minus;
}

// Returns how many of the tables none of the others can make up: the rank of their products.
inline int computations_of(const std::vector<Matrix<double>>& F) {
  Matrix<double> products(F.size(), F.size());
  for (std::size_t o = 0; o < F.size(); ++o)
    for (std::size_t p = 0; p < F.size(); ++p) products(o, p) = dot(F[o], F[p]);
  const Signature s = signature(products);
  return s.plus + s.minus;
}

// Returns how many of n features come back, each on with probability p: the share of each is 1 less
// its error over p·(1 - p), which is the error of saying its mean each time.
inline double features_back(std::size_t n, double loss, double p) {
  return double(n) * (1 - loss / (p * (1 - p)));
}

}  // namespace lesson4
