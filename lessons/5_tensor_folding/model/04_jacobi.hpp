// Lesson 5: the eigenvectors of a symmetric matrix by Jacobi's rotations (1846). Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "common/matrix.hpp"

namespace lesson5 {

// ------------------------------------------------------------------------------------------------------- rotations

// A rotation by an angle φ in the plane of two axes p and q.
struct Rotation {
  double tangent, cosine, sine;
};

// Returns the rotation that makes the symmetric 2 x 2 matrix [app apq; apq aqq] diagonal; apq must not be 0. Of
// the two roots of tan² + 2θ·tan - 1 = 0 it takes the smaller one, |φ| <= 45°, which disturbs least what other rotations
// have done.   (5.12)
Rotation diagonalizing(double app, double aqq, double apq);

// Turns rows p and q into cos·p - sin·q and sin·p + cos·q.   (5.13)
void rotate_rows(std::span<double> p, std::span<double> q, Rotation r);

// ------------------------------------------------------------------------------------ small things about matrices

// Such a share of the largest entry counts as 0. Its square does not underflow.
inline constexpr double negligible = 1e-100;
inline constexpr int enough_sweeps = 60;  // random matrices take 6 to 15, graded ones up to 21

// Returns the k with the largest |entry| in [2^k, 2^(k + 1)); 0 for a matrix of zeros. Divided by 2^k, which is exact,
// no square in what follows can overflow. Throws std::invalid_argument "operation: ..." when an entry is infinite or
// not a number.
int largest_exponent(const Matrix<double>& A, const std::string& operation);

// Returns the identity, n x n.
Matrix<double> identity(std::size_t n);

// Returns |x|², the sum of the squares.
double squared_length(std::span<const double> x);

// Returns the matrix with each row divided by its length; a row of zeros stays one.
Matrix<double> unit_rows(Matrix<double> A);

// Returns the places of the numbers by falling size |value|; of two of one size the positive one comes first.
std::vector<std::size_t> falling_order(const std::vector<double>& values);

// ---------------------------------------------------------------------------------------------------- eigenvectors

// A = Σ_k values[k]·v_kᵀ·v_k by falling |value|, where v_k is ROW k of `vectors` (n x n), which is
// A = vectorsᵀ·diag(values)·vectors. So vectors.row(k) is an image, and X·vectorsᵀ has v_k·x for each row x of X. The
// sign of a vector is free, and vectors of equal values may be rotated among themselves.
struct Eigen {
  std::vector<double> values;
  Matrix<double> vectors;
};

// Makes D = J·D·Jᵀ with the rotation J that makes a_pq zero, and V = J·V. Only rows and columns p and q change, and the
// columns equal the rows. Column p is left as it was: sweep() fills it in when it is done with row p.   (5.13)
void rotate_away(Matrix<double>& D, Matrix<double>& V, std::size_t p, std::size_t q);

// Rotates every pair p < q once, row after row; returns the number of rotations that were needed.   (5.13)
std::size_t sweep(Matrix<double>& D, Matrix<double>& V);

// Returns the eigenvalues and eigenvectors of a symmetric A (n x n): sweeps until no rotation is needed. Throws
// std::invalid_argument when A is not square, not finite, or differs from its transpose by more than 1e-12 of the
// largest entry, std::runtime_error when `most_sweeps` are not enough.
Eigen eigen_symmetric(const Matrix<double>& A, int most_sweeps = enough_sweeps);

// Returns f of a symmetric matrix by its eigenvalues: Vᵀ·diag(f(λ))·V.
Matrix<double> matrix_function(const Matrix<double>& A, double (*f)(double value));

}  // namespace lesson5
