// Lesson 6: the flags of its program.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "common/support/flags.hpp"
#include "common/support/text.hpp"

namespace lesson6 {

// The flags of lesson 6 beside those that all lessons share.
struct BmaFlags {
  SymbolKind symbols = SymbolKind::bytes;
  std::string text, config = "C", recipe, save, load, resume, prompt, images, labels;
  std::optional<std::string> attention, head, start;
  std::optional<std::size_t> layers, heads, width, context, batch;
  std::optional<double> rate, dropout;
  std::size_t seeds = 0, sample = 0, patch = 0;
  long save_every = 0, stop_at = 0;
  double temperature = 1;
  bool class_token = false, own_model = false;  // own_model: a flag changes what is trained
};

// Asks for them. Throws UserError for those that do not go together.
BmaFlags bma_flags(Flags& flags);

}  // namespace lesson6
