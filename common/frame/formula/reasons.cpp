// Why our lines are as they are: from the forward lines in which a name stands, and what stands
// around it there.
// SPDX-License-Identifier: MIT
#include "common/frame/formula/derivation.hpp"

namespace formula {
namespace {

constexpr const char* in_more_than_one_way =
    "it reaches the loss in more than one way, and what comes back from each adds up";

// Says what the sign of a node does to what comes back to its part k.
std::string rule_of(const Node& node, std::size_t k, const Scope& scope) {
  const auto is_number = [&](const Node& part) {
    const std::optional<Value> value = if_possible([&] { return scope(part); });
    return !value || value->numbers.size() == 1;  // an entry has none here
  };
  const std::string& sign = node.text;
  if (node.kind == Kind::call) {
    if (node.text == "softmax") return "each score of a row moves all its shares";
    if (node.text == "mean") return "a mean gives each of n entries 1/n of what comes back";
    return join("what comes back through ", node.text, " is multiplied by its slope, taken where ",
                node.text, " was applied");
  }
  if (node.kind == Kind::fold)
    return sign.find("mean") == sign.npos ? "a sum gives each of its terms what comes back"
                                          : "a mean gives each of n terms 1/n of what comes back";
  if (node.kind == Kind::entry)
    return "an entry gets back what its copies get, and one that is copied twice collects twice";
  if (node.kind == Kind::unary && sign == "-") return "a minus stays in front";
  if (node.kind == Kind::unary && sign == "√") return "the slope of √x is 1/(2√x)";
  if (node.kind != Kind::binary || sign == "+") return "";
  if (sign == "-") return k == 1 ? "a minus stays in front" : "";
  if (sign == "/") return k == 1 ? "the slope of 1/x is -1/x²" : "the division stays";
  if (sign == "^") return "the slope of x² is 2x";
  const bool entries = is_number(node.parts[0]) || is_number(node.parts[1]) || sign == "⊙";
  if (entries) return "a factor gets back what comes back to the product, times the other factor";
  return k == 0
             ? "of a product A·B the left factor gets back d(A·B)·Bᵀ, since A[i,k] meets row k of B"
             : "of a product A·B the right factor gets back Aᵀ·d(A·B), since B[k,j] meets column k of A";
}

void add_rule(std::vector<std::string>& rules, const std::string& rule) {
  if (!rule.empty() && !contains(rules, rule)) rules.push_back(rule);
}

// Adds what the signs between a tree's root and a name do, the root's first.
void rules_on_the_way(const Node& tree, const std::string& name, const Scope& scope,
                      std::vector<std::string>& rules) {
  for (std::size_t k = 0; k < tree.parts.size(); ++k) {
    if (uses_of(tree.parts[k], name) == 0) continue;
    if (tree.kind == Kind::name || (tree.kind == Kind::entry && k > 0)) continue;
    add_rule(rules, rule_of(tree, k, scope));
    rules_on_the_way(tree.parts[k], name, scope, rules);
  }
}

// Says what a row, a column or a number does that is repeated.
std::string collects(const Value& own, const Value& made) {
  if (made.shape.size() != 2 || own.shape.size() > 2) return "";
  const bool rows = own.rows() == 1 && made.rows() > 1, cols = own.cols() == 1 && made.cols() > 1;
  if (rows && own.cols() == made.cols())
    return "a row that serves all rows collects from each: column sums";
  if (cols && own.rows() == made.rows())
    return "a column that serves all columns collects from each: row sums";
  return rows && cols ? "a number that serves all entries collects from each: a sum" : "";
}

// Returns the names that move the loss.
std::set<std::string> on_the_way(const Program& program) {
  std::set<std::string> names{"loss"};
  for (std::size_t k = program.lines.size(); k-- > 0;) {
    const std::vector<Equation>& equations = program.lines[k].equations;
    for (std::size_t j = equations.size(); j-- > 0;) {
      Equation right = equations[j];
      const Node left =
          right.sides[0].kind == Kind::entry ? right.sides[0].parts[0] : right.sides[0];
      if (names.count(left.text) == 0) continue;
      right.sides.erase(right.sides.begin());
      for (const std::string& name : names_in(right)) {
        names.insert(name);
        names.insert(name.substr(0, name.find('_')));  // Z_3 is one of Z_l
      }
    }
  }
  return names;
}

std::string reason_of_gradient(const Derivation& d, const std::string& asked) {
  const std::string source = asked.substr(1, asked.find("_l") - 1);
  const bool by_layers = asked.ends_with("_l");
  Scope scope = d.gradients().values();
  if (by_layers) scope.indices["l"] = 1;
  const auto value = [&](const std::string& name) {
    const auto place = scope.values.find(by_layers ? name + "_1" : name);
    return place == scope.values.end() ? Value() : place->second;
  };
  const std::set<std::string> moving = on_the_way(d.program);
  std::string where;
  std::vector<std::string> rules;
  std::size_t uses = 0;
  for (const Line& line : d.program.lines)
    for (const Equation& e : line.equations) {
      const Node &left = e.sides[0], &right = e.sides.back();
      const std::size_t here = uses_of(right, source);
      const std::string made = left.kind == Kind::entry ? left.parts[0].text : left.text;
      if (here == 0 || left.kind == Kind::call || moving.count(made.substr(0, made.find('_'))) == 0)
        continue;
      uses += here;
      where += (where.empty() ? "" : " and ") + text_of(left) + " = " + text_of(right);
      std::vector<std::string> of_line;
      rules_on_the_way(right, source, scope, of_line);
      for (const std::string& rule : of_line) add_rule(rules, rule);
      if (right == Node::name(source))
        add_rule(rules, join("what comes back to ", text_of(left), " is all of it"));
      const bool sums_by_itself =  // as a product of matrices does
          std::any_of(of_line.begin(), of_line.end(),
                      [](const std::string& rule) { return rule.starts_with("of a product A·B"); });
      if (!sums_by_itself) add_rule(rules, collects(value(source), value(made)));
    }
  if (where.empty()) return "";
  if (uses > 1) add_rule(rules, in_more_than_one_way);
  std::string reason = join(asked.substr(1), " stands in ", where);
  for (const std::string& rule : rules) reason += "; " + rule;
  return reason;
}

}  // namespace

std::vector<Answer> answers_of(const Derivation& d) {
  std::vector<Answer> answers;
  for (const Asked& asked : d.asked) {
    const std::optional<Equation>& ours = asked.our_line();
    if (!ours) continue;
    const bool of_gradient = asked.question.empty() && asked.hint.empty();
    answers.push_back(
        {asked.name, *ours, of_gradient ? reason_of_gradient(d, asked.name) : asked.hint});
    if (ours->sides[0].kind == Kind::name) answers.back().line.relations[0] = "=";
  }
  return answers;
}

}  // namespace formula
