// Lesson 3, part 4: the proof. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/3_swish_vs_bmlp/model/05_bmlp.hpp"

namespace lesson3 {

// Returns the matrix M (d x o) with f(X) = X·M for every X.   (3.10)
Matrix<double> fold(const Bmlp<double>& f);

}  // namespace lesson3
