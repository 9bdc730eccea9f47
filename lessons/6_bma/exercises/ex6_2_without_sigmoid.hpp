// Exercise 6.2 (transfer, 25 minutes): BMA without the sigmoid, the truly bilinear gate.
// G = Q·Wg and M = G ⊙ V: row j of M, V~_j = (q_j·Wg) ⊙ v_j, is what the weights mix. One head: Q, V, G, M are n x m,
// and Wg is m x m. Derive the gradients from one entry, m_jk = (Σ_l q_jl·Wg_lk)·v_jk. At hand: matmul, transpose,
// hadamard (common/matrix.hpp). And in words, before you take a hint: what changes at the start, and what in training?
// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

#include "common/matrix.hpp"

namespace ex6_2 {

constexpr double not_answered = std::numeric_limits<double>::quiet_NaN();

struct Gradients {
  Matrix<double> dG, dV, dWg, dQ;
};

// TODO: write M and its gradients (the shapes are right already), and put your numbers in the place of not_answered.

// M, n x m.
inline Matrix<double> mixed_values([[maybe_unused]] const Matrix<double>& Q, const Matrix<double>& V,
                                   [[maybe_unused]] const Matrix<double>& Wg) {
  return Matrix<double>(V.rows(), V.cols());
}

// dM is n x m. dQ: the part that comes through the gate; the part through the scores is not asked for.
inline Gradients backward(const Matrix<double>& Q, const Matrix<double>& V, const Matrix<double>& Wg,
                          [[maybe_unused]] const Matrix<double>& dM) {
  Gradients g;
  g.dG = Matrix<double>(V.rows(), V.cols());     // n x m
  g.dV = Matrix<double>(V.rows(), V.cols());     // n x m
  g.dWg = Matrix<double>(Wg.rows(), Wg.cols());  // m x m
  g.dQ = Matrix<double>(Q.rows(), Q.cols());     // n x m
  return g;
}

// Causal attention with Q = X·Wq, K = X·Wk, V = X·Wv, no biases, and Y = A·M·Wo. Training begins with Wg = 0: by which
// factor does Y then differ from that of standard attention? (With the sigmoid it would be 0.5.)
const double factor_at_the_start = not_answered;
// Of the five matrices Wq, Wk, Wv, Wg, Wo, how many have a gradient that is not zero then?
const double matrices_with_a_gradient = not_answered;

// Now Wg is drawn. Token 0 sees only itself. All of X is doubled: by which factor does row 0 of Y change?
const double factor_when_doubled = not_answered;
// All of X changes its sign: by which factor does Y change, all of its rows? And that of standard attention?
const double factor_when_negated = not_answered;
const double factor_when_negated_standard = not_answered;

}  // namespace ex6_2
