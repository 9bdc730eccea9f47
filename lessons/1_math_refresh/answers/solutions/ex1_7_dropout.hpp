// Exercise 1.7, solution: a share `keep` of the squares is left, and the division multiplies each by 1/keep².
// SPDX-License-Identifier: MIT
#pragma once

namespace ex1_7 {

// E[h²] = keep·E[z²]/2
inline double gain(double keep) { return 2 / keep; }

// E[h²] = keep·(1/keep²)·E[z²]/2 = E[z²]/(2·keep)
inline double gain_divided(double keep) { return 2 * keep; }

}  // namespace ex1_7
