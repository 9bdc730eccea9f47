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

// Judges a reader's line, which may leave out "dW =". Of a chain, dW = a = b, the end must be
// right, and so must all else that can be read. Never shows our line.
Judgement judge(const Derivation& derivation, const Asked& asked, const std::string& line);

// A reader's line as it is meant, and what was read otherwise than it stands.
struct Typed {
  Equation equation;
  std::vector<std::string> notes;
  std::string advice = {};  // on signs that mean something else in its language
};

// Returns the readings of a line, our own first: a/b c by hand is (a/b)·c, and in MATLAB sum(A) has
// a sum for each column. Throws Error.
std::vector<Typed> read_typed(const Derivation& derivation, const Asked& asked,
                              const std::string& line);

// Returns the links of a chain, a = b and a = c of a = b = c; none of a line with one sign.
std::vector<std::string> links_of(const std::string& line);

// Says how a reader's line is understood, before it is judged: set as mathematics, the shapes below
// its parts, or nothing if it cannot be read, and what does not fit.
struct Echo {
  std::string math, problem;
};
Echo echo(const Derivation& derivation, const Asked& asked, const std::string& line);

// Returns hints, one after the other: a line's shape, what it is made of, its last operation; of a
// number its own. They say how far a line that the reader typed has these.
std::vector<std::string> hints(const Derivation& derivation, const Asked& asked,
                               const std::string& typed = "");

// A line with a mistake that people make, and what to say of it.
struct Slip {
  Node tree;
  std::string cause;              // if our line is spoilt so
  std::string cause_if_reversed;  // if this makes a line right
};
std::vector<Slip> slips_of(const Node& tree, const Scope& scope);

// Changes of what a reader wrote that may make it right, and what to say if one does; ours is null
// where there is none.
std::vector<Slip> repairs_of(const Node& yours, const Node* ours, const Scope& scope);

// Tells whether a tree is what NumPy makes of the sums of rows without keepdims=True.
bool is_row_of_sums(const Node& node);

}  // namespace formula
