// Exercise 2.8 (open, 25 minutes): the best weight of two voters. At each place of a text a network gave the symbol that
// came the probability network[i], and a table gave it table[i]. Together they give it w·network[i] + (1 - w)·table[i].
// Find the w between 0 and 1 for which the mean loss is least. How you do it is up to you.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

namespace ex2_8 {

// The best w, to within 0.001. All probabilities are above 0; both lists are equally long.
inline double best_weight([[maybe_unused]] const std::vector<double>& network,
                          [[maybe_unused]] const std::vector<double>& table) {
  // TODO: find the weight.
  return 0;
}

}  // namespace ex2_8
