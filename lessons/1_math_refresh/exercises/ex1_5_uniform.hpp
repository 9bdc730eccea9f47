// Exercise 1.5 (transfer, 10 minutes): Kaiming's variance from a uniform distribution. A generator has no normal
// numbers, only uniform ones between two bounds. These weights should keep E[h²] level through ReLU layers, and they do
// not: `make exercise1.5` says what ten layers make of it. The bound was taken for something that it is not.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include "common/matrix.hpp"

namespace ex1_5 {

// in x out uniform numbers with mean 0 and variance 2/in; random.uniform(low, high) lies between low and high.
inline Matrix<double> uniform_weights(std::size_t in, std::size_t out, Random& random) {
  // TODO: find the mistake and mend it.
  const double bound = std::sqrt(2 / double(in));
  Matrix<double> W(in, out);
  for (double& w : W.values()) w = random.uniform(-bound, bound);
  return W;
}

}  // namespace ex1_5
