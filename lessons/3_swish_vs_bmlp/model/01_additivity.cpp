// Lesson 3, parts 0 and 4: the test that tells linear, affine and quadratic functions apart.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/model/01_additivity.hpp"

namespace lesson3 {

Matrix<double> additivity(const RowFunction& f, const Matrix<double>& x, const Matrix<double>& y) {
  return f(x + y) - f(x) - f(y) + f(Matrix<double>(x.rows(), x.cols()));
}

Matrix<double> additivity_twice(const RowFunction& f, const Matrix<double>& x, const Matrix<double>& y,
                                const Matrix<double>& z) {
  return additivity([&](const Matrix<double>& first) { return additivity(f, first, y); }, x, z);
}

}  // namespace lesson3
