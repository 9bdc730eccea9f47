// Exercise 1.4, solution: Kaiming's weights for a ReLU layer, N(0, 2/n) with n = numbers in.
// Scaling a random number by s scales its variance by s², so s must be the standard deviation √(2/n). With s = 2/n the
// variance is 4/n², each layer multiplies E[h²] by n·(4/n²)/2 = 2/n, and at n = 256 ten layers leave 128^-10 = 8.5e-22.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include "common/matrix.hpp"

namespace ex1_4 {

// in x out normal numbers with mean 0 and variance 2/in; random.normal() has mean 0 and variance 1.
inline Matrix<double> kaiming(std::size_t in, std::size_t out, Random& random) {
  const double deviation = std::sqrt(2 / double(in));
  Matrix<double> W(in, out);
  for (double& w : W.values()) w = deviation * random.normal();
  return W;
}

}  // namespace ex1_4
