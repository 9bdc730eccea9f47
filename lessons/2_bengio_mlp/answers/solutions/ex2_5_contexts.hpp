// Exercise 2.5, solution: the windows at the beginning of a text.
// A new vector is full of zeros, and 0 is a symbol: the first of the sorted alphabet, often newline. The model cannot
// tell "the text begins" from "newlines stood here", and the row of C for newline learns both. No gradient is wrong,
// since the data are: only a check of the windows themselves can find it.
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
  std::vector<std::uint32_t> rows(text.size() * length, vocab);
  for (std::size_t place = 0; place < text.size(); ++place) {
    if (text[place] >= vocab) throw std::out_of_range("a symbol outside of the alphabet");
    for (std::size_t back = 1; back <= length && back <= place; ++back)
      rows.at(place * length + length - back) = text[place - back];
  }
  return rows;
}

}  // namespace ex2_5
