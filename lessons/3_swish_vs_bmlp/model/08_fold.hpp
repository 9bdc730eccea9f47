// Lesson 3, part 4: the proof. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include "bmlp.hpp"

// The matrix M (d x o) with f(X) = X·M for every X: a mean is a product with the column (1/d, ..., 1/d), so that mean(X)·u1
// is X times a matrix of equal rows u1/d.   (3.10)
inline Matrix<double> fold(const Bmlp<double>& f) {
  const Matrix<double> ones_d(f.sizes.in, 1, 1), ones_h(f.sizes.hidden, 1, 1);
  const Matrix<double> first = f.W1 + 1 / double(f.sizes.in) * matmul(ones_d, f.u1);       // d x h
  const Matrix<double> second = f.W2 + 1 / double(f.sizes.hidden) * matmul(ones_h, f.u2);  // h x o
  return matmul(first, second) + f.W3;                                                     // d x o
}
