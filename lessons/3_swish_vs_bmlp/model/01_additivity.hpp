// Lesson 3, parts 0 and 4: the test that tells linear, affine and quadratic functions apart. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <functional>

#include "common/matrix.hpp"

// Takes a row, 1 x in, and gives one, 1 x out.
using RowFunction = std::function<Matrix<double>(const Matrix<double>&)>;

// D(x, y) = f(x + y) - f(x) - f(y) + f(0): how far f is from adding up, its constant taken out.   (3.0)
inline Matrix<double> additivity(const RowFunction& f, const Matrix<double>& x, const Matrix<double>& y) {
  return f(x + y) - f(x) - f(y) + f(Matrix<double>(x.rows(), x.cols()));
}

// The test once more, on D itself as a function of its first argument.
inline Matrix<double> additivity_twice(const RowFunction& f, const Matrix<double>& x, const Matrix<double>& y,
                                       const Matrix<double>& z) {
  return additivity([&](const Matrix<double>& first) { return additivity(f, first, y); }, x, z);
}
