// What a reader who is stuck may know of our line.
// SPDX-License-Identifier: MIT
#include "common/derive/line_judge.hpp"

namespace formula {

// Says how our line ends: its last operation, without its parts.
static std::string last_operation(const Node& tree) {
  if (tree.kind == Kind::fold)
    return join(tree.text == "Σ" ? "a sum over all entries" : tree.text, " something");
  if (tree.kind != Kind::binary) return "one operation";
  if (tree.text == "+" || tree.text == "-") return "a sum of two terms";
  if (tree.text == "/") return "a quotient";
  return tree.text == "⊙" ? "a product entry by entry" : "a product";
}

// Returns the tables that a line is made of, and their values.
static std::map<std::string, Value> tables_in(const Node& tree, const Scope& scope) {
  std::map<std::string, Value> tables;
  visit(tree, [&](const Node& node) {
    if (node.kind != Kind::name) return;
    const std::optional<Value> value = if_possible([&] { return scope(node); });
    if (value && !value->is_number()) tables.emplace(text_of(node), *value);  // an index has none
  });
  return tables;
}

// Says which of our tables a reader's line lacks, and which it has besides.
static std::string compared(const std::map<std::string, Value>& ours,
                            const std::map<std::string, Value>& yours) {
  std::string lacks, besides;
  for (const auto& [name, value] : ours)
    if (yours.count(name) == 0) lacks += (lacks.empty() ? "; yours has no " : " and no ") + name;
  for (const auto& [name, value] : yours)
    if (ours.count(name) == 0)
      besides += (besides.empty() ? "; ours does without " : " and ") + name;
  return lacks.empty() && besides.empty() ? "; so is yours" : lacks + besides;
}

std::vector<std::string> hints(const Derivation& d, const Asked& asked, const std::string& typed) {
  if (!asked.question.empty()) return {asked.hint.empty() ? "there is no hint" : asked.hint};
  LineJudge judge(d, asked, asked.from);
  const std::vector<std::size_t> shape = judge.truth().shape;
  std::vector<std::string> all{join(asked.name, " is ", to_text(shape))};
  if (!judge.ours) return all;
  judge.take_up_all();
  const Node& tree = judge.ours->sides.back();
  const std::map<std::string, Value> tables = tables_in(tree, judge.scope);
  std::string parts;
  for (const auto& [name, value] : tables)
    parts += join(parts.empty() ? "" : ", ", name, " (", to_text(value.shape), ")");
  if (!parts.empty()) all.push_back("it is made of " + parts);
  all.push_back("the last step on the way to it is " + last_operation(tree));
  if (typed.empty()) return all;
  try {
    const Equation yours = read_typed(d, asked, typed)[0].equation;
    if (!parts.empty()) all[1] += compared(tables, tables_in(yours.sides.back(), judge.scope));
    if (judge.value(yours).shape == shape) all[0] += ", as yours is";
  } catch (const Error&) {  // which the judge explains
  }
  return all;
}

}  // namespace formula
