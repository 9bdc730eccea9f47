// Judges what a reader types: whether a line is right, and if not, why.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/frame/formula/derivation.hpp"

namespace formula {

// Returns what the left side of a reader's line asks for, however it is spelt; null without one.
const Asked* named_in(const Derivation& derivation, const std::string& line);

struct Judgement {
  bool right = false;
  std::string text;
};

// Judges a reader's line, which may leave out "dW =". Never shows our line.
Judgement judge(const Derivation& derivation, const Asked& asked, const std::string& line);

// Reads a reader's line as it is meant. Throws Error.
Equation read_typed(const Derivation& derivation, const Asked& asked, const std::string& line);

// Says how a reader's line is understood, before it is judged: set as mathematics, the shapes below
// its parts, or nothing if it cannot be read, and what does not fit.
struct Echo {
  std::string math, problem;
};
Echo echo(const Derivation& derivation, const Asked& asked, const std::string& line);

// Returns hints, one after the other: a line's shape, what it is made of, its last operation; of a
// number its own.
std::vector<std::string> hints(const Derivation& derivation, const Asked& asked);

// Rewrites what people type in our notation: phrases of a language (dialects.cpp); these, signs and
// words of a line; names and functions of a tree, as far as a scope or what is asked for knows them
// (spelling.cpp).
std::string without_dialect(std::string typed);
std::string respelt(std::string_view typed);
Node as_meant(Node tree, const Scope& scope, const std::set<std::string>& asked);

// Tell what a character of a word is, and where the bracket closes that opens at a place; the end
// of the text if it does not.
bool is_ascii_digit(char c);
bool is_ascii_letter(char c);
bool is_of_word(char c);
std::size_t closing(std::string_view text, std::size_t open);

// A line with a mistake that people make, and what to say of it.
struct Slip {
  Node tree;
  std::string cause;              // if our line is spoilt so
  std::string cause_if_reversed;  // if this makes a line right
};
std::vector<Slip> slips_of(const Node& tree, const Scope& scope);

}  // namespace formula
