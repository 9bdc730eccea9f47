// Exercise 2.7, solution: the softmax sees A = S/τ, and both S and τ move it.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include "common/matrix.hpp"

namespace ex2_7 {

struct Gradients {
  Matrix<double> dS;  // n x vocab
  double dtau;
};

// S and P are n x vocab; y holds the n targets.
inline Gradients backward(const Matrix<double>& S, const Matrix<double>& P, const std::vector<std::uint32_t>& y,
                          double tau) {
  Matrix<double> dA = P;                                         // n x vocab   back
  for (std::size_t i = 0; i < dA.rows(); ++i) dA(i, y[i]) -= 1;  // P - one-hot   back
  dA = (1 / double(dA.rows())) * dA;                             // the mean over the rows   back
  Gradients g;
  g.dS = (1 / tau) * dA;                   // back
  g.dtau = -1 / (tau * tau) * dot(dA, S);  // one τ for all entries; the slope of S/τ in τ is -S/τ²   back
  return g;
}

}  // namespace ex2_7
