// Exercise 3.1, solution: the slope of swish(z) = z·σ(z), and the place where swish is smallest.
// Both factors move with z, so the product rule gives two terms: 1·σ(z) + z·σ(z)(1 - σ(z)). σ(z) is never 0, so the
// slope is 0 where 1 + z·(1 - σ(z)) is. With 1 - σ(z) = 1/(1 + e^z) that is 1 + e^z + z = 0, or z = -1 - e^z. From z =
// -1 on that gives -1.3679, -1.2546, -1.2852, ... and settles at -1.2785: each round shrinks the error by e^z = 0.28.
// There 1 + e^z is -z, so σ(z) = e^z/(1 + e^z) is -e^z/z, and swish is -e^z, which is 1 + z.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/support/elementary.hpp"

namespace ex3_1 {

// swish'(z)
inline double swish_prime(double z) {
  const double gate = elementary::sigmoid(z);
  return gate * (1 + z * (1 - gate));  // back
}

// The z where swish is smallest, and swish there: three decimals each, so an answer may be off by 0.0005.
const double lowest_z = -1.2785;
const double lowest_swish = 1 + lowest_z;

}  // namespace ex3_1
