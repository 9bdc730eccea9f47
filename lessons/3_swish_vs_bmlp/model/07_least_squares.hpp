// Lesson 3, part 3: the best that a model linear in its features can do, found without training. Equations: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"

namespace lesson3 {

// Returns the lower triangle L with N = L·Lᵀ for a symmetric N (k x k) without negative directions, from the left
// column to the right. A column of the features that the earlier ones make up leaves a pivot of mere rounding: L then
// has a column of zeros there.   (3.9)
Matrix<double> cholesky(const Matrix<double>& N);

// Returns the w (k x o) with N·w = B for N = L·Lᵀ: first L from the top, then Lᵀ from the bottom. What a
// column of zeros stands for gets the weight 0.   (3.9)
Matrix<double> solve_cholesky(const Matrix<double>& L, Matrix<double> B);

// Returns the weights w (k x o) that make the mean square of Φ·w - T smallest; Φ is n x k, T is n x o.   (3.8)
Matrix<double> least_squares(const Matrix<double>& Phi, const Matrix<double>& T);

// Returns the columns 1, x_1 .. x_d: what an affine map can use.
Matrix<double> affine_features(const Matrix<double>& X);

// Returns the columns x_1 .. x_d: what a linear map can use.
inline const Matrix<double>& linear_features(const Matrix<double>& X) { return X; }

// Returns the columns 1, x_i, and x_i·x_j for i <= j: (d + 1)(d + 2)/2 of them, what a product layer can use.
Matrix<double> quadratic_features(const Matrix<double>& X);

// Returns the columns 1, x_i, mean(x)·x_i: what input-dependent weights W1 + mean(x)·U1 can use.
Matrix<double> gated_mean_features(const Matrix<double>& X);

}  // namespace lesson3
