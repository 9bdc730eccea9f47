// Exercise 6.4, solution: the gradients of BMA, one head.
// Q stands in two places: in the scores, S = Q·Kᵀ, and in the gate, Z = Q·Wg. Each sends a part back, and the parts
// add. The second, dZ·Wgᵀ, is as small as Wg. A fresh gate hides the fault; it grows as the gate learns.
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
  const auto& [Q, K, V, Wg, A] = t;
  const Matrix<double> G = map(matmul(Q, Wg), elementary::sigmoid<double>);                  // n x dh, computed again
  const Matrix<double> dM = matmul(transpose(A), dC);                                        // n x dh   back
  const Matrix<double> dG = hadamard(dM, V);                                                 // n x dh   back
  const Matrix<double> dZ = zip(dG, G, [](double d, double g) { return d * g * (1 - g); });  // n x dh, Z = Q·Wg, back
  Gradients d;
  d.dV = hadamard(dM, G);             // n x dh   back
  d.dWg = matmul(transpose(Q), dZ);   // dh x dh   back
  d.dK = matmul(transpose(dS), Q);    // n x dh   back
  d.dQ = matmul(dS, K);               // n x dh, through the scores, back
  d.dQ += matmul(dZ, transpose(Wg));  // n x dh, through the gate, back
  return d;
}

}  // namespace ex6_4
