// Exercise 2.3, solution: column k holds the symbol k + 1 places back, where there is one.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ex2_3 {

// n x length, row after row, for the n places of the text.
inline std::vector<std::uint32_t> contexts(std::span<const std::uint32_t> text, std::size_t length,
                                           std::uint32_t vocab) {
  std::vector<std::uint32_t> rows;
  for (std::size_t place = 0; place < text.size(); ++place)
    for (std::size_t k = 0; k < length; ++k) rows.push_back(place > k ? text[place - k - 1] : vocab);
  return rows;
}

}  // namespace ex2_3
