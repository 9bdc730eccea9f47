// Lesson 5, parts 5 to 9: what the eigenvectors of a net's slices say. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "lessons/5_tensor_folding/model/02_net.hpp"
#include "lessons/5_tensor_folding/model/04_jacobi.hpp"

namespace lesson5 {

// Returns the eigenvalues and eigenvectors of one slice from the factors. S = F·G·Fᵀ with F = [E·W E·V], inputs x 2h,
// and G = ½·[0 diag(u); diag(u) 0], u U's column o. With FᵀF = R·diag(μ)·Rᵀ, the small matrix
// K = diag(√μ)·Rᵀ·G·R·diag(√μ), 2h x 2h, has the eigenvalues of S that are not zero; its eigenvector z belongs to
// F·R·diag(1/√μ)·z. A direction r_k with μ_k = 0, as when columns of F are equal, is taken out: K gets an eigenvalue 0
// for it, whose row of `vectors` is zero too. T is float or double.   (5.14)
template <class T>
Eigen eigen_through_factors(const Net<T>& net, std::size_t o);

// Returns the participation ratio (Σ|λ|)²/Σλ²: of k equal eigenvalues, k.   (5.19)
double effective_rank(const std::vector<double>& values);

// Returns Y[r,o] = Σ_k λ_k·(v_k·x_r)² with the first `kept` eigenvalues of each output, largest |λ| first.   (5.18)
Matrix<double> evaluate_truncated(const std::vector<Eigen>& spectra, const Matrix<double>& X, std::size_t kept);

// Returns the place of the most positive eigenvalue.
std::size_t most_positive(const Eigen& eigen);

// Returns the place of the most negative eigenvalue.
std::size_t most_negative(const Eigen& eigen);

// Returns the share of a unit vector's sum of squares that lies in the outermost pixels of an image of rows x cols.
double border_energy(std::span<const double> v, std::size_t rows, std::size_t cols);

}  // namespace lesson5
