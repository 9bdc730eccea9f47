// Exercise 5.6 (design, 30 minutes): the worst pattern for one image.
// Part 9 adds one pattern to all images. Here you know the image x (1 x n), and the symmetric n x n
// matrix M whose form x·M·xᵀ should grow. Find the direction v of length 1 for which x + size·v
// makes the form largest. Neither the top eigenvector of M nor x·M is the answer. Several ways lead
// there. The check asks for .999 of the greatest gain 2·size·x·M·vᵀ + size²·v·M·vᵀ, for three
// sizes, with three images and forms; it says how far you came, not which way is right. You can use
// matmul, dot, transpose (common/matrix.hpp) and lesson5::eigen_symmetric (spectra.hpp), which
// returns eigen.values, and eigen.vectors, whose rows are the eigenvectors, by falling |λ|.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/5_tensor_folding/spectra.hpp"

namespace ex5_6 {

// TODO: find the direction. (The first axis is a beginning.)
inline Matrix<double> worst_pattern(const Matrix<double>& x,
                                    [[maybe_unused]] const Matrix<double>& M,
                                    [[maybe_unused]] double size) {
  Matrix<double> v(1, x.cols());
  v(0, 0) = 1;
  return v;
}

}  // namespace ex5_6
