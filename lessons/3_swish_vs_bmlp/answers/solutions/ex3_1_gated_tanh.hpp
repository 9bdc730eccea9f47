// Exercise 3.1, solution: the slope of z·tanh z, and the place z > 0 where it is steepest.
// Both factors move with z, so the product rule gives two terms: tanh z + z·(1 - tanh² z). Its own slope is (1 - tanh²)
// + (1 - tanh²) - z·2·tanh·(1 - tanh²) = 2·(1 - tanh²)·(1 - z·tanh z). The first factor is never 0, so z·tanh z = 1, or
// z = 1/tanh z. From z = 1 on that gives 1.3130, 1.1560, 1.2200, ... and settles at 1.1997. There tanh z = 1/z, and the
// slope is 1/z + z - z/z² = z: place and slope are the same number.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/support/elementary.hpp"

namespace ex3_1 {

// The slope of z·tanh z.
inline double slope(double z) {
  const double t = elementary::tanh(z);
  return t + z * (1 - t * t);  // back
}

// The z > 0 where the slope is largest, and the slope there: four decimals each, so an answer may be off by 0.00005.
const double steepest_z = 1.1997;
const double steepest_slope = steepest_z;

}  // namespace ex3_1
