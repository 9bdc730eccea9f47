// Exercise 6.4 (formulas, 20 minutes): two gates at once. Which of them leave the sum?
// Each token i has two gates of m numbers: G[i] for when it attends, L[i] for when it is read.
// Inside the sum over the values the two are added, or they are multiplied:
//   M[i] = Σ_j A[i,j]·((G[i] + L[j]) ⊙ V[j])        M[i] = Σ_j A[i,j]·(G[i] ⊙ L[j] ⊙ V[j])
// Both formulas loop over all pairs of tokens. Write each without a loop. You have matmul, hadamard
// and + (common/matrix.hpp).
// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

#include "common/matrix.hpp"

namespace ex6_4 {

constexpr double not_answered = std::numeric_limits<double>::quiet_NaN();

// TODO: write the two functions, and put your numbers in the place of not_answered.

// A is n x n; G, L and V are n x m, and so is the result.
inline Matrix<double> with_sum([[maybe_unused]] const Matrix<double>& A, const Matrix<double>& G,
                               [[maybe_unused]] const Matrix<double>& L,
                               [[maybe_unused]] const Matrix<double>& V) {
  return Matrix<double>(G.rows(), G.cols());
}

inline Matrix<double> with_product([[maybe_unused]] const Matrix<double>& A,
                                   const Matrix<double>& G,
                                   [[maybe_unused]] const Matrix<double>& L,
                                   [[maybe_unused]] const Matrix<double>& V) {
  return Matrix<double>(G.rows(), G.cols());
}

// A gate σ(G[i] + L[j]) of the pair cannot be taken apart. Take a head with m = 8 and 100 tokens,
// each of which sees all. How many numbers of such gates must the head compute? And how many
// numbers do all G[i] and L[j] have together?
const double gate_numbers_of_pairs = not_answered;
const double gate_numbers_of_products = not_answered;

}  // namespace ex6_4
