// The desk at which a reader derives: what `make derive3.2` and a page's form call.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "common/frame/formula/derivation.hpp"

namespace formula {

struct Question {
  int lesson = 0;
  std::string which;  // "1" or "3.1"; 0: a layer of your own
  // A line to judge, "?dW" for a hint, "??dW" the next, "!" for all our lines; none: asks for each
  // in turn.
  std::string line;
  std::string read;   // a line to show as it is understood, set as mathematics
  std::string layer;  // "Y = tanh(X·W)   X 4 3, W 3 5"
};

// Asks for the gradients of a derivation at the terminal, or judges one line. Notes what is right
// in build/derive. Returns the exit status, 0 when all is right, else 1. Throws UserError.
int derive(const Question& question);

// How many derivations there are, and how many are done.
struct Progress {
  std::size_t done = 0, all = 0;
};
Progress derived(const std::vector<Derivation>& all);

}  // namespace formula
