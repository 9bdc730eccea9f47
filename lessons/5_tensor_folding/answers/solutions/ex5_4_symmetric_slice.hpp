// Exercise 5.4, solution: the symmetric form S of a slice T.
// For p = q the two lines with += wrote to the same entry, and it got 2·T[p,p]. Each output was too large by
// Σ_p T[p,p]·x_p²: nothing where the diagonal is zero, as in a product of different inputs, or where x_p is. With = in
// the place of += the second line writes the same number again.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "common/matrix.hpp"

namespace ex5_4 {

// T is n x n, and so is S.
inline Matrix<double> symmetric_slice(const Matrix<double>& T) {
  Matrix<double> S(T.rows(), T.cols());
  for (std::size_t p = 0; p < T.rows(); ++p)
    for (std::size_t q = p; q < T.cols(); ++q) {
      const double both = T(p, q) + T(q, p);
      S(p, q) = both / 2;
      S(q, p) = both / 2;
    }
  return S;
}

}  // namespace ex5_4
