// Exercise 2.4 (transfer, 15 minutes): a table with holes. After one context a table has kept the n-grams of some symbols:
// p[j] is the probability of the j-th of them, shorter[j] that of the same symbol after the shorter context. Each other
// symbol gets ω times what the shorter context gives it, and all sum to 1. Now the whole context is dropped: all of its
// n-grams at once, so that the shorter context alone speaks for every symbol. What does that cost?
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <vector>

namespace ex2_4 {

// Returns what a text that follows the table loses by it, in nats: the mean over the symbols that come after this context.
inline double worth([[maybe_unused]] const std::vector<double>& p,
                    [[maybe_unused]] const std::vector<double>& shorter) {
  // TODO: find it.
  return 0;
}

}  // namespace ex2_4
