// Dropout: which numbers are dropped, as factors of a matrix's shape.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "common/in_place.hpp"
#include "common/random.hpp"

// Draws factors that are 0 with this probability and otherwise 1/(1 - probability), which keeps the
// mean (Srivastava et al. 2014). Without `random` nothing is dropped: the mask is empty.
template <class T>
void draw_mask(Matrix<T>& mask, std::size_t rows, std::size_t cols, double probability,
               Random* random) {
  const bool drops = random && probability > 0;
  resize(mask, drops ? rows : 0, drops ? cols : 0);
  for (T& factor : mask.values())
    factor = random->uniform() < probability ? T(0) : T(1 / (1 - probability));
}

// Multiplies A by the mask, forward and backward alike.
template <class T>
void apply_mask(Matrix<T>& A, const Matrix<T>& mask) {
  if (mask.size() > 0) multiply(A, mask, A);
}
