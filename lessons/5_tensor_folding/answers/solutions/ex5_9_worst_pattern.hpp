// Exercise 5.9, solution: the worst pattern for one image.
// At the best v of length 1 the slope of the gain, x·M + size·v·M (times 2·size), points along v, or else v could be
// turned towards it. So turn: v ← unit(x·M + size·v·M + c·v). The part c·v changes nothing where v is best, and with c
// at least the size of size·λ for the most negative λ the gain never falls: size·M + c then has no negative eigenvalue.
// From a bad start it may end on a lower peak, so it starts from both signs of each eigenvector and keeps the best.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include "lessons/5_tensor_folding/model/04_jacobi.hpp"

namespace ex5_9 {

inline double gain(const Matrix<double>& x, const Matrix<double>& M, double size, const Matrix<double>& v) {
  const Matrix<double> v_M = matmul(v, M);
  return 2 * size * dot(x, v_M) + size * size * dot(v, v_M);
}

inline Matrix<double> worst_pattern(const Matrix<double>& x, const Matrix<double>& M, double size) {
  const lesson5::Eigen eigen = lesson5::eigen_symmetric(M);
  const Matrix<double> x_M = matmul(x, M);
  const double c = size * std::abs(eigen.values[0]);
  Matrix<double> best(row_block(eigen.vectors, 0, 1));
  for (std::size_t k = 0; k < 2 * M.rows(); ++k) {
    Matrix<double> v = (k % 2 == 0 ? 1.0 : -1.0) * Matrix<double>(row_block(eigen.vectors, k / 2, 1));
    for (int step = 0; step < 300; ++step) v = lesson5::unit_rows(x_M + size * matmul(v, M) + c * v);
    if (gain(x, M, size, v) > gain(x, M, size, best)) best = v;
  }
  return best;
}

}  // namespace ex5_9
