// Exercise 4.8, solution: one unit for any four numbers.
// Spend the freedom: let the first factor see x alone and be 1 at x = 0. Then at x = 0 the second factor must be the line from
// f(0,0) to f(0,1). At x = 1 the first factor is some number s that stretches that line: its slope in y becomes s times as
// steep, so s = (f(1,1) - f(1,0))/(f(0,1) - f(0,0)). The weight of x in the second factor then lifts it to where s times it is
// f(1,0). Both divisions are by numbers that are not 0 when the four are different. (Where some are equal other splits of the
// freedom help; with y in the place of x, to begin with.)
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include "lessons/4_bilinear_gates/forms.hpp"

namespace ex4_8 {

using lesson4::Factor, lesson4::TruthTable;

// Returns the two factors of a unit that says f[0], f[1], f[2], f[3] at 00, 10, 01, 11 (x first). The four are different.
inline std::pair<Factor, Factor> unit_for(const TruthTable& f) {
  const double rise = f[2] - f[0], stretch = (f[3] - f[1]) / rise;
  return {{stretch - 1, 0, 1}, {f[1] / stretch - f[0], rise, f[0]}};
}

}  // namespace ex4_8
