// Exercise 2.6 (design, 15 minutes): a yes-no loss for scores of any size. If the answer can only
// be yes or no, one score is enough: σ(score) is the probability of yes, and the loss is -ln of the
// probability of what came. On paper the code below is right. For which scores does it fail?
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

namespace ex2_6 {

// -ln σ(score) if yes, else -ln(1 - σ(score)).
inline double yes_no_loss(double score, bool yes) {
  // TODO: make it right for scores of any size, with a relative error of at most 1e-12.
  const double p = 1 / (1 + std::exp(-score));
  return yes ? -std::log(p) : -std::log(1 - p);
}

}  // namespace ex2_6
