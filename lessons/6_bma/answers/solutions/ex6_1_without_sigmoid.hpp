// Exercise 6.1, solution: BMA without the sigmoid, the truly bilinear gate.
// Lesson 4's product layer, with X = Q for one factor and a second that is there already: H = P ⊙ Q is M = G ⊙ V.
// At the start: Wg = 0 shuts the gate, and the attention branch is silent. M = 0, so Wo gets no gradient,
// dWo = (A·M)ᵀ·dY; A gets none, dA = dC·Mᵀ, nor do Q and K behind it; and V gets none, dV = dM ⊙ G. Only
// dWg = Qᵀ·(dM ⊙ V) is not zero: one step opens the gate, and then all of them learn. With the sigmoid the gate begins
// half open, and all learn at once.
// In training: the mixed values are products of two linear functions of x_j, so they grow with its square (the norm
// before the attention holds that in bounds), and the gate may pass more than all of a value, or turn its sign. Without
// biases M and the scores are both even in X: this attention cannot tell X from -X. Standard attention can.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"

namespace ex6_1 {

struct Gradients {
  Matrix<double> dG, dV, dWg, dQ;
};

// M, n x dh.
inline Matrix<double> mixed_values(const Matrix<double>& Q, const Matrix<double>& V, const Matrix<double>& Wg) {
  return hadamard(matmul(Q, Wg), V);
}

// dM is n x dh. dQ: the part that comes through the gate; the part through the scores is not asked for.
inline Gradients backward(const Matrix<double>& Q, const Matrix<double>& V, const Matrix<double>& Wg,
                          const Matrix<double>& dM) {
  Gradients g;
  g.dG = hadamard(dM, V);              // n x dh   back
  g.dV = hadamard(dM, matmul(Q, Wg));  // n x dh   back
  g.dWg = matmul(transpose(Q), g.dG);  // dh x dh   back
  g.dQ = matmul(g.dG, transpose(Wg));  // n x dh   back
  return g;
}

// G = 0, so M = 0, exactly.
const double factor_at_the_start = 0;
// Wg.
const double matrices_with_a_gradient = 1;

// The weight of token 0 on itself is 1 before and after; both factors of M double.
const double factor_when_doubled = 4;
// Scores: (-q)·(-k) = q·k, so A stays. M: (-G) ⊙ (-V) stays, too; V alone does not.
const double factor_when_negated = 1;
const double factor_when_negated_standard = -1;

}  // namespace ex6_1
