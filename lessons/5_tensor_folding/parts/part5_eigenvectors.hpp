// Lesson 5, part 5: each slice as a sum of signed squares.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>

#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/parts/part2_folding.hpp"
#include "lessons/5_tensor_folding/spectrum.hpp"

// The largest entries of V·Vᵀ - 1, and of S - Σ λ·vᵀ·v.
struct EigenErrors {
  double orthogonality = 0, residual = 0;
};
inline EigenErrors errors_of(const Eigen& eigen, const Matrix<double>& S) {
  const std::size_t n = S.rows();
  Matrix<double> identity(n, n), scaled = eigen.vectors;
  for (std::size_t i = 0; i < n; ++i) {
    identity(i, i) = 1;
    for (double& v : scaled.row(i)) v *= eigen.values[i];
  }
  return {max_abs_difference(matmul(eigen.vectors, transpose(eigen.vectors)), identity),
          max_abs_difference(matmul(transpose(eigen.vectors), scaled), S)};
}

inline void part5(Lesson& lesson) {
  const Eigen xy = eigen_symmetric({{0, 0.5}, {0.5, 0}});
  lesson.say("By hand: the slice of x·y is [0 ½; ½ 0]. Its eigenvalues are ", xy.values[0], " and ", xy.values[1],
             ", its eigenvectors (1, 1)/√2 and (1, -1)/√2: xy = ½·((x + y)/√2)² - ½·((x - y)/√2)².");
  lesson.claim("eigenvalues of xy: distance from ½ and -½",
               std::max(std::abs(std::abs(xy.values[0]) - 0.5), std::abs(xy.values[0] + xy.values[1])), at_most(1e-15));

  Random random(lesson.options().seed, 64);
  const Net<double> net = random_net({30, 0, 6, 3, false}, random);
  const Matrix<double> S = quadratic_slices(net)[1];
  const Eigen whole = eigen_symmetric(S), factors = eigen_through_factors(net, 1);
  const double size = std::abs(whole.values[0]);
  const EigenErrors errors = errors_of(whole, S);
  lesson.say(
      "A net of 30 inputs and 6 products. Each slice is 30 × 30, and of rank 12 at most: each product brings at most "
      "one ",
      "positive and one negative eigenvalue.");
  lesson.claim("eigenvectors at right angles and of length 1", errors.orthogonality, at_most(1e-12));
  lesson.claim("S = Σ λ·vᵀ·v, relative to the largest |λ|", errors.residual / size, at_most(1e-12));
  lesson.claim("the 13th largest |λ|, relative", std::abs(whole.values[12]) / size, at_most(1e-12));

  const auto X = normal_matrix<double>(50, 30, 1, random);
  std::vector<Eigen> spectra;
  for (std::size_t o = 0; o < 3; ++o) spectra.push_back(eigen_through_factors(net, o));
  const Matrix<double> Y = net.forward(X).logits;
  lesson.claim("Σ λ·(v·x)² = the net's outputs, relative",
               max_abs_difference(evaluate_truncated(spectra, X, 12), Y) / largest_entry(Y), at_most(1e-12));
  double apart = 0;
  for (std::size_t k = 0; k < 12; ++k) apart = std::max(apart, std::abs(whole.values[k] - factors.values[k]));
  lesson.say(
      "The same from the factors: not the 30 × 30 slice, but a 12 × 12 matrix made of W, V and U has the eigenvalues "
      "that ",
      "are not zero. For the 24 products of part 6 it is 48 × 48, however many pixels there are.");
  lesson.claim("eigenvalues through the factors, relative difference", apart / size, at_most(1e-12));
}
