// Lesson 2: cuts context windows out of a text.
// SPDX-License-Identifier: MIT
#include "lessons/2_bengio_mlp/model/1_windows.hpp"

namespace lesson2 {

void Windows::add(std::span<const std::uint32_t> text, std::size_t place, std::uint32_t padding) {
  for (std::size_t k = length; k > 0; --k) contexts.push_back(place >= k ? text[place - k] : padding);
  targets.push_back(text[place]);
}

static Windows room_for(std::size_t count, std::size_t length) {
  Windows windows{length, {}, {}};
  windows.contexts.reserve(count * length);
  windows.targets.reserve(count);
  return windows;
}

Windows windows_of(std::span<const std::uint32_t> text, std::size_t first, std::size_t count, std::size_t length,
                   std::uint32_t padding) {
  Windows windows = room_for(count, length);
  for (std::size_t place = first; place < first + count; ++place) windows.add(text, place, padding);
  return windows;
}

Windows draw_windows(std::span<const std::uint32_t> text, std::size_t count, std::size_t length, std::uint32_t padding,
                     Random& random) {
  Windows windows = room_for(count, length);
  for (std::size_t i = 0; i < count; ++i) windows.add(text, std::size_t(random.below(text.size())), padding);
  return windows;
}

}  // namespace lesson2
