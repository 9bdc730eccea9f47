// Lesson 5, part 5: eigenvalues and eigenvectors of a symmetric matrix by Jacobi's rotations (1846). Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "common/matrix.hpp"

// ------------------------------------------------------------------------------------------------------ a rotation

// A rotation by an angle φ in the plane of two axes p and q: t = tan φ, c = cos φ, s = sin φ.
struct Rotation {
  double t, c, s;
};

// The rotation that makes the symmetric 2 x 2 matrix [app apq; apq aqq] diagonal; apq is not 0. Of the two solutions of
// t² + 2θt - 1 = 0 it takes the smaller, |φ| <= 45°: as little as possible of what is already done is stirred up again.   (5.7)
inline Rotation diagonalizing(double app, double aqq, double apq) {
  const double theta = (aqq - app) / (2 * apq);
  const double t = std::copysign(1 / (std::abs(theta) + std::sqrt(theta * theta + 1)), theta);
  const double c = 1 / std::sqrt(t * t + 1);
  return {t, c, t * c};
}

// Rows p and q become c·p - s·q and s·p + c·q. Rows are contiguous, so that the compiler makes vectors of this loop.   (5.8)
inline void rotate_rows(std::span<double> p, std::span<double> q, Rotation r) {
  for (std::size_t k = 0; k < p.size(); ++k) {
    const double old = p[k];
    p[k] = r.c * old - r.s * q[k];
    q[k] = r.s * old + r.c * q[k];
  }
}
