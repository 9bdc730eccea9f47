// Lesson 2: its flags beside those that all lessons share.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>

#include "common/support/flags.hpp"
#include "common/support/text.hpp"
#include "lessons/2_bengio_mlp/run/train.hpp"

namespace lesson2 {

struct BengioFlags {
  std::string text, save, load, prompt;
  SymbolKind symbols = SymbolKind::bytes;
  std::size_t context = 3, dim = 8, hidden = 128, sample = 0;
  TrainingSettings training;
  double temperature = 1;
  bool direct = false, own_model = false;  // own_model: a flag changes what is trained
};

// Asks for them. Throws UserError for flags that do not go together.
BengioFlags bengio_flags(Flags& flags);

// Throws UserError when training what the flags describe would not fit into memory.
void check_fits(const BengioFlags& f, std::size_t threads);

}  // namespace lesson2
