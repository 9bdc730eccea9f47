// Exercise 5.4 (warm-up, 10 minutes): the symmetric form S of a slice T.
// It was tested with slices of x0·x1 and x1·x2, where S is symmetric and the outputs stay what they were. With those of
// a trained net they change. `make exercise5.4` takes T = [2 4 -2; 1 0 5; 3 1 0] and compares Σ_pq x[p]·T[p,q]·x[q] before
// with Σ_pq x[p]·S[p,q]·x[q] after. For which inputs is it right, and by how much is it wrong for the others?
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "common/matrix.hpp"

namespace ex5_4 {

// TODO: find the bug and mend it; delete this line when you start.

// T is n x n, and so is S.
inline Matrix<double> symmetric_slice(const Matrix<double>& T) {
  Matrix<double> S(T.rows(), T.cols());
  for (std::size_t p = 0; p < T.rows(); ++p)
    for (std::size_t q = p; q < T.cols(); ++q) {
      const double both = T(p, q) + T(q, p);
      S(p, q) += both / 2;
      S(q, p) += both / 2;
    }
  return S;
}

}  // namespace ex5_4
