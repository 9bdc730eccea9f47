// Lesson 2: context windows. The model sees the c symbols before a place in the text and predicts the symbol there.
// Before the beginning of the text stands a padding symbol of its own, with index vocab: no symbol of the text is misused.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/random.hpp"

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
  void add(std::span<const std::uint32_t> text, std::size_t place, std::uint32_t padding) {
    for (std::size_t k = length; k > 0; --k) contexts.push_back(place >= k ? text[place - k] : padding);
    targets.push_back(text[place]);
  }
};

// The windows of the places first .. first + count - 1.
inline Windows windows_of(std::span<const std::uint32_t> text, std::size_t first, std::size_t count, std::size_t length,
                          std::uint32_t padding) {
  Windows windows{length, {}, {}};
  windows.contexts.reserve(count * length);
  windows.targets.reserve(count);
  for (std::size_t place = first; place < first + count; ++place) windows.add(text, place, padding);
  return windows;
}

// The windows of `count` places drawn at random: a mini-batch.
inline Windows draw_windows(std::span<const std::uint32_t> text, std::size_t count, std::size_t length,
                            std::uint32_t padding, Random& random) {
  Windows windows{length, {}, {}};
  windows.contexts.reserve(count * length);
  windows.targets.reserve(count);
  for (std::size_t i = 0; i < count; ++i) windows.add(text, std::size_t(random.below(text.size())), padding);
  return windows;
}
