// Exercise 1.5, solution: the bound of a uniform distribution is not its standard deviation.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include "common/matrix.hpp"

namespace ex1_5 {

// The mean of w² between -bound and bound is bound²/3, so bound² = 3·2/in.
inline Matrix<double> uniform_weights(std::size_t in, std::size_t out, Random& random) {
  const double bound = std::sqrt(6 / double(in));
  Matrix<double> W(in, out);
  for (double& w : W.values()) w = random.uniform(-bound, bound);
  return W;
}

}  // namespace ex1_5
