// Lesson 3, part 4: the proof. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/model/08_fold.hpp"

namespace lesson3 {

// A mean is a product with the column (1/d, ..., 1/d), so that mean(X)·u1 is X times a matrix of rows u1/d.   (3.10)
Matrix<double> fold(const Bmlp<double>& f) {
  const Matrix<double> ones_d(f.form.in, 1, 1), ones_h(f.form.hidden, 1, 1);
  const Matrix<double> first = f.W1 + 1 / double(f.form.in) * matmul(ones_d, f.u1);       // d x h
  const Matrix<double> second = f.W2 + 1 / double(f.form.hidden) * matmul(ones_h, f.u2);  // h x o
  return matmul(first, second) + f.W3;                                                    // d x o
}

}  // namespace lesson3
