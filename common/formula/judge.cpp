// Judges a reader's line by its numbers; if it is wrong, tries what people do to a right line.
// SPDX-License-Identifier: MIT
#include <cmath>

#include "common/formula/derive.hpp"

namespace formula {
namespace {

bool has_name(const Node& tree, bool (*is)(const std::string&)) {
  bool has = false;
  visit(tree, [&](const Node& node) {
    has = has || ((node.kind == Kind::name || node.kind == Kind::call) && is(node.text));
  });
  return has;
}
bool names_gradient(const std::string& name) { return name.size() > 1 && name[0] == 'd'; }
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
    spoil_whole(tree);
    walk(tree, false);
    return std::move(slips_);
  }

 private:
  // Notes the whole tree with this in the place of the node.
  void add(const Node& node, const std::string& cause, const std::string& cause_if_reversed) {
    slips_.push_back({whole_(node), cause, cause_if_reversed});
  }
  void add(const Node& node, const std::string& cause) { add(node, cause, cause); }

  void spoil_whole(const Node& tree) {
    add(Node::unary("-", tree), "the sign is wrong");
    const Node two{Kind::number, "2"};
    add(Node::binary(tree, "·", two), "a factor of 2 too many", "a factor of 2 is missing");
    add(Node::binary(tree, "/", two), "a factor of 2 is missing", "a factor of 2 too many");
    for (const auto& [name, value] : scope_.values) {
      if (!value.is_number() || value.numbers[0] == 1 || name == "loss") continue;
      add(Node::binary(tree, "·", Node::name(name)), join("multiplied by ", name, ": why?"),
          name + " is missing as a factor");
      add(Node::binary(tree, "/", Node::name(name)), join("divided by ", name, " once too often"),
          join("a division by ", name, " is too many"));
    }
    for (const std::string& name : alike(tree))
      if (name[0] != 'd')
        add(Node::binary(tree, "⊙", Node::name(name)), join("multiplied by ", name, ": why?"),
            name + " is missing as a factor");
    add(Node::unary("ᵀ", tree), "transposed");
  }

  // Spoils a node, and then its parts in its place.
  void walk(const Node& node, bool at_slope) {
    spoil(node, at_slope);
    const bool slope = at_slope || is_slope(node);
    const auto around = whole_;
    for (std::size_t k = 0; k < node.parts.size(); ++k) {
      whole_ = [&, k](const Node& part) {
        Node here = node;
        here.parts[k] = part;
        return around(here);
      };
      walk(node.parts[k], slope);
    }
    whole_ = around;
    if (node.kind == Kind::binary && node.text == "⊙" && is_slope(node.parts[1]))
      for (const std::string& name : alike(node.parts[1]))  // dH ⊙ H
        add(Node::binary(node.parts[0], "⊙", Node::name(name)),
            name + " stands where a slope belongs",
            join("a slope stands where ", name, " belongs"));
  }

  void spoil(const Node& node, bool at_slope) {
    if (node.kind == Kind::name) spoil_name(node, at_slope);
    if (node.kind == Kind::call) spoil_call(node);
    if (node.kind == Kind::fold) spoil_fold(node);
    if (node.kind != Kind::binary && node.kind != Kind::unary) return;
    const std::string& sign = node.text;
    if (sign == "·" || sign == "⊙" || sign.empty()) spoil_product(node);
    if (sign == "+" || (sign == "-" && node.kind == Kind::binary)) spoil_sum(node);
    if (sign == "/")
      add(node.parts[0], "a division is missing: by what?", "a division is too many");
    if (sign == "ᵀ") add(node.parts[0], "a transpose is missing", "a transpose is too many");
  }

  static std::string term_missing(const Node& term) {
    return has_name(term, names_gradient)
               ? "a way back is missing: what is asked for reaches the loss in more than one way"
               : "a term is missing";
  }
  void spoil_sum(const Node& node) {
    const Node &first = node.parts[0], &last = node.parts[1];
    const bool adds = node.text == "+";
    add(first, term_missing(last), "a term is too many");
    add(adds ? last : Node::unary("-", last), term_missing(first), "a term is too many");
    add(Node::binary(first, adds ? "-" : "+", last), "a sign inside is wrong");
    add(Node::binary(node, "+", first), "a term stands twice", "a term is missing");
    add(Node::binary(node, node.text, last), "a term stands twice", "a term is missing");
  }

  static std::string factor_missing(const Node& factor) {
    return is_slope(factor) ? "the slope of the activation is missing" : "a factor is missing";
  }
  void spoil_product(const Node& node) {
    const Node &first = node.parts[0], &last = node.parts[1];
    add(first, factor_missing(last), "a factor is too many");
    add(last, factor_missing(first), "a factor is too many");
    for (const Node& factor : {last, first})
      add(Node::binary(node, "⊙", factor), "a factor stands twice", "a factor is missing");
  }

  void spoil_fold(const Node& node) {
    if (node.text == "Σ") return;
    const std::string other = node.text == "row sums of" ? "column sums of" : "row sums of";
    add({Kind::fold, other, node.parts}, "summed over the wrong side");
    add(node.parts[0], "the sum is missing", "the sum is too many");
  }

  void spoil_call(const Node& node) {
    if (!node.text.ends_with("'")) return;
    const std::string value = node.text.substr(0, node.text.size() - 1);
    add({Kind::call, value, node.parts}, "the activation stands where its slope belongs",
        "the slope stands where the activation belongs");
  }

  void spoil_name(const Node& node, bool at_slope) {
    const auto own = scope_.values.find(node.text);
    if (own == scope_.values.end() || !node.parts.empty()) return;
    const Value& value = own->second;
    if (value.rows() > 1 && value.rows() == value.cols())
      add(Node::unary("ᵀ", node), "a transpose is too many", "a transpose is missing");
    const std::string elsewhere = " stands where something else of its shape belongs";
    for (const auto& [name, other] : scope_.values)
      if (name != node.text && name != "R" && other.shape == value.shape)
        add(Node::name(name),
            at_slope ? join("the slope is taken at ", name, ", which is the wrong place")
                     : name + elsewhere,
            node.text + elsewhere);
  }

  // Returns names of a tree's shape.
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

  const Scope& scope_;
  std::vector<Slip> slips_;
  std::function<Node(const Node&)> whole_ = [](const Node& node) { return node; };
};

// ---------------------------------------------------------------------------------------- one line

// Returns W_2 of dW_l in layer 2, but nothing of a line forward.
std::string value_behind(const std::string& asked, std::size_t layer, const Scope& scope) {
  if (asked[0] != 'd') return "";
  std::string name = asked.substr(1);
  if (name.ends_with("_l")) name.replace(name.size() - 1, 1, std::to_string(layer));
  return scope.values.count(name) > 0 ? name : "";
}

constexpr const char* not_finite = "that is no finite number";
bool is_finite(const Value& value) {
  return std::all_of(value.numbers.begin(), value.numbers.end(),
                     [](double x) { return std::isfinite(x); });
}

Equation with_right(Equation line, const Node& right) {
  line.sides.back() = right;
  return line;
}

struct LineJudge {
  LineJudge(const Derivation& d, const Asked& asked_for, std::size_t layer)
      : what(asked_for),
        gradients(d.gradients()),
        scope(gradients.values()),
        asked(what.name),
        source(value_behind(asked, layer, scope)),
        ours(what.our_line()) {
    if (asked.ends_with("_l")) scope.indices["l"] = layer;
    if (is_gradient()) return;
    scope.values.erase(asked);
    if (!ours) throw Error("nobody knows ", asked);
  }

  bool is_gradient() const { return !source.empty(); }
  bool is_criterion() const {  // what must hold of an answer of which there are many
    return !is_gradient() && name_on_left(*ours) != asked;
  }

  Value truth() {
    if (is_gradient()) return gradients.of(source);
    return is_criterion() ? Value() : value(*ours);
  }

  // Tells whether an answer is what a formula says, or fulfils it.
  bool agrees(const Equation& formula, const Value& answer, double within) const {
    Scope now = scope;
    if (!is_criterion()) return distance(answer, now(formula.sides.back())) <= within;
    now.values[asked] = answer;
    const std::vector<Value> sides = now.sides(formula);
    return distance(sides[0], sides[1]) <= within;
  }

  bool makes(const Equation& line, const Value& numbers, double within = 1e-9) const {
    try {
      return distance(value(line), numbers) <= within;
    } catch (const Error&) {
      return false;
    }
  }

  // Returns the values behind the one asked for, whose gradients are available.
  std::vector<std::string> available() const {
    const std::vector<std::string>& order = gradients.order();
    const auto own = std::find(order.begin(), order.end(), source);
    return {own == order.end() ? order.begin() : own + 1, order.end()};
  }

  // Adds the gradients that a line names. Throws Error if any is not available.
  void take_up(const Node& tree) {
    const auto& values = gradients.values().values;
    const std::vector<std::string> names = available();
    visit(tree, [&](const Node& node) {
      if (text_of(node) == asked) throw Error(asked, " is what is asked for");
      if (node.kind != Kind::name || !names_gradient(node.text)) return;
      std::string name = node.text.substr(1);
      if (!node.parts.empty()) name += join("_", std::lround(scope(node.parts[0]).numbers.at(0)));
      if (name.ends_with("'") && values.count(name) == 0) name.pop_back();
      if (values.count(name) == 0) return;
      if (!contains(names, name))
        throw Error("d", name, " is not known yet: it comes later on the way back");
      scope.values["d" + name] = gradients.of(name);
    });
  }
  void take_up_all() {
    if (!is_gradient()) return;
    for (const std::string& name : available())
      if (name != "loss") scope.values["d" + name] = gradients.of(name);
  }

  Value value(const Equation& equation) const {
    if (equation.sides[0].kind != Kind::entry) return scope(equation.sides.back());
    Scope now = scope;
    if (is_gradient()) now.values[asked] = zeros_like(gradients.values().values.at(source));
    now.assign(equation);
    return now.values.at(asked);
  }

  // Returns which slip of our line, or which two, makes these numbers.
  std::string slip_in(const Value& numbers) const {
    const std::vector<Slip> slips = slips_of(ours->sides.back(), scope);
    for (const Slip& slip : slips)
      if (makes(with_right(*ours, slip.tree), numbers)) return slip.cause;
    std::size_t tried = 0;
    for (const Slip& one : slips)
      for (const Slip& two : slips_of(one.tree, scope)) {
        ++tried;
        if (tried > 3000) return "";
        if (makes(with_right(*ours, two.tree), numbers))
          return one.cause + (one.cause == two.cause ? ", and once more" : "; and " + two.cause);
      }
    return "";
  }

  // Tells whether our line makes these numbers with = for +=, or += for =.
  bool collects_wrongly(const Value& numbers) const {
    Equation line = *ours;
    if (line.sides[0].kind != Kind::entry) return false;
    line.relations[0] = line.relations[0] == "+=" ? "=" : "+=";
    return makes(line, numbers);
  }

  // Explains a line of the right shape: a misreading, a slip of our line, else the change that
  // makes the reader's line right. Returns nothing where none does.
  std::string cause_of(const Equation& yours, const Value& numbers) {
    if (yours.relations[0] == "+=" && yours.sides[0].kind == Kind::name)
      return "+= adds to what is there, and here is nothing yet: write the whole sum";
    take_up_all();
    for (const auto& [line, why] : what.misread)
      if (makes(line, numbers)) return why;
    if (ours)
      return collects_wrongly(numbers) ? "= keeps only the last of what is to be collected"
                                       : slip_in(numbers);
    for (const Slip& slip : slips_of(yours.sides.back(), scope))
      if (makes(with_right(yours, slip.tree), truth(), 1e-6)) return slip.cause_if_reversed;
    return "";
  }

  // Returns what is wrong, if anything, with a line that makes this value.
  std::string mistake_in(const Equation& yours, const Value& value) {
    const Value right = truth();
    if (value.shape != right.shape && (value.numbers.size() > 1 || right.numbers.size() > 1)) {
      const bool turned = value.shape.size() == 2 && right.shape.size() == 2 &&
                          value.rows() == right.cols() && value.cols() == right.rows();
      return join(text_of(yours.sides.back()), " is ", to_text(value.shape), " and ", asked,
                  " must be ", to_text(right.shape), turned ? ": transposed" : "");
    }
    // Central differences are right to 1e-9; a wrong line errs by more than 1e-4.
    if (distance(value, right) <= what.within) return "";
    if (!is_finite(value)) return not_finite;
    const std::string cause = cause_of(yours, value);
    return "the right shape, wrong values" +
           (cause.empty() ? "; no usual slip explains them" : ": " + cause);
  }

  Judgement answer(const Value& value) const {
    if (!is_finite(value)) return {false, not_finite};
    if (agrees(what.right[0], value, what.within + 1e-12)) return {true, "right"};
    for (const auto& [formula, why] : what.misread)
      if (agrees(formula, value, 1e-3)) return {false, why};
    return {false, "no"};
  }

  const Asked& what;
  NumericGradients& gradients;
  Scope scope;
  std::string asked, source;  // dW_l, and W_2
  std::optional<Equation> ours;
};

Equation read_line(const std::string& asked, const std::string& line) {
  if (const auto number = number_by_hand(line))  // 25 %, 10 000
    return {{Node::name(asked), {Kind::number, significant(*number, 17)}}, {"="}, line};
  const bool has_relation = line.find('=') != line.npos || line.find("←") != line.npos;
  if (!has_relation) return {{Node::name(asked), expression(line)}, {"="}, line};
  const Equation e = equation(line);
  if (e.sides.size() != 2) throw Error("one = is enough");
  if (name_on_left(e) != asked) throw Error("what is asked for is ", asked);
  return e;
}

}  // namespace

std::vector<Slip> slips_of(const Node& tree, const Scope& scope) {
  return Mutator(scope).all(tree);
}

Judgement judge(const Derivation& d, const Asked& asked, const std::string& line) {
  try {
    const Equation yours = read_line(asked.name, line);
    std::string truth;
    double worst = 0;
    for (std::size_t layer = asked.from; layer <= asked.to; ++layer) {
      LineJudge judge(d, asked, layer);
      judge.take_up(yours.sides.back());
      const Value value = judge.value(yours);
      if (!asked.question.empty()) return judge.answer(value);
      const std::string mistake = judge.mistake_in(yours, value);
      if (!mistake.empty()) return {false, mistake};
      worst = std::max(worst, distance(value, judge.truth()));
      truth = judge.is_gradient() ? "central differences" : "ours";
    }
    return {true, join("right, to ", significant(worst, 2), " of ", truth)};
  } catch (const Error& error) {
    return {false, one_line(error.what())};
  }
}

std::string hint(const Derivation& d, const Asked& asked) {
  if (!asked.question.empty()) return asked.hint.empty() ? "there is no hint" : asked.hint;
  LineJudge judge(d, asked, asked.from);
  const std::string shape = join(asked.name, " is ", to_text(judge.truth().shape));
  if (!judge.ours) return shape;
  judge.take_up_all();
  std::set<std::string> names;
  std::string parts;
  visit(judge.ours->sides.back(), [&](const Node& node) {
    if (node.kind != Kind::name || !names.insert(text_of(node)).second) return;
    try {
      const Value value = judge.scope(node);
      if (value.is_number()) return;
      parts += join(parts.empty() ? "" : ", ", text_of(node), " (", to_text(value.shape), ")");
    } catch (const Error&) {  // an index
    }
  });
  return parts.empty() ? shape : shape + "; it is made of " + parts;
}

}  // namespace formula
