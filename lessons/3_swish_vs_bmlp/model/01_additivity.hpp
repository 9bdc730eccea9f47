// Lesson 3, parts 0 and 4: the test that tells linear, affine and quadratic functions apart. Equations: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <functional>

#include "common/matrix.hpp"

namespace lesson3 {

// Takes a row, 1 x in, and gives one, 1 x out.
using RowFunction = std::function<Matrix<double>(const Matrix<double>&)>;

// Returns D(x, y) = f(x + y) - f(x) - f(y) + f(0): how far f is from adding up, its constant taken out.   (3.0)
Matrix<double> additivity(const RowFunction& f, const Matrix<double>& x, const Matrix<double>& y);

// Returns the same of D itself, as a function of its first argument.
Matrix<double> additivity_twice(const RowFunction& f, const Matrix<double>& x, const Matrix<double>& y,
                                const Matrix<double>& z);

}  // namespace lesson3
