// Exercise 1.4 (find the bug, 10 minutes, easy): Kaiming's weights for a ReLU layer, N(0, 2/n) with n = numbers in.
// The papers write the law as N(mean, variance). Ten layers with these weights should keep E[h²]; `make exercise1` says
// what they make of it.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"

namespace ex1_4 {

// in x out normal numbers with mean 0 and variance 2/in; random.normal() has mean 0 and variance 1.
inline Matrix<double> kaiming(std::size_t in, std::size_t out, Random& random) {
  // TODO: find the mistake and mend it.
  const double variance = 2 / double(in);
  Matrix<double> W(in, out);
  for (double& w : W.values()) w = variance * random.normal();
  return W;
}

}  // namespace ex1_4
