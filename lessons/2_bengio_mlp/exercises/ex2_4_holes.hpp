// Exercise 2.4 (transfer, 15 minutes): a table with holes. After one context a pruned table has kept the n-grams of some
// symbols: p[j] is the probability of the j-th of them, shorter[j] that of the same symbol in the shorter context. Each other
// symbol of the vocabulary gets w times what the shorter context gives it, and all must sum to 1.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

namespace ex2_4 {

struct Weights {
  double w, without_the_last;
};

// Returns w, and w once the last of the kept n-grams has been dropped, too.
inline Weights weights([[maybe_unused]] const std::vector<double>& p,
                       [[maybe_unused]] const std::vector<double>& shorter) {
  // TODO: find both.
  return {0, 0};
}

}  // namespace ex2_4
