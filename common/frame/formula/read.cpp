// From text to trees: what tokens make together.
// SPDX-License-Identifier: MIT
#include <optional>

#include "common/frame/formula/lexer.hpp"
#include "common/frame/text/markdown.hpp"

namespace formula {
namespace {

constexpr std::string_view relations[] = {"=", "←", "+=", "≤", "≥", "<", ">", "≈"};
constexpr std::string_view between_sides = "=←≤≥≈";
constexpr std::string_view before_operands[] = {"exp", "ln",  "log",     "tanh", "sinh",
                                                "sin", "cos", "softmax", "cosh"};

// Reads by descent: what binds less calls what binds more.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text), tokens_(Lexer(text).tokens()) {}

  Equation whole_equation() {
    Equation all{{side()}, {}, std::string(text_)};
    while (is_relation(now())) {
      all.relations.push_back(take().text);
      all.sides.push_back(side());
    }
    if (all.relations.empty()) fail(now().type == Type::end ? "no = in it" : unexpected());
    finish();
    return all;
  }

  Node whole_expression() {
    Node node = side();
    finish();
    return node;
  }

 private:
  const Token& now() const { return tokens_[at_]; }
  const Token& take() {
    ++at_;
    return tokens_[at_ - 1];
  }
  static bool is_relation(const Token& t) {
    return t.type == Type::sign && contains(relations, t.text);
  }
  std::string unexpected() const {
    return now().type == Type::end ? "something is missing at the end"
                                   : join("'", now().text, "' does not fit here");
  }

  [[noreturn]] void fail(const std::string& what) const {
    const std::string before = printable(text_.substr(0, now().at));
    const std::size_t end = before.find_last_not_of(' ') + 1;
    const std::size_t from = end > 20 ? end - 20 : 0;
    const std::string behind = printable(before.substr(from, end - from));
    throw Error(what, end == 0 ? "" : join(", behind '", behind, "'"));
  }
  void finish() const {
    if (now().type != Type::end) fail(unexpected());
  }
  void expect(std::string_view sign) {
    if (accept(sign)) return;
    const bool ends = now().type == Type::end;
    fail(
        join("'", sign, "' is missing", ends ? " at the end" : join(" before '", now().text, "'")));
  }

  bool accept(std::string_view sign) {
    const bool comes = now().is(sign);
    if (comes) take();
    return comes;
  }
  void go_deeper(const char* too_deep) {
    ++depth_;
    if (depth_ > 60) fail(too_deep);
  }

  // An expression, or one of two by a condition.
  Node side() {
    Node value = sum();
    if (!accept("if")) return value;
    Node left = sum();
    if (!is_relation(now())) fail("a relation such as > is missing");
    const std::string relation = take().text;
    Node right = sum();
    accept(",");
    if (!accept("else")) fail("'else' is missing");
    return Node{Kind::choice, relation, {value, left, right, sum()}};
  }

  // In a matrix a sign that leans on what follows, as in [2 -1], begins an entry.
  bool begins_entry() const { return in_matrix_ && now().space && !tokens_[at_ + 1].space; }

  Node sum() {
    go_deeper("too many brackets within brackets");
    Node all = term();
    while ((now().is("+") || now().is("-")) && !begins_entry()) {
      const std::string sign = take().text;
      all = Node::binary(all, sign, term());
    }
    --depth_;
    return all;
  }

  Node term() {
    Node all = factor();
    while (now().is("·") || now().is("⊙") || now().is("/")) {
      const std::string sign = take().text;
      all = Node::binary(all, sign, factor());
    }
    return all;
  }

  Node factor() {
    go_deeper("too many signs before a factor");
    Node result;
    if (accept("-")) result = Node::unary("-", factor());
    else if (now().is("Σ")) result = sum_over();
    else if (const std::string fold = word_of_fold(); !fold.empty())
      result = Node{Kind::fold, fold, {term()}};
    else result = beside();
    --depth_;
    return result;
  }

  // Factors without a sign between.
  Node beside() {
    Node all = power();
    while (begins_operand() || now().is("Σ"))
      all = Node::binary(all, "", now().is("Σ") ? sum_over() : power());
    return all;
  }

  std::string word_of_fold() {
    const std::size_t from = at_;
    const std::string first = now().text;
    if (accept("mean") && accept("of")) return "mean of";
    if (first != "mean" && (accept("row") || accept("column"))) {
      const bool means = accept("means");
      if (!means) accept("sums");
      if (accept("of")) return first + (means ? " means of" : " sums of");
    }
    at_ = from;
    return "";
  }

  bool begins_operand() const {
    const Token& t = now();
    if (in_matrix_ && t.space) return false;
    if (t.type == Type::name) return !t.is("if") && !t.is("else") && !t.is("of");
    return t.type == Type::number || t.is("(") || t.is("√") || begins_indicator();
  }

  // Tells whether a bracket holds a relation, as in [a = b] or (a = b).
  bool begins_indicator() const {
    int depth = 0;
    for (std::size_t k = at_; tokens_[k].type != Type::end; ++k) {
      depth += tokens_[k].is("[") || tokens_[k].is("(");
      depth -= tokens_[k].is("]") || tokens_[k].is(")");
      if (depth == 0 || tokens_[k].is("if")) return false;
      if (depth == 1 && is_relation(tokens_[k])) return true;
    }
    return false;
  }

  // Iverson's bracket: 1 where its relation holds, else 0.
  Node indicator() {
    const bool before = std::exchange(in_matrix_, false);
    const bool square = take().is("[");
    Node left = sum();
    const std::string relation = take().text;
    Node right = sum();
    expect(square ? "]" : ")");
    in_matrix_ = before;
    return {Kind::choice,
            relation,
            {{Kind::number, "1"}, std::move(left), std::move(right), {Kind::number, "0"}}};
  }

  Node sum_over() {
    Node fold{Kind::fold, "Σ", {}, take().subscript};
    if (fold.indices.starts_with('(')) {
      const std::string inner = fold.indices.substr(1);
      const std::size_t colon = inner.find(':');  // as in Σ_(i,k: a[i,k] = v)
      std::size_t letters = inner.size();
      for (const char* end : {" ", "<", ">", ":", "≤", "≥", "="})
        letters = std::min(letters, inner.find(end));
      fold.indices = inner.substr(0, letters);
      std::erase(fold.indices, ',');
      if (inner.find_first_not_of(" ", letters) != inner.npos) {
        const std::string limit = colon == inner.npos ? inner : inner.substr(colon + 1);
        const Equation condition = Reader(limit).whole_equation();
        if (condition.relations.size() > 1) fail("one relation limits a sum");
        fold.indices += " " + condition.relations[0];
        fold.parts = {condition.sides[0], condition.sides[1]};
      }
    }
    fold.parts.insert(fold.parts.begin(), term());
    return fold;
  }

  Node power() {
    Node base = atom();
    while (now().is("ᵀ") || now().is("^") || now().is(".")) {
      const Token sign = take();
      if (sign.is(".")) base = method_of(std::move(base));
      else if (sign.is("ᵀ") || (sign.subscript.empty() && accept("T"))) base = turned(base);
      else base = Node::binary(base, "^", exponent(sign.subscript));
    }
    return base;
  }

  Node turned(const Node& base) {
    Node turn = Node::unary("ᵀ", base);
    return now().is("[") && !now().space ? entry_of(std::move(turn)) : turn;
  }

  // A.f(x) is f(A, x), and A.f() is f(A).
  Node method_of(Node base) {
    if (now().type != Type::name) fail("a name is missing");
    Node call{Kind::call, take().text, {std::move(base)}};
    expect("(");
    if (accept(")")) return call;
    for (Node& part : list(")")) call.parts.push_back(std::move(part));
    return call;
  }

  // The exponent is above, as in x², or follows ^.
  Node exponent(const std::string& above) {
    if (!above.empty()) return Reader(above).whole_expression();
    return accept("-") ? Node::unary("-", atom()) : atom();
  }

  Node atom() {
    if (now().type == Type::number) return Node{Kind::number, take().text};
    if (now().type == Type::name) return named();
    if (accept("√")) return Node::unary("√", power());
    if (accept("|")) return size();
    if (begins_indicator()) return indicator();
    if (accept("(")) {
      std::vector<Node> parts = list(")");
      if (parts.size() > 1)
        return Node{Kind::matrix, "(", {Node{Kind::matrix, "", std::move(parts)}}};
      return now().is("[") && !now().space ? entry_of(std::move(parts[0])) : parts[0];
    }
    if (accept("[")) return matrix();
    fail(unexpected());
  }

  Node size() {
    const bool before = std::exchange(in_matrix_, false);
    Node of = Node::unary("|", sum());
    in_matrix_ = before;
    expect("|");
    return of;
  }

  std::vector<Node> list(std::string_view closing) {
    const bool before = std::exchange(in_matrix_, false);
    std::vector<Node> parts;
    while (!now().is(closing)) {
      parts.push_back(side());
      if (!accept(",")) break;
    }
    if (parts.empty()) fail(join("nothing stands before '", closing, "'"));
    expect(closing);
    in_matrix_ = before;
    return parts;
  }

  Node matrix() {
    const bool before = std::exchange(in_matrix_, true);
    std::vector<Node> rows(1, Node{Kind::matrix});
    while (!accept("]")) {
      if (accept(";")) rows.push_back({Kind::matrix});
      else rows.back().parts.push_back(sum());
      accept(",");
    }
    in_matrix_ = before;
    for (const Node& row : rows)
      if (row.parts.empty() || row.parts.size() != rows[0].parts.size())
        fail("the rows of a matrix differ in length");
    return Node{Kind::matrix, "", std::move(rows)};
  }

  Node entry_of(Node array) {
    take();
    std::vector<Node> parts = list("]");
    parts.insert(parts.begin(), std::move(array));
    return Node{Kind::entry, "", std::move(parts)};
  }

  Node named() {
    const Token name = take();
    const bool attached = !now().space;
    if (contains(before_operands, name.text) && !(attached && now().is("(")))
      return applied(name.text);
    const std::string& below = name.subscript;
    const bool letters = below.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == below.npos;
    Node array = Node::name(name.text);
    const bool is_call = attached && now().is("(");
    if (letters && below.size() == 2 && !is_call)  // A_ij is A[i,j]
      return {
          Kind::entry, "", {array, Node::name(below.substr(0, 1)), Node::name(below.substr(1))}};
    const bool bracket = below.starts_with('(');
    if (bracket || (letters && below.size() == 1))
      array.parts = {Reader(below.substr(bracket)).whole_expression()};
    else if (!below.empty()) array.text.insert(array.text.find_last_not_of("'~") + 1, "_" + below);
    if (attached && accept("(")) return Node{Kind::call, array.text, list(")")};
    return attached && now().is("[") ? entry_of(std::move(array)) : array;
  }

  // A function before an operand without brackets, as in tanh² x.
  Node applied(const std::string& function) {
    std::optional<Node> power_of_it;
    if (now().is("^")) power_of_it = exponent(take().subscript);
    Node of = now().is("-") ? factor() : power();
    while (begins_operand()) of = Node::binary(of, "", power());
    const Node call{Kind::call, function, {of}};
    return power_of_it ? Node::binary(call, "^", *power_of_it) : call;
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool in_matrix_ = false;
};

// Returns columns, two spaces apart; one that begins with a relation continues the last.
std::vector<std::string> columns_in(std::string_view text) {
  std::vector<std::string> columns;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find("  ", at), text.size());
    std::string column(text.substr(at, end - at));
    at = std::min(text.find_first_not_of(' ', end), text.size());
    column.erase(column.find_last_not_of(" ,") + 1);
    const bool goes_on = between_sides.find(first_character(column)) != text.npos;
    if (goes_on && !columns.empty() && !column.empty()) columns.back() += " " + column;
    else if (!column.empty()) columns.push_back(column);
  }
  return columns;
}

// Tells whether a column has a relation; but ≤ or ≥ behind names alone, as in "j, l ≤ i",
// limits indices.
bool is_formula(const std::string& column) {
  const auto has = [&](const char* relation) { return column.find(relation) != column.npos; };
  if (has("=") || has("←") || has("≈")) return true;
  const std::size_t at = std::min(column.find("≤"), column.find("≥"));
  const auto of_names = [](char c) { return is_letter(c) || c == ',' || c == ' '; };
  return at != column.npos &&
         !std::all_of(column.begin(), column.begin() + std::ptrdiff_t(at), of_names);
}

}  // namespace

Node expression(std::string_view text) { return Reader(text).whole_expression(); }

Equation equation(std::string_view text) { return Reader(text).whole_equation(); }

std::string number_at_end(std::string_view text) {
  text = text.substr(0, text.find_last_not_of(' ') + 1);
  if (text.ends_with(") back")) text.remove_suffix(5);
  const std::size_t bracket = std::min(text.rfind('('), text.size());
  const std::string number = markdown::reference(text.substr(bracket));
  return bracket + number.size() + 2 == text.size() ? number : "";
}

std::set<std::string> names_in(const Equation& equation) {
  std::set<std::string> names;
  for (const Node& side : equation.sides)
    visit(side, [&](const Node& node) {
      if (node.kind == Kind::name || node.kind == Kind::call) names.insert(node.text);
    });
  return names;
}

std::string name_on_left(const Equation& equation) {
  const Node& left = equation.sides[0];
  return text_of(left.kind == Kind::entry ? left.parts[0] : left);
}

std::vector<std::string> letters_of(const Node& fold) {
  std::vector<std::string> all;
  for (const char c : fold.indices.substr(0, fold.indices.find(' ')))
    if (utf8::continues(c) && !all.empty()) all.back() += c;
    else all.emplace_back(1, c);
  return all;
}

Line line(std::string_view text) {
  Line result;
  result.number = number_at_end(text);
  result.back = !result.number.empty() && text.ends_with("back");
  if (!result.number.empty()) text = text.substr(0, text.rfind('('));
  for (const std::string& column : columns_in(text))
    if (is_formula(column)) result.equations.push_back(equation(column));
    else result.notes.push_back(column);
  return result;
}

}  // namespace formula
