// Reads the lines that readers type, and shows how they are understood.
// SPDX-License-Identifier: MIT
#include "common/derive/judge.hpp"

namespace formula {
namespace {

std::set<std::string> names_asked(const Derivation& d) {
  std::set<std::string> names;
  for (const Asked& one : d.asked) names.insert(one.name);
  return names;
}

// Returns the line, and, where words stand behind two blanks, what comes before them.
std::vector<std::string> readings(std::string line) {
  std::vector<std::string> all{line};
  std::replace(line.begin(), line.end(), '\t', ' ');
  for (std::size_t gap = line.rfind("  "); gap != line.npos && gap > 0;
       gap = line.rfind("  ", gap - 1)) {
    const std::size_t next = std::min(line.find_first_not_of(' ', gap), line.size() - 1);
    const bool words = is_ascii_letter(line[next]) || line[next] == '(' || line[next] == '#';
    if (words && line.find_first_not_of(' ') < gap) all.push_back(line.substr(0, gap));
  }
  return all;
}

// Returns where the right side begins; 0 without a left side.
std::size_t right_side(const std::string& line) {
  std::size_t end = 0;
  for (const char* relation : {"+=", "=", "←", "<-"})
    if (const std::size_t at = line.find(relation); at != line.npos && end == 0)
      end = at + std::string(relation).size();
  return end;
}

// In place of l stands l + 1: what is asked for at l - 1.
Node a_layer_later(Node node, bool below = false) {
  if (below && node == Node::name("l")) return Node::binary(node, "+", {Kind::number, "1"});
  for (Node& part : node.parts)
    part = a_layer_later(std::move(part), below || node.kind == Kind::name);
  return node;
}

// Returns all values, and in place of each gradient its value, whose shape it has.
Scope with_gradients(const Derivation& d) {
  Scope scope = d.gradients().values();
  for (const auto& [name, value] : d.gradients().values().values)
    scope.values.emplace("d" + name, value);
  return scope;
}

bool is_row(const Asked& asked) {
  const std::optional<Equation> ours = asked.one ? asked.one : asked.our_line();
  return ours && ours->sides.back().kind == Kind::matrix;
}

// Writes 0,5 as 0.5 where it is one number: not in brackets of an index, and not where a function
// takes two, as C(4,3) does.
std::string with_decimal_points(std::string line) {
  int indices = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    indices += line[at] == '[';
    indices -= line[at] == ']';
    const auto digit = [&](std::size_t k) {
      return k < line.size() && '0' <= line[k] && line[k] <= '9';
    };
    if (line[at] != ',' || indices > 0 || at == 0 || !digit(at - 1) || !digit(at + 1)) continue;
    std::size_t first = at, last = at + 1;
    while (first > 0 && digit(first - 1)) --first;
    while (digit(last)) ++last;
    const bool alone = first > 1 && line[first - 1] == '(' && line[last] == ')';
    const char before = alone ? line[first - 2] : ' ';
    if (before == '(' || std::isalnum(static_cast<unsigned char>(before))) continue;
    line[at] = '.';
  }
  return line;
}

Equation read_once(const Derivation& d, const Asked& asked, const std::string& line) {
  const std::string given = respelt(is_row(asked) ? line : with_decimal_points(line)),
                    right = given.substr(right_side(given));
  const bool bare = right.find_first_of("([") == right.npos;
  if (is_row(asked) && bare && right.find(',') != right.npos)  // 2, -2
    return {{Node::name(asked.name), expression("(" + right + ")")}, {"="}, line};
  if (const auto number = number_by_hand(right); number && !is_row(asked))  // 25 %, 10 000
    return {{Node::name(asked.name), {Kind::number, significant(*number, 17)}}, {"="}, line};
  const std::set<std::string> names = names_asked(d);
  const Scope scope = with_gradients(d);
  Equation e{{Node::name(asked.name), {}}, {"="}, given};
  if (right.size() == given.size()) e.sides[1] = expression(given);
  else e = equation(given);
  for (Node& side : e.sides) side = as_meant(std::move(side), scope, names);
  if (e.sides.size() == 3 && name_on_left(e) == asked.name)  // T = T[i,j] = ...
    e = {{e.sides[1], e.sides[2]}, {e.relations[1]}, given};
  if (e.sides.size() != 2) throw Error("one = is enough");
  Node& left = e.sides[0];
  if (left.kind == Kind::name && left.text + "_l" == asked.name && left.parts.size() == 1) {
    if (text_of(left.parts[0]) == "l - 1") e.sides[1] = a_layer_later(e.sides[1]);
    if (text_of(left.parts[0]) == "l - 1" || text_of(left.parts[0]) == "l")
      left = expression(asked.name);
  }
  if (name_on_left(e) != asked.name) throw Error("what is asked for is ", asked.name);
  return e;
}

// Puts shapes below the names, entries and calls that have a value.
Node with_shapes(Node node, const Scope& scope) {
  const auto note = [&](Node& part, const Node& of, const char* behind) {
    try {
      const Value value = scope(of);
      if (value.is_number() && of.kind != Kind::entry) return;
      std::string shape;
      for (const std::size_t n : value.shape)
        shape += (shape.empty() ? "" : "×") + std::to_string(n);
      part.indices = shape + behind;
    } catch (const Error&) {  // an index
    }
  };
  if (node.kind == Kind::name) note(node, Node(node), "");
  else if (node.kind == Kind::unary && node.text == "ᵀ" && node.parts[0].kind == Kind::name)
    note(node, node.parts[0], "ᵀ");
  else if (node.kind != Kind::entry)
    for (Node& part : node.parts) part = with_shapes(std::move(part), scope);
  return node;
}

}  // namespace

Equation read_typed(const Derivation& d, const Asked& asked, const std::string& line) {
  std::string problem;
  for (const std::string& reading : readings(line)) {
    try {
      return read_once(d, asked, reading);
    } catch (const Error& error) {
      if (problem.empty()) problem = error.what();
    }
  }
  throw Error(problem);
}

Echo echo(const Derivation& d, const Asked& asked, const std::string& line) {
  Echo result;
  try {
    Equation e = read_typed(d, asked, line);
    Scope scope = with_gradients(d);
    for (const Asked& earlier : d.asked) {
      if (earlier.name == asked.name) break;
      if (earlier.one) scope.assign(*earlier.one);
    }
    if (asked.name.ends_with("_l")) scope.indices["l"] = asked.from;
    const Node right = e.sides.back();
    e.sides.back() = with_shapes(right, scope);
    result.math = mathml(e);
    if (e.sides[0].kind == Kind::entry) return result;
    const Value value = scope(right);
    if (!value.is_number()) result.math = mathml(e, to_text(value.shape));
  } catch (const Error& error) {
    result.problem = one_line(error.what());
  }
  return result;
}

const Asked* named_in(const Derivation& d, const std::string& line) {
  const std::size_t cut =
      std::min({line.find("="), line.find("+="), line.find("←"), line.find("<-"), line.find(":=")});
  if (cut == line.npos) return nullptr;
  try {
    const Node left =
        as_meant(expression(respelt(line.substr(0, cut))), with_gradients(d), names_asked(d));
    const Node& name = left.kind == Kind::entry ? left.parts[0] : left;
    if (const Asked* one = d.find(text_of(name))) return one;
    return d.find(name.text + "_l");
  } catch (const Error&) {
    return nullptr;
  }
}

}  // namespace formula
