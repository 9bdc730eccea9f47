// Lesson 6: a language model that a bench trains while one waits, or the one of --load.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "lessons/6_bma/run/session.hpp"

namespace lesson6 {

// Returns a model of one variant after so many steps; the sizes are those of the flags. One that --load names is
// returned as it is stored.
Run small_model(Session& session, Gate gate, long steps);

// Returns the symbols of the held-out text from place `from` on.
Symbols held_out_window(const Session& session, std::size_t from, std::size_t count);

// Returns a symbol as a letter where that can be: ␣ is a space, ↵ the end of a line.
std::string letter_of(const Session& session, std::uint32_t symbol);

}  // namespace lesson6
