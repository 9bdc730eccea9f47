// Lesson 3: the sizes that all its models have, and the read-out with which five of them end: Y = H·W2 + X·W3 + b2,
// from the hidden layer H, and past it straight from X. By hand: 02_readout.cpp.
// n rows are examples; d inputs, h hidden units, o outputs.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "common/model.hpp"

namespace lesson3 {

// The form of most models; where a form has more to it, it begins with these.
struct Sizes {
  std::size_t in = 0, hidden = 0, out = 0;  // d, h, o
};

template <class T>
struct Readout {
  Matrix<T> W2, W3, b2;  // h x o, d x o, 1 x o

  // All parameters zero.
  explicit Readout(const Sizes& s);

  // The start of training: b2 is zero.
  Readout(const Sizes& s, Random& random);

  // Returns Y, n x o, for H, n x h, and X, n x d.
  Matrix<T> forward(const Matrix<T>& H, const Matrix<T>& X) const;

  // Returns dH from dY, and sets d.W2, d.W3, d.b2.
  Matrix<T> backward(const Matrix<T>& H, const Matrix<T>& X, const Matrix<T>& dY, Readout& d) const;

  // Returns what reaches dX from dY past the hidden layer, through W3.
  Matrix<T> backward_to_X(const Matrix<T>& dY) const;
};

}  // namespace lesson3
