// Lesson 2: context windows. The model sees the c symbols before a place in the text and predicts the symbol there.
// Before the beginning of the text stands a padding symbol of its own, index vocab: no symbol of the text is misused.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/random.hpp"

namespace lesson2 {

// n windows of `length` symbols each, and the symbol that follows each window.
struct Windows {
  std::size_t length = 0;
  std::vector<std::uint32_t> contexts;  // n x length, row after row, oldest symbol first
  std::vector<std::uint32_t> targets;   // n

  std::size_t size() const { return targets.size(); }
  std::span<const std::uint32_t> context(std::size_t i) const {
    return std::span(contexts).subspan(i * length, length);
  }

  // Appends the window whose target is text[place]; `padding` fills it up where the text has not begun.
  void add(std::span<const std::uint32_t> text, std::size_t place, std::uint32_t padding);
};

// Returns the windows of the places first .. first + count - 1.
Windows windows_of(std::span<const std::uint32_t> text, std::size_t first, std::size_t count, std::size_t length,
                   std::uint32_t padding);

// Draws `count` places at random and returns their windows: a mini-batch.
Windows draw_windows(std::span<const std::uint32_t> text, std::size_t count, std::size_t length, std::uint32_t padding,
                     Random& random);

}  // namespace lesson2
