// Exercise 2.6, solution: -ln σ(r) is ln(1 + e^-r), and no exponent may be large.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>

namespace ex2_6 {

// 1 - σ(r) is σ(-r), so "no" is "yes" with the score turned round. For r < 0, ln(1 + e^-r) = -r + ln(1 + e^r).
// std::log1p(x) is ln(1 + x), and keeps the digits of a small x.
inline double yes_no_loss(double score, bool yes) {
  const double r = yes ? score : -score;
  return std::max(0.0, -r) + std::log1p(std::exp(-std::abs(r)));
}

}  // namespace ex2_6
