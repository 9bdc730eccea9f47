// Lesson 5: the singular value decomposition by one-sided Jacobi rotations (Hestenes 1958). Equations: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "lessons/5_tensor_folding/model/04_jacobi.hpp"

namespace lesson5 {

// A = U·diag(values)·Vᵀ = Σ_k values[k]·u_k·v_kᵀ for an A of m x n, with r = min(m, n) values >= 0, falling; u_k is
// column k of U (m x r), v_k column k of V (n x r). Columns have length 1 and are orthogonal, but for this: where a
// value is exactly 0, the column of U (of V, when A is wide) is zero too, since any direction would do. Signs are free,
// in pairs.
struct Svd {
  Matrix<double> U;
  std::vector<double> values;
  Matrix<double> V;
};

// Returns x·y for rows of one length.
double dot_of_rows(std::span<const double> x, std::span<const double> y);

// Returns the singular value decomposition of any A (m x n); a wide one by its transpose. Throws std::invalid_argument
// when an entry is infinite or not a number, std::runtime_error when `most_sweeps` are not enough.
Svd svd(const Matrix<double>& A, int most_sweeps = enough_sweeps);

}  // namespace lesson5
