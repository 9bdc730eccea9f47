// Executes forward lines, takes their gradients by central differences, and judges with both what a
// reader derives: whether a line is right, and if not, why.
// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <optional>

#include "common/formula/formula.hpp"

namespace formula {

// Returns the formulas of a README; an unnumbered line belongs to the number below it. An example
// by hand has the number `by_hand`, and a line without formulas before it.
inline const std::string by_hand = "by hand";
std::vector<Line> lines_of_readme(std::string_view readme);

std::vector<std::string> words_of(const std::string& text);

// Forward lines that end in a loss. Neighbours with a name such as Z_l are run layer by layer.
struct Program {
  std::vector<Line> lines;

  // Runs all lines in the scope, where `held` keeps its value; adds the names that get a value to
  // `order`. Returns the loss. Throws Error.
  double run(Scope& scope, const std::string& held = "",
             std::vector<std::string>* order = nullptr) const;
};

// The gradients of a loss by central differences, each when it is first asked for.
class NumericGradients {
 public:
  NumericGradients(const Program& program, const Scope& start);

  // Returns d loss / d name; the name is in values().
  const Value& of(const std::string& name);

  const Scope& values() const { return values_; }                   // all that the lines make,
  const std::vector<std::string>& order() const { return order_; }  // in this order

 private:
  Program program_;
  Scope start_, values_;
  std::map<std::string, Value> gradients_;
  std::vector<std::string> order_;
};

// A gradient, a line forward, or a number or row of numbers.
struct Asked {
  std::string name;                      // "dW2", "dH_l", "slope"
  std::string question = {}, hint = {};  // of a number
  std::vector<Equation> right = {};      // our line, or what must hold of the answer
  std::optional<Equation> one = {};      // of answers of which there are many
  double within = 1e-6;                  // relative
  std::vector<std::pair<Equation, std::string>> misread = {};  // other answers, and why
  std::size_t from = 1, to = 1;                                // the layers of a name with _l

  // Returns our line if it is known, the parts that += adds in one sum.
  std::optional<Equation> our_line() const;
};

struct Derivation {
  std::string number, title, minutes;
  Program program;
  Scope start;
  std::vector<Asked> asked;  // in this order

  const Asked* find(const std::string& name) const;

  // Returns what the left side of a reader's line asks for, however it is spelt; null without one.
  const Asked* named_in(const std::string& line) const;

  // Runs the program, the first time; each gradient of many lines is computed once. Throws Error.
  NumericGradients& gradients() const;

 private:
  mutable std::shared_ptr<NumericGradients> gradients_ = nullptr;
};

// Reads the derivations of a lesson from its file, which names equations of its README.
std::vector<Derivation> derivations(const std::string& text, std::string_view readme);

std::vector<Derivation> derivations_in(const std::string& folder);

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
