// Lesson 5, parts 5 to 9: what the eigenvectors of a net's slices say. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "fold.hpp"
#include "jacobi.hpp"

// The slices S[o] over the inputs alone, without the constant: for a net without biases this is the whole net.
template <class T>
std::vector<Matrix<double>> quadratic_slices(const Net<T>& net) {
  const std::size_t n = net.form.inputs;
  std::vector<Matrix<double>> slices;
  for (const Matrix<double>& S : symmetric(fold(net)).slices)
    slices.push_back(Matrix<double>(row_block(column_block(S, 0, n), 0, n)));
  return slices;
}

// The eigenvalues and eigenvectors of one slice from the factors. S = F·G·Fᵀ with F = [E·W E·V], inputs x 2h, and
// G = ½·[0 D; D 0], D the diagonal of U's column o. With FᵀF = R·diag(μ)·Rᵀ, the small matrix
// C = diag(√μ)·Rᵀ·G·R·diag(√μ), 2h x 2h, has the eigenvalues of S that are not zero; its eigenvector z belongs to
// F·R·diag(1/√μ)·z. A direction r_k with μ_k = 0, as when columns of F are equal, is taken out: C gets an eigenvalue 0 for
// it, whose row of `vectors` is zero too.   (5.14)
template <class T>
Eigen eigen_through_factors(const Net<T>& net, std::size_t o) {
  Matrix<double> W(net.W.view()), V(net.V.view());
  if (net.form.embedding) {
    const Matrix<double> E(net.E.view());
    W = matmul(E, W), V = matmul(E, V);
  }
  const std::size_t h = W.cols();
  Matrix<double> F(W.rows(), 2 * h), G(2 * h, 2 * h);
  for (std::size_t i = 0; i < W.rows(); ++i)
    for (std::size_t k = 0; k < h; ++k) F(i, k) = W(i, k), F(i, h + k) = V(i, k);
  for (std::size_t k = 0; k < h; ++k) G(k, h + k) = G(h + k, k) = double(net.U(k, o)) / 2;
  const Eigen square = eigen_symmetric(matmul(transpose(F), F));
  // Sums of so many products, and rotations of so many columns, leave a μ uncertain by this share of the largest.
  const double uncertain = double(F.rows() + F.cols()) * std::numeric_limits<double>::epsilon();
  Matrix<double> root(2 * h, 2 * h), inverse(2 * h, 2 * h);  // rows: r_k·√μ_k and r_k/√μ_k
  for (std::size_t k = 0; k < 2 * h; ++k)
    for (std::size_t j = 0; j < 2 * h; ++j) {
      if (square.values[k] <= uncertain * square.values[0]) continue;
      const double size = std::sqrt(square.values[k]);
      root(k, j) = size * square.vectors(k, j), inverse(k, j) = square.vectors(k, j) / size;
    }
  Matrix<double> C = matmul(matmul(root, G), transpose(root));
  C = 0.5 * (C + Matrix<double>(transpose(C)));  // where terms cancel, rounding is all that is left, and not symmetric
  Eigen small = eigen_symmetric(C);
  small.vectors = matmul(matmul(small.vectors, inverse), transpose(F));  // rows again, 2h x inputs
  return small;
}

// The participation ratio (Σ|λ|)²/Σλ²: of k equal eigenvalues, k.   (5.19)
inline double effective_rank(const std::vector<double>& values) {
  double sum = 0, squares = 0;
  for (const double value : values) sum += std::abs(value), squares += value * value;
  return squares > 0 ? sum * sum / squares : 0;
}

// Y[r,o] = Σ_k λ_k·(v_k·x_r)² with the first `kept` eigenvalues of each output, largest |λ| first.   (5.18)
inline Matrix<double> evaluate_truncated(const std::vector<Eigen>& spectra, const Matrix<double>& X, std::size_t kept) {
  Matrix<double> Y(X.rows(), spectra.size());
  for (std::size_t o = 0; o < spectra.size(); ++o) {
    const std::size_t count = std::min(kept, spectra[o].values.size());
    const Matrix<double> projections = matmul(X, transpose(row_block(spectra[o].vectors, 0, count)));
    for (std::size_t r = 0; r < X.rows(); ++r)
      for (std::size_t k = 0; k < count; ++k) Y(r, o) += spectra[o].values[k] * projections(r, k) * projections(r, k);
  }
  return Y;
}
