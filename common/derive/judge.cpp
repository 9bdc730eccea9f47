// Reads a reader's line, in each way that it can be read, and says whether one is right.
// SPDX-License-Identifier: MIT
#include <span>

#include "common/derive/line_judge.hpp"
#include "common/derive/meaning.hpp"

namespace formula {

// Of 3,296 and 11.907, whose comma or point was read as that of decimals, returns the whole number.
static std::optional<double> read_otherwise(const std::string& line) {
  std::string digits = line.substr(line.find('=') + 1);
  std::erase(digits, ' ');
  const std::size_t mark = digits.find_first_of(".,");
  if (mark == digits.npos || mark == 0 || mark > 3 || digits.size() != mark + 4)
    return std::nullopt;
  return decimal_number(digits.erase(mark, 1));
}

// Says what kind of answer is asked for, behind an error that does not.
static std::string kind_of_answer(const Asked& asked) {
  const std::optional<Equation>& ours = asked.our_line();
  if (asked.question.empty() || !ours || ours->sides[0].kind != Kind::name) return "";
  const bool is_row = ours->sides.back().kind == Kind::matrix;
  return is_row ? "; a row of numbers is asked for, such as (1, 0)" : "; a number is asked for";
}

// Returns the readings of a line; none, and why, of what cannot be read.
static std::vector<Typed> read_or_explain(const Derivation& d, const Asked& asked,
                                          const std::string& line, Judgement& why) {
  try {
    return read_typed(d, asked, line);
  } catch (const Error& error) {
    const std::string said = one_line(error.what());
    const bool is_open = asked.question.empty() && said.find_first_of(";:") == said.npos;
    why.text =
        said + kind_of_answer(asked) +
        (is_open ? "; a line is written as A·B, A ⊙ B, Aᵀ, A², column sums of A, Σ_i A[i,j], or "
                   "typed A*B, A.*B, A'"
                 : "");
    return {};
  }
}

// What may stand on a right side, for a reader who named something else.
static std::string names_here(const Derivation& d, const Asked& asked) {
  std::string names;
  for (const auto& [name, value] : d.gradients().values().values)
    if (name != "ones" && name != asked.name)
      names += (names.empty() ? "; here are " : ", ") + name;
  return names.empty() ? "" : names + ", and the gradients of what later lines make";
}

// Throws Error that names what nobody knows here, and what was meant.
static void check_names(const Derivation& d, const Asked& asked, const Equation& yours,
                        const Scope& scope) {
  std::set<std::string> indices{"e", "π", "ones", "l", asked.name};
  for (const Node& side : yours.sides) {
    for (const std::string& letter : scope.free_letters(side)) indices.insert(letter);
    visit(side, [&](const Node& node) {
      if (node.kind == Kind::fold || node.kind == Kind::table)
        for (const std::string& letter : letters_of(node)) indices.insert(letter);
    });
  }
  visit(yours.sides.back(), [&](const Node& node) {
    if (node.kind != Kind::name || !node.parts.empty() || contains(indices, node.text)) return;
    std::string name = node.text;
    if (name.ends_with("'") && scope.functions.count(name) == 0) name.pop_back();
    const auto known = [&](const std::string& one) {
      return scope.values.count(one) > 0 || scope.functions.count(one) > 0 || d.find(one);
    };
    if (known(name) || (name[0] == 'd' && known(name.substr(1)))) return;
    if (name == asked.name || name == "ones") return;
    std::vector<std::string> names;
    for (const auto& [one, value] : scope.values) names.push_back(one);
    const std::string near = nearest(name, names, name.size() / 3);
    if (name.size() > 1 && !near.empty())
      throw Error("there is no ", name, " here; did you mean ", near, "?");
    throw Error("there is no ", name, " here", names_here(d, asked));
  });
}

static Judgement judge_reading(const Derivation& d, const Asked& asked, const std::string& line,
                               const Typed& typed) {
  Equation yours = typed.equation;
  std::string truth;
  double worst = 0;
  for (std::size_t layer = asked.from; layer <= asked.to; ++layer) {
    LineJudge judge(d, asked, layer);
    judge.sum_what_is_added(yours);
    check_names(d, asked, yours, judge.scope);
    judge.take_up(yours.sides.back());
    judge.check_letters(yours);
    std::size_t steps = 500'000;
    judge.scope.steps_left = &steps;
    Value value;
    try {
      value = judge.value_like_asked(yours);
    } catch (const Error&) {
      if (const std::string why = judge.wrong_row(yours); !why.empty()) return {false, why};
      throw;
    }
    judge.scope.steps_left = nullptr;
    if (!asked.question.empty()) {
      const Judgement said = judge.answer(yours, value);
      const std::optional<double> other = said.right ? std::nullopt : read_otherwise(line);
      const bool meant = other && value.is_number() && judge.answer(yours, *other).right;
      return meant ? Judgement{true, "right"} : said;
    }
    const std::string mistake = judge.mistake_in(yours, value);
    if (!mistake.empty()) return {false, mistake};
    worst = std::max(worst, distance(value, judge.truth()));
    truth = judge.is_gradient() ? "central differences" : "ours";
  }
  return {true, join("right, to ", significant(worst, 2), " of ", truth)};
}

// Says what was read otherwise than it stands, each part of a line once.
static std::string how_read(const std::vector<std::string>& notes) {
  std::string text;
  for (std::size_t k = 0; k < notes.size(); ++k) {
    const bool inside = k + 1 < notes.size() && notes[k + 1].find(notes[k]) != std::string::npos;
    if (!inside) text += "; read as " + notes[k];
  }
  return text;
}

static bool has_misfit(const std::string& text) { return text.find("does not fit") != text.npos; }

static Judgement judge_line(const Derivation& d, const Asked& asked, const std::string& line) {
  Judgement first;
  for (const Typed& typed : read_or_explain(d, asked, line, first)) {
    Judgement said;
    try {
      said = judge_reading(d, asked, line, typed);
    } catch (const Error& error) {
      said.text = one_line(error.what()) + kind_of_answer(asked);
      const bool has_row = count_if(typed.equation.sides.back(), is_row_of_sums) > 0;
      if (has_row && said.text.find("keepdims") == said.text.npos)
        said.text += "; without keepdims=True NumPy makes a row of the sums of rows";
      if (has_misfit(said.text)) said.text += typed.advice;
    }
    if (said.right) return {true, said.text + how_read(typed.notes)};
    if (first.text.empty()) first = said;
  }
  return first;
}

// Judges the end of a chain, and all before it that can be read.
static Judgement judge_chain(const Derivation& d, const Asked& asked,
                             const std::vector<std::string>& links) {
  Judgement said = judge_line(d, asked, links.back());
  if (!said.right) return said;
  for (const std::string& link : std::span(links).first(links.size() - 1)) {
    const Judgement middle = judge_line(d, asked, link);
    if (middle.right) continue;
    if (echo(d, asked, link).problem.empty())
      return {false, "the end is right, but not what stands before it: " + middle.text};
    said.text += "; only the end of the line is judged";
  }
  return said;
}

Judgement judge(const Derivation& d, const Asked& asked, const std::string& line) {
  const std::vector<std::string> links = links_of(line);
  const auto read = [&] { return read_typed(d, asked, line); };
  const bool is_one = links.empty() || if_possible(read);  // as T = T[i,j] = ... is
  return is_one ? judge_line(d, asked, line) : judge_chain(d, asked, links);
}

}  // namespace formula
