// Exercise 6.4 (warm-up, 15 minutes): the gradients of BMA, one head.
// G = σ(Q·Wg), M = G ⊙ V, C = A·M, and A is the softmax of the scores. Started with a Wg of deviation 0.02 this trains,
// and nobody sees a fault. `make exercise6` draws one of 0.3 and compares with numbers: which gradients are right,
// which is wrong, and by how much? The way back through the softmax is done already (exercise 6.2); s is in dS.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"
#include "common/support/elementary.hpp"

namespace ex6_4 {

// What the forward pass left: Q, K, V are n x dh, Wg is dh x dh, A is n x n.
struct Trace {
  Matrix<double> Q, K, V, Wg, A;
};

struct Gradients {
  Matrix<double> dQ, dK, dV, dWg;
};

// dC is n x dh, dS is n x n.
inline Gradients backward(const Trace& t, const Matrix<double>& dC, const Matrix<double>& dS) {
  // TODO: find the bug and mend it.
  const auto& [Q, K, V, Wg, A] = t;
  const Matrix<double> G = map(matmul(Q, Wg), elementary::sigmoid<double>);                  // n x dh, computed again
  const Matrix<double> dM = matmul(transpose(A), dC);                                        // n x dh
  const Matrix<double> dG = hadamard(dM, V);                                                 // n x dh
  const Matrix<double> dZ = zip(dG, G, [](double d, double g) { return d * g * (1 - g); });  // n x dh, Z = Q·Wg
  Gradients d;
  d.dV = hadamard(dM, G);            // n x dh
  d.dWg = matmul(transpose(Q), dZ);  // dh x dh
  d.dK = matmul(transpose(dS), Q);   // n x dh
  d.dQ = matmul(dS, K);              // n x dh
  return d;
}

}  // namespace ex6_4
