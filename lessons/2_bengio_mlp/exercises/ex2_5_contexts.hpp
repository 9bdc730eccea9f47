// Exercise 2.5 (find the bug, 10 minutes, medium): the windows at the beginning of a text.
// Row i holds the `length` symbols before place i, oldest first. Where the text has not begun, it holds the padding
// symbol, whose index is vocab: the row of C after those of the alphabet. This model trains well and shows no wrong
// gradient.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace ex2_5 {

// n x length, row after row. Throws std::out_of_range for a symbol that is not below vocab.
inline std::vector<std::uint32_t> contexts(std::span<const std::uint32_t> text, std::size_t length,
                                           std::uint32_t vocab) {
  // TODO: find the bug and mend it.
  std::vector<std::uint32_t> rows(text.size() * length);
  for (std::size_t place = 0; place < text.size(); ++place) {
    if (text[place] >= vocab) throw std::out_of_range("a symbol outside of the alphabet");
    for (std::size_t back = 1; back <= length && back <= place; ++back)
      rows.at(place * length + length - back) = text[place - back];
  }
  return rows;
}

}  // namespace ex2_5
