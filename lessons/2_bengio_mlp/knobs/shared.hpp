// Lesson 2: what several of its benches share: small networks that are trained in a moment.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "common/support/parts.hpp"
#include "lessons/2_bengio_mlp/run/session.hpp"
#include "lessons/2_bengio_mlp/run/train.hpp"

namespace lesson2 {

// Returns the part of the text that a bench learns from: at most 100,000 symbols.
std::span<const std::uint32_t> short_text(const Session& session);

// Returns how many steps a bench trains: what its knob says, and hardly any under --quick.
long steps_now(const Options& options, std::size_t wanted);

// Returns a network of this form that has learned that text; `stream` is where its random numbers come from.
Bengio<float> trained_now(Session& session, const BengioForm& form, long steps, std::uint64_t seed,
                          std::uint64_t stream, const Watch& watch = {});

// Returns the symbol as pictures name it: spaces and line ends have signs of their own.
std::string label_of_symbol(const Vocabulary& vocabulary, std::size_t s);

}  // namespace lesson2
