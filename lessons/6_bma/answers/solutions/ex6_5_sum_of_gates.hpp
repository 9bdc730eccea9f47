// Exercise 6.5, solution: two gates at once. Which of them leave the sum?
// What depends on i alone leaves the sum over j; what depends on j alone belongs to the value. A sum of the two makes
// two terms, of which each is one of these: a gate behind the attention and a gated value, with A used twice. A product
// is both at once. Behind a sigmoid the two are tied together, and each pair of tokens needs dh numbers of its own.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/matrix.hpp"

namespace ex6_5 {

// A is n x n; G, L and V are n x dh, and so is the result.
inline Matrix<double> with_sum(const Matrix<double>& A, const Matrix<double>& G, const Matrix<double>& L,
                               const Matrix<double>& V) {
  return hadamard(G, matmul(A, V)) + matmul(A, hadamard(L, V));
}

inline Matrix<double> with_product(const Matrix<double>& A, const Matrix<double>& G, const Matrix<double>& L,
                                   const Matrix<double>& V) {
  return hadamard(G, matmul(A, hadamard(L, V)));
}

// 100·100 pairs of 8 numbers; two gates for each of 100 tokens.
const double gate_numbers_of_pairs = 80'000;
const double gate_numbers_of_products = 1600;

}  // namespace ex6_5
