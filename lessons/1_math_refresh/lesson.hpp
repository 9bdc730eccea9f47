// Lesson 1: what its parts include.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/lesson/part.hpp"
#include "lessons/1_math_refresh/models.hpp"

namespace lesson1 {

inline constexpr knob::StaticList<std::string_view> activation_flags = [] {
  knob::StaticList<std::string_view> flags;
  for (const Activation& phi : activations) flags.items[flags.count++] = phi.flag;
  return flags;
}();
constexpr std::size_t place_of(const Activation& phi) {
  return std::size_t(std::find(activations.begin(), activations.end(), phi) - activations.begin());
}

extern const Part<Pool> part0, part1, part2, part3, part4, part5, part6, part7, part8;

}  // namespace lesson1
