// What a reader's line may use, and what it makes.
// SPDX-License-Identifier: MIT
#include "common/derive/line_judge.hpp"

#include <cmath>

namespace formula {
namespace {

// Returns W_2 of dW_l in layer 2, but nothing of a line forward.
std::string value_behind(const std::string& asked, std::size_t layer, const Scope& scope) {
  if (asked[0] != 'd') return "";
  std::string name = asked.substr(1);
  if (name.ends_with("_l")) name.replace(name.size() - 1, 1, std::to_string(layer));
  return scope.values.count(name) > 0 ? name : "";
}

// Throws Error if one letter runs in a sum within a sum over it.
void check_sums(const Node& node, std::vector<std::string> running = {}) {
  if (node.kind == Kind::fold)
    for (const std::string& letter : letters_of(node)) {
      if (contains(running, letter))
        throw Error(letter,
                    " runs in two sums at once: the inner one counts, the outer only "
                    "repeats it");
      running.push_back(letter);
    }
  for (const Node& part : node.parts) check_sums(part, running);
}

}  // namespace

LineJudge::LineJudge(const Derivation& d, const Asked& asked_for, std::size_t layer)
    : derivation(d),
      what(asked_for),
      gradients(d.gradients()),
      scope(gradients.values()),
      asked(what.name),
      source(value_behind(asked, layer, scope)),
      ours(what.right) {
  if (asked.ends_with("_l")) scope.indices["l"] = layer;
  line = ours;
  if (is_gradient()) return;
  for (const Asked& earlier : d.asked) {  // with what was answered before one may go on
    if (earlier.name == asked) break;
    if (earlier.one) scope.assign(*earlier.one);
  }
  scope.values.erase(asked);
  if (!ours) throw Error("nobody knows ", asked);
  if (is_criterion()) line = what.one;
}

Value LineJudge::truth() {
  if (is_gradient()) return gradients.of(source);
  return is_criterion() ? Value() : value(*ours);
}

// Tells whether an answer is what a formula says, or fulfils it.
bool LineJudge::agrees(const Equation& formula, const Value& answer, double within) const {
  Scope now = scope;
  if (!is_criterion()) return distance(answer, now(formula.sides.back())) <= within;
  now.values[asked] = answer;
  const std::vector<Value> sides = now.sides(formula);
  return distance(sides[0], sides[1]) <= within;
}

bool LineJudge::makes(const Equation& formula, const Value& numbers, double within) const {
  const std::optional<Value> made = if_possible([&] { return value(formula); });
  return made && distance(*made, numbers) <= within;
}

// Returns the values behind the one asked for, whose gradients are available.
std::vector<std::string> LineJudge::available() const {
  const std::vector<std::string>& order = gradients.order();
  const auto own = std::find(order.begin(), order.end(), source);
  std::vector<std::string> names(own == order.end() ? order.begin() : own + 1, order.end());
  for (const Asked& earlier : derivation.asked) {  // which was answered
    if (earlier.name == what.name) break;
    const std::string name = earlier.name.substr(1);
    if (is_of_gradient(earlier.name) && scope.values.count(name) > 0) names.push_back(name);
  }
  return names;
}

// Adds the gradients that a line names. Throws Error if any is not available.
void LineJudge::take_up(const Node& tree) {
  const auto& values = gradients.values().values;
  const std::vector<std::string> names = available();
  visit(tree, [&](const Node& node) {
    if (text_of(node) == asked) throw Error(asked, " is what is asked for");
    if (node.kind != Kind::name || !is_of_gradient(node.text)) return;
    std::string name = node.text.substr(1);
    if (!node.parts.empty()) name += join("_", std::lround(scope(node.parts[0]).numbers.at(0)));
    if (name.ends_with("'") && values.count(name) == 0) name.pop_back();
    if (values.count(name) == 0) return;
    if (!contains(names, name))
      throw Error(text_of(node), " is not known yet: it comes later on the way back");
    scope.values["d" + name] = gradients.of(name);
  });
}

void LineJudge::take_up_all() {
  if (!is_gradient()) return;
  for (const std::string& name : available())
    if (name != "loss") scope.values["d" + name] = gradients.of(name);
}

// A vector of NumPy, which is neither a row nor a column, may stand for a column.
Value LineJudge::value_like_asked(const Equation& yours) {
  Value made = value(yours);
  const Node& right = yours.sides.back();
  const bool of_vector =
      (right.kind == Kind::table && right.indices.size() == 1) || is_row_of_sums(right);
  if (of_vector && made.numbers.size() == truth().numbers.size()) made.shape = truth().shape;
  return made;
}

Value LineJudge::value(const Equation& equation) const {
  if (equation.sides[0].kind != Kind::entry) return scope(equation.sides.back());
  Scope now = scope;
  if (is_gradient()) now.values[asked] = zeros_like(gradients.values().values.at(source));
  Equation written = equation;
  Node& array = written.sides[0].parts[0];
  if (!array.parts.empty()) array = Node::name(asked);  // db_l[j], in a layer
  now.assign(written);
  return now.values.at(asked);
}

// Of a number "+=" collects over all indices of the right side.
void LineJudge::sum_what_is_added(Equation& yours) const {
  const std::vector<std::string> letters = scope.free_letters(yours.sides.back());
  const bool of_number = yours.relations[0] == "+=" && yours.sides[0].kind == Kind::name;
  if (!of_number || letters.empty()) return;
  Node sum{Kind::fold, "Σ", {yours.sides.back()}};
  for (const std::string& letter : letters) sum.indices += letter;
  yours.sides.back() = std::move(sum);
  yours.relations[0] = "=";
}

// Throws Error if an index stands on one side alone.
void LineJudge::check_letters(const Equation& yours) const {
  check_sums(yours.sides.back());
  const std::vector<std::string> left = scope.free_letters(yours.sides[0]),
                                 right = scope.free_letters(yours.sides.back());
  if (!right.empty() && yours.sides[0].kind == Kind::name && yours.sides[0].parts.empty())
    throw Error("say which entry this is: ", asked, "[", joined(right, ","),
                "] = ..., or sum over an index with Σ_", right[0]);
  for (const std::string& letter : right)
    if (!contains(left, letter) && yours.relations[0] != "+=")
      throw Error(letter, " stands on the right alone: sum over it with Σ_", letter);
  for (const std::string& letter : left)
    if (!contains(right, letter))
      throw Error(letter, " stands on the left alone: what on the right depends on it?");
}

}  // namespace formula
