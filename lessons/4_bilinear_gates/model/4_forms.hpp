// Lesson 4, parts 4, 8, 9: a quadratic form as a symmetric matrix, how many products it takes, and ranks. Equation numbers:
// README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>

#include "lessons/4_bilinear_gates/model/3_gates.hpp"

namespace lesson4 {

// Returns the symmetric S (3 x 3) with f(x, y) = z·S·zᵀ, z = (x, y, 1).   (4.7)
Matrix<double> matrix_of(const QuadraticForm& f);

// Returns the symmetric matrix that a layer computes, its units added up: S = ½ Σ_k (w_k·v_kᵀ + v_k·w_kᵀ), where w_k and v_k
// are the columns of [W; b] and [V; c].   (4.9)
Matrix<double> matrix_of(const ProductLayer& layer);

// How many eigenvalues are positive, and how many negative.
struct Signature {
  int positive = 0, negative = 0;

  int units() const { return std::max(positive, negative); }  // (4.8)
};

// Counts the sign changes along the numbers, those up to `zero` in size left out.
int sign_changes(const std::array<double, 4>& numbers, double zero);

// Returns that of a symmetric 3 x 3 matrix of any scale, without its eigenvalues: they are the roots of λ³ - trace·λ² +
// minors·λ - det, all real, and then as many are positive as the coefficients change sign (Descartes).
Signature signature(Matrix<double> S);

// How far units that are added up are from a form: |D|² for D = ½·(w·vᵀ + v·wᵀ) - S, the columns of w and v being the units'
// factors; and its slopes. D is symmetric, so that dw = 2·D·v and dv = 2·D·w.
struct FormDistance {
  double squared;
  Matrix<double> dw, dv;
};
FormDistance distance_from(const Matrix<double>& S, const Matrix<double>& w, const Matrix<double>& v);

// Returns the rank of a matrix: how many pivots larger than `zero` elimination finds, each the largest entry that is left.
std::size_t rank_of(Matrix<double> A, double zero);

}  // namespace lesson4
