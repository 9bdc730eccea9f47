// Exercise 5.4 (open, 30 minutes): the worst pattern for one image.
// Part 9 adds the same pattern to all images. You have one image x (1 x n) and the symmetric n x n
// matrix M whose form x·M·xᵀ is to grow. Find a direction v of length 1 such that x + size·v makes
// the form as large as it can be. Neither the top eigenvector of M nor x·M is it. There are several
// ways; the check asks for .999 of the greatest gain 2·size·x·M·vᵀ + size²·v·M·vᵀ, for three sizes,
// with three images and forms. It does not say which way is right, but how far you came. At hand:
// matmul, dot, transpose (common/matrix.hpp), lesson5::eigen_symmetric (spectra.hpp: eigen.values,
// and eigen.vectors, whose rows are the eigenvectors, by falling |λ|).
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/5_tensor_folding/spectra.hpp"

namespace ex5_4 {

// TODO: find the direction. (The first axis is a beginning.)
inline Matrix<double> worst_pattern(const Matrix<double>& x,
                                    [[maybe_unused]] const Matrix<double>& M,
                                    [[maybe_unused]] double size) {
  Matrix<double> v(1, x.cols());
  v(0, 0) = 1;
  return v;
}

}  // namespace ex5_4
