// Lesson 4, part 10: product layers one behind the other, and the second moment of what they pass on.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include "common/matrix.hpp"

namespace lesson4 {

// What is done with a product layer f: x → f(x); with a row x brought to the second moment 1 before (a norm); x + f(x) (a
// residual); or both, x + f(x brought to 1).
enum class Wiring { plain, norm, residual, both };

struct Chain {
  double start;  // second moment of the input
  Wiring wiring;
};

// Returns what one layer without biases makes of H (rows x width), its weights W and V being width x width.
Matrix<double> wired(Wiring wiring, const Matrix<double>& H, const Matrix<double>& W, const Matrix<double>& V);

// Draws an input and layers, N(0, 1/width), which all chains share. Returns log10 of the second moment behind 0, 1, ...
// layers, a row for each chain.
Matrix<double> log_moments(const std::vector<Chain>& chains, std::size_t width, std::size_t layers, Random random);

}  // namespace lesson4
