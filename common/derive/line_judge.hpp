// Judges one line of a reader in one layer: what it may use and what it makes (line_judge.cpp), and
// what is wrong with it (causes.cpp).
// SPDX-License-Identifier: MIT
#pragma once
#include "common/derive/judge.hpp"

namespace formula {

struct LineJudge {
  LineJudge(const Derivation& d, const Asked& asked_for, std::size_t layer);

  bool is_gradient() const { return !source.empty(); }
  bool is_criterion() const {  // what must hold of an answer of which there are many
    return !is_gradient() && name_on_left(*ours) != asked;
  }

  // What is asked for; the value of a line, whose vectors of NumPy may stand for a column.
  Value truth();
  Value value(const Equation& equation) const;
  Value value_like_asked(const Equation& yours);

  // Tell whether an answer is what a formula says, or fulfils it; whether a formula makes numbers.
  bool agrees(const Equation& formula, const Value& answer, double within) const;
  bool makes(const Equation& formula, const Value& numbers, double within = 1e-9) const;

  // Add the gradients that a line names, or all that it may. Throw Error if any is not available.
  void take_up(const Node& tree);
  void take_up_all();

  // Of a number "+=" collects over all indices of the right side. The second throws Error if an
  // index stands on one side alone.
  void sum_what_is_added(Equation& yours) const;
  void check_letters(const Equation& yours) const;

  // Say what is wrong, if anything, with a line that makes this value; with a number, a row, or an
  // answer of which there are many; with a row that collects in the place of another.
  std::string mistake_in(const Equation& yours, const Value& value);
  Judgement answer(const Equation& yours, Value value);
  std::string wrong_row(const Equation& yours) const;

  const Derivation& derivation;
  const Asked& what;
  NumericGradients& gradients;
  Scope scope;
  std::string asked, source;           // dW_l, and W_2
  std::optional<Equation> ours, line;  // what must hold, and what makes the numbers

 private:
  std::vector<std::string> available() const;

  std::string cause_of(const Equation& yours, const Value& numbers);
  std::string explained(const Equation& yours, const Value& numbers);
  std::string uneven_index(const Equation& yours) const;
  Value truth_like() const;
  bool collects_wrongly(const Value& numbers) const;
  std::string miswritten(const Equation& yours);
  std::string slip_in(const Value& numbers) const;
  std::string change_of(const Equation& yours);
  bool lacks_brackets(const Equation& yours);
  std::string two_slips_in(const Value& numbers) const;
  std::string unlike(const Equation& yours, const Value& value, const Value& right) const;
  std::string slip_of_numbers(const Value& value, const Value& right) const;
};

}  // namespace formula
