// Lesson 5, part 13: looks for features in the weights alone, and compares directions. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "lessons/5_tensor_folding/model/02_net.hpp"

namespace lesson5 {

// In which basis of the m numbers the weights are read: as they stand, or in the one in which Σ lᵀ·l is the identity,
// so that the choice of basis does not matter.
enum class Basis { as_it_stands, balanced };

// Returns the directions that the weights name, outputs x m: UB[o] over the m numbers and 1 has a quadratic and a
// linear part l; the top eigenvector of the first, its sign such that l agrees.   (5.28)
Matrix<double> directions_from_weights(const Net<double>& net, Basis basis);

// Returns the same function in another basis of the m numbers: E·A with A⁻¹ in front of W and V, A a random stretch.
Net<double> in_another_basis(Net<double> net, Random& random);

// Counts the rows of the truth that have a row of `found` in their direction, cosine above 0.95.
std::size_t recovered(const Matrix<double>& truth, const Matrix<double>& found);

// Returns D⁺, m x k for a D of k x m with independent columns: (Dᵀ·D)⁻¹·Dᵀ.
Matrix<double> pseudo_inverse(const Matrix<double>& D);

}  // namespace lesson5
