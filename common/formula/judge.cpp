// Judges a line that a reader derived: by numbers, and, where it is wrong, by trying what people do
// to a right line.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "common/formula/derive.hpp"
#include "common/text/words.hpp"

namespace formula {
namespace {

bool has_name(const Node& tree, const std::function<bool(const std::string&)>& is) {
  bool found = false;
  visit(tree, [&](const Node& n) {
    found = found || ((n.kind == Kind::name || n.kind == Kind::call) && is(n.text));
  });
  return found;
}
bool is_slope(const Node& tree) {
  const bool one_less =
      tree.kind == Kind::binary && tree.text == "-" && tree.parts[0].kind == Kind::number;
  return one_less || has_name(tree, [](const std::string& name) { return name.ends_with("'"); });
}

// ------------------------------------------------------------------------------------------- slips

class Mutator {
 public:
  explicit Mutator(const Scope& scope) : scope_(scope) {}

  std::vector<Slip> all(const Node& tree) {
    add({Kind::unary, "-", {tree}}, "the sign is wrong");
    const Node two{Kind::number, "2"};
    add({Kind::binary, "·", {tree, two}}, "a factor of 2 too many", "a factor of 2 is missing");
    add({Kind::binary, "/", {tree, two}}, "a factor of 2 is missing", "a factor of 2 too many");
    for (const auto& [name, value] : scope_.values) {
      if (!value.is_number() || value.numbers[0] == 1 || name == "loss") continue;
      add({Kind::binary, "·", {tree, {Kind::name, name}}}, "multiplied by " + name + ": why?",
          "divided by " + name + " it would be right no more than now: " + name +
              " is missing as a factor");
      add({Kind::binary, "/", {tree, {Kind::name, name}}}, "divided by " + name + " once too often",
          "a division by " + name + " is too many");
    }
    for (const std::string& name : alike(tree))
      if (name[0] != 'd')
        add({Kind::binary, "⊙", {tree, {Kind::name, name}}}, "multiplied by " + name + ": why?",
            name + " is missing as a factor");
    add({Kind::unary, "ᵀ", {tree}}, "transposed");
    walk(tree, false);
    return std::move(found_);
  }

 private:
  // Notes the whole with this in the place of what is walked through; what is said of the slip
  // cause_if_reversed may be the same.
  void add(const Node& node, const std::string& cause, const std::string& cause_if_reversed = "") {
    found_.push_back({whole_(node), cause, cause_if_reversed.empty() ? cause : cause_if_reversed});
  }

  static std::string term_missing(const Node& term) {
    const bool back =
        has_name(term, [](const std::string& name) { return name.size() > 1 && name[0] == 'd'; });
    return back ? "a way back is missing: what is asked for reaches the loss in more than one way"
                : "a term is missing";
  }
  static std::string factor_missing(const Node& factor) {
    return is_slope(factor) ? "the slope of the activation is missing" : "a factor is missing";
  }

  void walk(const Node& node, bool at_slope) {
    const std::vector<Node>& parts = node.parts;
    if (node.kind == Kind::binary && (node.text == "+" || node.text == "-")) {
      const Node negative{Kind::unary, "-", {parts[1]}};
      add(parts[0], term_missing(parts[1]), "a term is too many");
      add(node.text == "+" ? parts[1] : negative, term_missing(parts[0]), "a term is too many");
      add({Kind::binary, node.text == "+" ? "-" : "+", parts}, "a sign inside is wrong");
      add({Kind::binary, "+", {node, parts[0]}}, "a term stands twice", "a term is missing");
      add({Kind::binary, node.text, {node, parts[1]}}, "a term stands twice", "a term is missing");
    }
    if (node.kind == Kind::binary && (node.text == "·" || node.text == "⊙" || node.text.empty())) {
      add(parts[0], factor_missing(parts[1]), "a factor is too many");
      add(parts[1], factor_missing(parts[0]), "a factor is too many");
      add({Kind::binary, "⊙", {node, parts[1]}}, "a factor stands twice", "a factor is missing");
      add({Kind::binary, "⊙", {node, parts[0]}}, "a factor stands twice", "a factor is missing");
    }
    if (node.kind == Kind::binary && node.text == "/")
      add(parts[0], "a division is missing: by what?", "a division is too many");
    if (node.kind == Kind::unary && node.text == "ᵀ")
      add(parts[0], "a transpose is missing", "a transpose is too many");
    if (node.kind == Kind::fold && node.text != "Σ") {
      const std::string other = node.text == "row sums of" ? "column sums of" : "row sums of";
      add({Kind::fold, other, parts}, "summed over the wrong side");
      add(parts[0], "the sum is missing", "the sum is too many");
    }
    if (node.kind == Kind::call && node.text.ends_with("'")) {
      const std::string value = node.text.substr(0, node.text.size() - 1);
      add({Kind::call, value, parts}, "the activation stands where its slope belongs",
          "the slope stands where the activation belongs");
    }
    if (node.kind == Kind::name && node.parts.empty()) others(node, at_slope);
    const bool slope =
        at_slope || (node.kind == Kind::call && node.text.ends_with("'")) || is_slope(node);
    const auto around = whole_;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      whole_ = [&, k](Node part) {
        Node here = node;
        here.parts[k] = std::move(part);
        return around(here);
      };
      walk(parts[k], slope);
    }
    whole_ = around;
    if (node.kind == Kind::binary && node.text == "⊙" && is_slope(parts[1]))
      for (const std::string& name : alike(parts[1]))  // dH ⊙ H
        add({Kind::binary, "⊙", {parts[0], {Kind::name, name}}},
            name + " stands where a slope belongs", "a slope stands where " + name + " belongs");
  }

  // Returns the names of what has the shape of a tree and is no number.
  std::vector<std::string> alike(const Node& tree) const {
    std::vector<std::string> names;
    try {
      const Value like = scope_(tree);
      for (const auto& [name, value] : scope_.values)
        if (value.shape == like.shape && !value.is_number()) names.push_back(name);
    } catch (const Error&) {  // it does not fit together
    }
    return names;
  }

  // Every other name of the same shape in the place of this one.
  void others(const Node& node, bool at_slope) {
    const auto own = scope_.values.find(node.text);
    if (own == scope_.values.end()) return;
    if (own->second.rows() > 1 && own->second.rows() == own->second.cols())
      add({Kind::unary, "ᵀ", {node}}, "a transpose is too many", "a transpose is missing");
    for (const auto& [name, value] : scope_.values)
      if (name != node.text && name != "R" && value.shape == own->second.shape)
        add({Kind::name, name},
            at_slope ? "the slope is taken at " + name + ", which is the wrong place"
                     : name + " stands where something else of its shape belongs",
            node.text + " stands where something else of its shape belongs");
  }

  const Scope& scope_;
  std::vector<Slip> found_;
  std::function<Node(Node)> whole_ = [](Node node) { return node; };
};

// ---------------------------------------------------------------------------------------- one line

// What a line is judged in: all values, and those gradients that are known when it is asked for.
struct LineJudge {
  LineJudge(const Derivation& d, const Asked& what, std::size_t layer)
      : gradients(d.gradients()),
        scope(gradients.values()),
        asked(what.name),
        ours(what.our_line()) {
    const bool layered = asked.ends_with("_l");
    if (layered) scope.indices["l"] = layer;
    const std::string name = asked.substr(1);
    if (asked[0] == 'd')
      wanted = layered ? name.substr(0, name.size() - 1) + std::to_string(layer) : name;
    const std::vector<std::string>& made = gradients.order();
    const auto own = std::find(made.begin(), made.end(), wanted);
    known.assign(own == made.end() ? made.begin() : own + 1, made.end());
    if (scope.values.count(wanted) > 0) {
      truth = gradients.of(wanted);
      return;
    }
    wanted.clear();  // no gradient: a line forward, which is ours
    scope.values.erase(asked);
    if (!ours) throw Error("nobody knows " + asked);
    if (!is_criterion()) truth = value(*ours);
  }

  bool is_gradient() const { return !wanted.empty(); }
  bool is_criterion() const {  // what must hold of an answer of which there are many
    return !is_gradient() && name_on_left(*ours) != asked;
  }

  // Tells whether an answer is what a formula says, or whether a formula holds of it.
  bool agrees(const Equation& formula, const Value& answer, double within) const {
    Scope now = scope;
    if (!is_criterion()) return distance(answer, now(formula.sides.back())) <= within;
    now.values[asked] = answer;
    const std::vector<Value> sides = now.sides(formula);
    return distance(sides[0], sides[1]) <= within;
  }

  // Adds the gradients that a line names. Throws Error for one that is not known yet.
  void take_up(const Node& tree) {
    visit(tree, [&](const Node& node) {
      if (text_of(node) == asked) throw Error(asked + " is what is asked for");
      if (node.kind != Kind::name || node.text.size() < 2 || node.text[0] != 'd') return;
      std::string name = node.text.substr(1);
      if (!node.parts.empty())
        name += "_" + std::to_string(std::lround(scope(node.parts[0]).numbers.at(0)));
      if (name.ends_with("'") && gradients.values().values.count(name) == 0) name.pop_back();
      if (gradients.values().values.count(name) == 0) return;
      if (std::find(known.begin(), known.end(), name) == known.end())
        throw Error("d" + name + " is not known yet: it comes later on the way back");
      scope.values["d" + name] = gradients.of(name);
    });
  }
  void take_up_all() {
    for (const std::string& name : known)
      if (name != "loss" && is_gradient()) scope.values["d" + name] = gradients.of(name);
  }

  // Computes a line.
  Value value(const Equation& equation) const {
    if (equation.sides[0].kind != Kind::entry) return scope(equation.sides.back());
    Scope now = scope;
    if (is_gradient()) now.values[asked] = zeros_like(gradients.values().values.at(wanted));
    now.assign(equation);
    return now.values.at(asked);
  }

  NumericGradients& gradients;
  Scope scope;
  std::string asked, wanted;  // dW_l, and W_2
  std::optional<Equation> ours;
  Value truth;
  std::vector<std::string> known;
};

// Says which slip of our line, or of two, makes these numbers; or which change would make the
// reader's line right.
std::string cause_of(LineJudge& desk, const Asked& asked, const Equation& yours,
                     const Value& value) {
  const std::optional<Equation>& ours = desk.ours;
  desk.take_up_all();
  const auto makes = [&](Equation line, const Node& tree, const Value& numbers, double tolerance) {
    line.sides.back() = tree;
    try {
      return distance(desk.value(line), numbers) <= tolerance;
    } catch (const Error&) {
      return false;
    }
  };
  for (const auto& [line, why] : asked.misread)
    if (makes(line, line.sides.back(), value, 1e-9)) return why;
  if (ours) {
    Equation other = *ours;
    if (other.sides[0].kind == Kind::entry) {
      other.relations[0] = other.relations[0] == "+=" ? "=" : "+=";
      if (makes(other, other.sides.back(), value, 1e-9))
        return "= keeps only the last of what is to be collected";
    }
    const std::vector<Slip> slips = slips_of(ours->sides.back(), desk.scope);
    for (const Slip& slip : slips)
      if (makes(*ours, slip.tree, value, 1e-9)) return slip.cause;
    std::size_t tried = 0;
    for (const Slip& one : slips)
      for (const Slip& two : slips_of(one.tree, desk.scope)) {
        if (++tried > 3000) return "";
        if (makes(*ours, two.tree, value, 1e-9))
          return one.cause + (one.cause == two.cause ? ", and once more" : "; and " + two.cause);
      }
    return "";
  }
  for (const Slip& slip : slips_of(yours.sides.back(), desk.scope))
    if (makes(yours, slip.tree, desk.truth, 1e-6)) return slip.cause_if_reversed;
  return "";
}

Equation read_line(const std::string& asked, const std::string& line) {
  if (const auto number = number_by_hand(line))  // 25 %, 10 000
    return {{{Kind::name, asked}, {Kind::unary, "-", {{Kind::number, significant(-*number, 17)}}}},
            {"="},
            line};
  const bool has_relation = line.find('=') != line.npos || line.find("←") != line.npos;
  if (!has_relation) return {{{Kind::name, asked}, expression(line)}, {"="}, line};
  const Equation e = equation(line);
  if (e.sides.size() != 2) throw Error("one = is enough");
  if (name_on_left(e) != asked) throw Error("what is asked for is " + asked);
  return e;
}

}  // namespace

std::vector<Slip> slips_of(const Node& tree, const Scope& scope) {
  return Mutator(scope).all(tree);
}

Judgement judge(const Derivation& d, const Asked& asked, const std::string& line) {
  try {
    const Equation yours = read_line(asked.name, line);
    bool gradient = true;
    double worst = 0;
    for (std::size_t layer = asked.from; layer <= asked.to; ++layer) {
      LineJudge desk(d, asked, layer);
      gradient = desk.is_gradient();
      desk.take_up(yours.sides.back());
      const Value value = desk.value(yours);
      const bool finite = std::all_of(value.numbers.begin(), value.numbers.end(),
                                      [](double x) { return std::isfinite(x); });
      if (!asked.question.empty()) {  // a number, or a row of numbers
        if (!finite) return {false, "that is no finite number"};
        if (desk.agrees(asked.right[0], value, asked.within + 1e-12)) return {true, "right"};
        for (const auto& [formula, why] : asked.misread)
          if (desk.agrees(formula, value, 1e-3)) return {false, why};
        return {false, "no"};
      }
      const Value& truth = desk.truth;
      if (value.shape != truth.shape && !(value.numbers.size() == 1 && truth.numbers.size() == 1)) {
        const bool turned = value.shape.size() == 2 && truth.shape.size() == 2 &&
                            value.rows() == truth.cols() && value.cols() == truth.rows();
        return {false, text_of(yours.sides.back()) + " is " + to_text(value.shape) + " and " +
                           asked.name + " must be " + to_text(truth.shape) +
                           (turned ? ": transposed" : "")};
      }
      // Central differences are right to some 1e-9; a wrong line errs by more than 1e-4.
      const double error = distance(value, truth);
      worst = std::max(worst, error);
      if (error <= asked.within) continue;
      if (!finite) return {false, "that is no finite number"};
      const bool adds = yours.relations[0] == "+=" && yours.sides[0].kind == Kind::name;
      const std::string cause =
          adds ? "+= adds to what is there, and here is nothing yet: write the whole sum"
               : cause_of(desk, asked, yours, value);
      return {false, "the right shape, wrong values" +
                         (cause.empty() ? "; no usual slip explains them" : ": " + cause)};
    }
    return {true, "right, to " + significant(worst, 2) +
                      (gradient ? " of central differences" : " of ours")};
  } catch (const Error& error) {
    return {false, one_line(error.what())};
  }
}

std::string hint(const Derivation& d, const Asked& asked) {
  if (!asked.question.empty()) return asked.hint.empty() ? "there is no hint" : asked.hint;
  LineJudge desk(d, asked, asked.from);
  std::string made_of;
  if (const std::optional<Equation>& ours = desk.ours) {
    desk.take_up_all();
    std::set<std::string> names;
    visit(ours->sides.back(), [&](const Node& node) {
      if (node.kind != Kind::name || !names.insert(text_of(node)).second) return;
      try {
        const Value value = desk.scope(node);
        if (!value.is_number())
          made_of +=
              (made_of.empty() ? "" : ", ") + text_of(node) + " (" + to_text(value.shape) + ")";
      } catch (const Error&) {  // an index
      }
    });
  }
  return asked.name + " is " + to_text(desk.truth.shape) +
         (made_of.empty() ? "" : "; it is made of " + made_of);
}

}  // namespace formula
