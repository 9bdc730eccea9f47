// Lesson 3, parts 2 and 4: the BMLP that README.md works out by hand. Two inputs, two hidden units, one output.
// SPDX-License-Identifier: MIT
#pragma once
#include "bmlp.hpp"

inline Bmlp<double> example_bmlp() {
  Bmlp<double> net({2, 2, 1});
  net.W1 = {{1, 0}, {2, -1}};
  net.u1 = {{4, 2}};
  net.W2 = {{1}, {3}};
  net.u2 = {{2}};
  net.W3 = {{-5}, {1}};
  return net;
}
