// Exercise 4.6 (design, 45 minutes): one unit for any four numbers.
// Sixteen gates are sixteen ways to answer 0 or 1 at four corners. Can one product answer any four
// numbers there, such as 3, -1, 0.5, 7? It has six weights for them. Find a way that works for any
// four that differ from each other, so that you may divide by the difference of two.
// `make exercise4.6` draws twenty times four; each corner must be right to a billionth.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include "lessons/4_bilinear_gates/forms.hpp"

namespace ex4_6 {

using lesson4::Factor, lesson4::TruthTable;

// TODO: write unit_for. A Factor is {weight of x, weight of y, bias}.

// Returns the two factors of a unit that is f[0], f[1], f[2], f[3] at 00, 10, 01, 11 (x first).
// The four are different.
inline std::pair<Factor, Factor> unit_for([[maybe_unused]] const TruthTable& f) {
  return {{0, 0, 0}, {0, 0, 0}};
}

}  // namespace ex4_6
