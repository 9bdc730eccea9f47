// Judges a line that a reader derived: by numbers, and, where it is wrong, by trying what people do to a right line.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>

#include "common/formula/derive.hpp"
#include "common/support/words.hpp"

namespace formula {
namespace {

bool has_name(const Node& tree, const std::function<bool(const std::string&)>& is) {
  bool found = false;
  visit(tree, [&](const Node& n) { found = found || ((n.kind == Kind::name || n.kind == Kind::call) && is(n.text)); });
  return found;
}
bool is_slope(const Node& tree) {
  const bool one_less = tree.kind == Kind::binary && tree.text == "-" && tree.parts[0].kind == Kind::number;
  return one_less || has_name(tree, [](const std::string& name) { return name.ends_with("'"); });
}

// ------------------------------------------------------------------------------------------------------------ slips

class Spoiler {
 public:
  explicit Spoiler(const Scope& scope) : scope_(scope) {}

  std::vector<Slip> all(const Node& tree) {
    const auto times = [&](const Node& factor, const char* sign, const std::string& cause, const std::string& undone) {
      found_.push_back({{Kind::binary, sign, {tree, factor}}, cause, undone});
    };
    found_.push_back({{Kind::unary, "-", {tree}}, "the sign is wrong", "the sign is wrong"});
    const Node two{Kind::number, "2"};
    times(two, "·", "a factor of 2 too many", "a factor of 2 is missing");
    times(two, "/", "a factor of 2 is missing", "a factor of 2 too many");
    for (const auto& [name, value] : scope_.values) {
      if (!value.is_number() || value.numbers[0] == 1 || name == "loss") continue;
      times({Kind::name, name}, "·", "multiplied by " + name + ": why?",
            "divided by " + name + " it would be right no more than now: " + name + " is missing as a factor");
      times({Kind::name, name}, "/", "divided by " + name + " once too often",
            "a division by " + name + " is too many");
    }
    others_multiplied(tree);
    found_.push_back({{Kind::unary, "ᵀ", {tree}}, "transposed", "transposed"});
    walk(
        tree, [](Node node) { return node; }, false);
    return std::move(found_);
  }

 private:
  using Rebuild = std::function<Node(Node)>;

  void add(const Rebuild& rebuild, Node node, std::string cause, std::string undone) {
    found_.push_back({rebuild(std::move(node)), std::move(cause), std::move(undone)});
  }

  static std::string term_missing(const Node& term) {
    const bool back = has_name(term, [](const std::string& name) { return name.size() > 1 && name[0] == 'd'; });
    return back ? "a way back is missing: what is asked for reaches the loss in more than one way"
                : "a term is missing";
  }
  static std::string factor_missing(const Node& factor) {
    return is_slope(factor) ? "the slope of the activation is missing" : "a factor is missing";
  }

  void walk(const Node& node, const Rebuild& rebuild, bool at_slope) {
    const std::vector<Node>& parts = node.parts;
    if (node.kind == Kind::binary && (node.text == "+" || node.text == "-")) {
      const Node negative{Kind::unary, "-", {parts[1]}};
      add(rebuild, parts[0], term_missing(parts[1]), "a term is too many");
      add(rebuild, node.text == "+" ? parts[1] : negative, term_missing(parts[0]), "a term is too many");
      add(rebuild, {Kind::binary, node.text == "+" ? "-" : "+", parts}, "a sign inside is wrong",
          "a sign inside is wrong");
      add(rebuild, {Kind::binary, "+", {node, parts[0]}}, "a term stands twice", "a term is missing");
      add(rebuild, {Kind::binary, node.text, {node, parts[1]}}, "a term stands twice", "a term is missing");
    }
    if (node.kind == Kind::binary && (node.text == "·" || node.text == "⊙" || node.text.empty())) {
      add(rebuild, parts[0], factor_missing(parts[1]), "a factor is too many");
      add(rebuild, parts[1], factor_missing(parts[0]), "a factor is too many");
      add(rebuild, {Kind::binary, "⊙", {node, parts[1]}}, "a factor stands twice", "a factor is missing");
      add(rebuild, {Kind::binary, "⊙", {node, parts[0]}}, "a factor stands twice", "a factor is missing");
    }
    if (node.kind == Kind::binary && node.text == "/")
      add(rebuild, parts[0], "a division is missing: by what?", "a division is too many");
    if (node.kind == Kind::unary && node.text == "ᵀ")
      add(rebuild, parts[0], "a transpose is missing", "a transpose is too many");
    if (node.kind == Kind::fold && node.text != "Σ") {
      const std::string other = node.text == "row sums of" ? "column sums of" : "row sums of";
      add(rebuild, {Kind::fold, other, parts}, "summed over the wrong side", "summed over the wrong side");
      add(rebuild, parts[0], "the sum is missing", "the sum is too many");
    }
    if (node.kind == Kind::call && node.text.ends_with("'")) {
      const std::string value = node.text.substr(0, node.text.size() - 1);
      add(rebuild, {Kind::call, value, parts}, "the activation stands where its slope belongs",
          "the slope stands where the activation belongs");
    }
    if (node.kind == Kind::name && node.parts.empty()) others(node, rebuild, at_slope);
    const bool slope = at_slope || (node.kind == Kind::call && node.text.ends_with("'")) || is_slope(node);
    for (std::size_t k = 0; k < parts.size(); ++k)
      walk(
          parts[k],
          [&node, &rebuild, k](Node part) {
            Node whole = node;
            whole.parts[k] = std::move(part);
            return rebuild(std::move(whole));
          },
          slope);
    if (node.kind == Kind::binary && node.text == "⊙" && is_slope(parts[1])) whole_names(parts[1], rebuild, parts[0]);
  }

  // The whole once more times each value of its shape.
  void others_multiplied(const Node& tree) {
    try {
      const Value whole = scope_(tree);
      for (const auto& [name, value] : scope_.values)
        if (value.shape == whole.shape && !value.is_number() && name[0] != 'd')
          found_.push_back({{Kind::binary, "⊙", {tree, {Kind::name, name}}},
                            "multiplied by " + name + ": why?",
                            name + " is missing as a factor"});
    } catch (const Error&) {
    }
  }

  // Every other name of the same shape in the place of this one.
  void others(const Node& node, const Rebuild& rebuild, bool at_slope) {
    const auto own = scope_.values.find(node.text);
    if (own == scope_.values.end()) return;
    if (own->second.rows() > 1 && own->second.rows() == own->second.cols())
      add(rebuild, {Kind::unary, "ᵀ", {node}}, "a transpose is too many", "a transpose is missing");
    for (const auto& [name, value] : scope_.values)
      if (name != node.text && name != "R" && value.shape == own->second.shape)
        add(rebuild, {Kind::name, name},
            at_slope ? "the slope is taken at " + name + ", which is the wrong place"
                     : name + " stands where something else of its shape belongs",
            node.text + " stands where something else of its shape belongs");
  }

  // Names in the place of a slope: dH ⊙ H.
  void whole_names(const Node& slope, const Rebuild& rebuild, const Node& other) {
    try {
      const Value value = scope_(slope);
      for (const auto& [name, candidate] : scope_.values)
        if (candidate.shape == value.shape && !candidate.is_number())
          add(rebuild, {Kind::binary, "⊙", {other, {Kind::name, name}}}, name + " stands where a slope belongs",
              "a slope stands where " + name + " belongs");
    } catch (const Error&) {
    }
  }

  const Scope& scope_;
  std::vector<Slip> found_;
};

// -------------------------------------------------------------------------------------------------------- one line

// Our line as one formula, the parts that += adds in one sum; nothing where it is not known.
std::optional<Equation> our_line(const Asked& asked) {
  if (asked.right.empty()) return std::nullopt;
  Equation all = asked.right[0];
  for (std::size_t k = 1; k < asked.right.size(); ++k)
    all.sides.back() = {Kind::binary, "+", {all.sides.back(), asked.right[k].sides.back()}};
  return all;
}

// What a line is judged in: all values, and those gradients that are known when it is asked for.
class Desk {
 public:
  Desk(const Derivation& d, const Asked& asked, std::size_t layer)
      : gradients_(d.program, d.start), scope_(gradients_.values()), asked_(asked.name), ours_(our_line(asked)) {
    const bool layered = asked_.ends_with("_l");
    if (layered) scope_.indices["l"] = layer;
    const std::string name = asked_.substr(1);
    if (asked_[0] == 'd') wanted_ = layered ? name.substr(0, name.size() - 1) + std::to_string(layer) : name;
    const std::vector<std::string>& made = gradients_.order();
    const auto own = std::find(made.begin(), made.end(), wanted_);
    known_.assign(own == made.end() ? made.begin() : own + 1, made.end());
    if (scope_.values.count(wanted_) > 0) return;
    wanted_.clear();  // no gradient: a line forward, which is ours
    scope_.values.erase(asked_);
    if (!ours_) throw Error("nobody knows " + asked_);
    if (!is_criterion()) truth_ = value(*ours_);
  }

  const Value& truth() { return wanted_.empty() ? truth_ : gradients_.of(wanted_); }
  const Scope& scope() const { return scope_; }
  const std::optional<Equation>& ours() const { return ours_; }
  bool is_gradient() const { return !wanted_.empty(); }
  bool is_criterion() const {  // what must hold of an answer of which there are many
    const Node& left = ours_->sides[0];
    return !is_gradient() && text_of(left.kind == Kind::entry ? left.parts[0] : left) != asked_;
  }

  // Tells whether an answer is what a formula says, or whether a formula holds of it.
  bool agrees(const Equation& formula, const Value& answer, double within) const {
    Scope scope = scope_;
    if (!is_criterion()) return distance(answer, scope(formula.sides.back())) <= within;
    scope.values[asked_] = answer;
    const std::vector<Value> sides = scope.sides(formula);
    return distance(sides[0], sides[1]) <= within;
  }

  // Adds the gradients that a line names. Throws Error for one that is not known yet.
  void take_up(const Node& tree) {
    visit(tree, [&](const Node& node) {
      if (text_of(node) == asked_) throw Error(asked_ + " is what is asked for");
      if (node.kind != Kind::name || node.text.size() < 2 || node.text[0] != 'd') return;
      std::string name = node.text.substr(1);
      if (!node.parts.empty()) name += "_" + std::to_string(std::lround(scope_(node.parts[0]).numbers.at(0)));
      if (name.ends_with("'") && gradients_.values().values.count(name) == 0) name.pop_back();
      if (gradients_.values().values.count(name) == 0) return;
      if (std::find(known_.begin(), known_.end(), name) == known_.end())
        throw Error("d" + name + " is not known yet: it comes later on the way back");
      scope_.values["d" + name] = gradients_.of(name);
    });
  }
  void take_up_all() {
    for (const std::string& name : known_)
      if (name != "loss" && is_gradient()) scope_.values["d" + name] = gradients_.of(name);
  }

  // Computes a line.
  Value value(const Equation& equation) const {
    if (equation.sides[0].kind != Kind::entry) return scope_(equation.sides.back());
    Scope scope = scope_;
    if (is_gradient()) {
      const Value& like = gradients_.values().values.at(wanted_);
      scope.values[asked_] = Value(like.shape, std::vector<double>(like.numbers.size()));
    }
    scope.assign(equation);
    return scope.values.at(asked_);
  }

 private:
  Gradients gradients_;
  Scope scope_;
  std::string asked_, wanted_;  // dW_l, and W_2
  std::optional<Equation> ours_;
  Value truth_;
  std::vector<std::string> known_;
};

// Says which slip of our line, or of two, makes these numbers; or which change would make the reader's line right.
std::string cause_of(Desk& desk, const Asked& asked, const Equation& yours, const Value& value) {
  const std::optional<Equation>& ours = desk.ours();
  desk.take_up_all();
  const auto made = [&](Equation line, const Node& tree) -> std::optional<Value> {
    line.sides.back() = tree;
    try {
      return desk.value(line);
    } catch (const Error&) {
      return std::nullopt;
    }
  };
  const auto near = [](const std::optional<Value>& a, const Value& b, double roundings) {
    return a && distance(*a, b) <= roundings;
  };
  for (const auto& [line, why] : asked.misread)
    if (near(made(line, line.sides.back()), value, 1e-9)) return why;
  if (ours) {
    Equation other = *ours;
    if (other.sides[0].kind == Kind::entry) {
      other.relations[0] = other.relations[0] == "+=" ? "=" : "+=";
      if (near(made(other, other.sides.back()), value, 1e-9)) return "= keeps only the last of what is to be collected";
    }
    const std::vector<Slip> slips = slips_of(ours->sides.back(), desk.scope());
    for (const Slip& slip : slips)
      if (near(made(*ours, slip.tree), value, 1e-9)) return slip.cause;
    std::size_t tried = 0;
    for (const Slip& one : slips)
      for (const Slip& two : slips_of(one.tree, desk.scope())) {
        if (++tried > 3000) return "";
        if (near(made(*ours, two.tree), value, 1e-9)) return one.cause + "; and " + two.cause;
      }
    return "";
  }
  for (const Slip& slip : slips_of(yours.sides.back(), desk.scope()))
    if (near(made(yours, slip.tree), desk.truth(), 1e-6)) return slip.undone;
  return "";
}

Equation read_line(const std::string& asked, const std::string& line) {
  Equation e;
  if (const auto number = number_by_hand(line))  // 25 %, 10 000
    return {{{Kind::name, asked}, {Kind::unary, "-", {{Kind::number, significant(-*number, 17)}}}}, {"="}, line};
  const bool has_relation = line.find('=') != line.npos || line.find("←") != line.npos;
  if (has_relation) e = equation(line);
  else e = {{{Kind::name, asked}, expression(line)}, {"="}, line};
  if (e.sides.size() != 2) throw Error("one = is enough");
  const Node& left = e.sides[0].kind == Kind::entry ? e.sides[0].parts[0] : e.sides[0];
  if (left.kind != Kind::name || text_of(left) != asked) throw Error("what is asked for is " + asked);
  return e;
}

}  // namespace

std::vector<Slip> slips_of(const Node& tree, const Scope& scope) { return Spoiler(scope).all(tree); }

// Judges a number, or a row of numbers.
static Judgement judge_number(const Desk& desk, const Asked& asked, const Value& value) {
  for (const double x : value.numbers)
    if (!std::isfinite(x)) return {false, 0, "that is no finite number"};
  if (desk.agrees(asked.right[0], value, asked.within + 1e-12)) return {true, 0, "right"};
  for (const auto& [formula, why] : asked.misread)
    if (desk.agrees(formula, value, 1e-3)) return {false, 0, why};
  return {false, 0, "no"};
}

Judgement judge(const Derivation& d, const Asked& asked, const std::string& line) {
  Judgement said{true, 0, ""};
  try {
    const Equation yours = read_line(asked.name, line);
    bool gradient = true;
    for (std::size_t layer = asked.from; layer <= asked.to; ++layer) {
      Desk desk(d, asked, layer);
      gradient = desk.is_gradient();
      desk.take_up(yours.sides.back());
      const Value value = desk.value(yours);
      if (!asked.question.empty()) return judge_number(desk, asked, value);
      const Value& truth = desk.truth();
      if (value.shape != truth.shape && !(value.numbers.size() == 1 && truth.numbers.size() == 1)) {
        const bool turned = value.shape.size() == 2 && truth.shape.size() == 2 && value.rows() == truth.cols() &&
                            value.cols() == truth.rows();
        return {false, 0,
                text_of(yours.sides.back()) + " is " + to_text(value.shape) + " and " + asked.name + " must be " +
                    to_text(truth.shape) + (turned ? ": transposed" : "")};
      }
      // Central differences are right to some 1e-9; a wrong line errs by more than 1e-4.
      const double error = distance(value, truth);
      said.error = std::max(said.error, error);
      if (error <= asked.within) continue;
      for (const double x : value.numbers)
        if (!std::isfinite(x)) return {false, error, "that is no finite number"};
      const std::string cause = cause_of(desk, asked, yours, value);
      return {false, error,
              "the right shape, wrong values" + (cause.empty() ? "; no usual slip explains them" : ": " + cause)};
    }
    said.text = "right, to " + significant(said.error, 2) + (gradient ? " of central differences" : " of ours");
    return said;
  } catch (const Error& error) {
    return {false, 0, one_line(error.what())};
  }
}

std::string hint(const Derivation& d, const Asked& asked) {
  if (!asked.question.empty()) return asked.hint.empty() ? "there is no hint" : asked.hint;
  Desk desk(d, asked, asked.from);
  std::string made_of;
  if (const std::optional<Equation>& ours = desk.ours()) {
    desk.take_up_all();
    std::vector<std::string> names;
    visit(ours->sides.back(), [&](const Node& node) {
      if (node.kind != Kind::name || std::find(names.begin(), names.end(), text_of(node)) != names.end()) return;
      try {
        const Value value = desk.scope()(node);
        if (value.is_number()) return;
        names.push_back(text_of(node));
        made_of += (made_of.empty() ? "" : ", ") + names.back() + " (" + to_text(value.shape) + ")";
      } catch (const Error&) {  // an index
      }
    });
  }
  return asked.name + " is " + to_text(desk.truth().shape) + (made_of.empty() ? "" : "; it is made of " + made_of);
}

}  // namespace formula
