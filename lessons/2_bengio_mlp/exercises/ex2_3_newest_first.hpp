// Exercise 2.3 (warm-up, 10 minutes): the newest symbol first. Another program stores its windows the other way round:
// row i holds the `length` symbols before place i, the one just before i in column 0, the one before that in column 1.
// Where the text has not begun stands the padding symbol, whose number is vocab.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ex2_3 {

// n x length, row after row, for the n places of the text.
inline std::vector<std::uint32_t> contexts(std::span<const std::uint32_t> text, std::size_t length,
                                           [[maybe_unused]] std::uint32_t vocab) {
  // TODO: fill the rows.
  std::vector<std::uint32_t> rows(text.size() * length);
  return rows;
}

}  // namespace ex2_3
