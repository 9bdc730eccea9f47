// Lesson 6: where the weights start. The gates are drawn from numbers of their own, so that the five variants of one
// seed share all that they have in common: only then can they be compared pair by pair.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "common/model.hpp"

namespace lesson6 {

// Standard deviations.
struct Start {
  double embeddings = 0.05;  // of symbols and places
  double weights = 0;        // 0: 1/√fan-in for each
  double head = 0.5;         // a factor on the read-out's
  double gates = 0.02;       // of Wg and Wp, so that the gates start near ½
  bool shrinks = true;       // the outputs of branches by √(2·layers)
  const char* name = "own";
};

// The lesson's own; its own with embeddings ten times as large; all at .02, as GPT-2 and nanoGPT start; and the same
// with branches as they are, as the code that was published with bma starts.
inline constexpr std::array<Start, 4> starts{{{},
                                              {0.5, 0, 0.5, 0.02, true, "large"},
                                              {0.02, 0.02, 1, 0.02, true, "small"},
                                              {0.02, 0.02, 1, 0.02, false, "published"}}};

// Returns the start of that name. Throws UserError for another.
Start start_named(const std::string& name);

// Draws all tensors of a model of so many layers anew: gains 1, biases and shifts 0, the outputs of the two branches
// (Wo, W2) smaller by √(2·layers) where the start says so, since so many are added up (Radford et al. 2019).
template <class T>
void draw_start(const Tensors<T>& tensors, const Start& start, std::size_t layers, std::uint64_t seed);

}  // namespace lesson6
