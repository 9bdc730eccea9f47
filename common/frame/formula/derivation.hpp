// Executes forward lines, takes their gradients by central differences, and reads what a lesson
// asks its reader to derive.
// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <optional>

#include "common/frame/formula/formula.hpp"

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

// Tells whether a name is that of a gradient, as dW is.
inline bool is_of_gradient(const std::string& name) { return name.size() > 1 && name[0] == 'd'; }

// A gradient, a line forward, or a number or row of numbers.
struct Asked {
  std::string name;                      // "dW2", "dH_l", "slope"
  std::string question = {}, hint = {};  // of a number
  std::optional<Equation> right = {};    // our line, or what must hold of the answer
  std::optional<Equation> one = {};      // of answers of which there are many
  double within = 1e-6;                  // relative
  std::vector<std::pair<Equation, std::string>> misread = {};  // other answers, and why
  std::size_t from = 1, to = 1;                                // the layers of a name with _l

  const std::optional<Equation>& our_line() const { return one ? one : right; }
};

struct Derivation {
  std::string number, title, minutes;
  Program program;
  Scope start;
  std::vector<Asked> asked;  // in this order

  const Asked* find(const std::string& name) const;

  // Runs the program, the first time; each gradient of many lines is computed once. Throws Error.
  NumericGradients& gradients() const;

 private:
  mutable std::shared_ptr<NumericGradients> gradients_ = nullptr;
};

// Our line for one that is asked for, and why it is so.
struct Answer {
  std::string name;
  Equation line;
  std::string reason;
};
std::vector<Answer> answers_of(const Derivation& derivation);

// Reads the derivations of a lesson from its file, which names equations of its README.
std::vector<Derivation> derivations(const std::string& text, std::string_view readme);

std::vector<Derivation> derivations_in(const std::string& folder);

}  // namespace formula
