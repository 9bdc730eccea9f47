// From text to trees: signs, then what they make together.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <optional>

#include "common/formula/formula.hpp"
#include "common/text/markdown.hpp"
#include "common/text/words.hpp"

namespace formula {
namespace {

enum class Type { number, name, sign, end };
struct Token {
  Type type = Type::end;
  std::string text = {}, subscript = {};
  bool space = false;  // before it
  std::size_t at = 0;

  bool is(std::string_view sign_or_word) const { return text == sign_or_word; }
};

// What is written in several ways, and how it is called here.
struct Spelling {
  std::string_view written, called;
};
constexpr Spelling signs[] = {
    {".*", "⊙"}, {"∘", "⊙"}, {"<=", "≤"}, {">=", "≥"}, {"+=", "+="}, {"<-", "←"}, {"*", "·"},
    {"×", "·"},  {"@", "·"}, {"−", "-"},  {"·", "·"},  {"⊙", "⊙"},   {"+", "+"},  {"-", "-"},
    {"/", "/"},  {"^", "^"}, {"(", "("},  {")", ")"},  {"[", "["},   {"]", "]"},  {",", ","},
    {";", ";"},  {"|", "|"}, {"=", "="},  {"←", "←"},  {"≤", "≤"},   {"≥", "≥"},  {"<", "<"},
    {">", ">"},  {"≈", "≈"}, {"√", "√"},  {"Σ", "Σ"},  {"'", "ᵀ"},   {"ᵀ", "ᵀ"}};
constexpr Spelling raised[] = {{"⁰", "0"}, {"¹", "1"}, {"²", "2"}, {"³", "3"}, {"⁴", "4"},
                               {"⁵", "5"}, {"⁶", "6"}, {"⁷", "7"}, {"⁸", "8"}, {"⁹", "9"},
                               {"⁻", "-"}, {"ⁿ", "n"}, {"ᵗ", "t"}, {"ᴸ", "L"}};
constexpr Spelling lowered[] = {{"₀", "0"}, {"₁", "1"}, {"₂", "2"}, {"₃", "3"}, {"₄", "4"},
                                {"₅", "5"}, {"₆", "6"}, {"₇", "7"}, {"₈", "8"}, {"₉", "9"}};
constexpr Spelling parts_of_one[] = {{"½", "0.5"}, {"¼", "0.25"}, {"¾", "0.75"}};
constexpr std::string_view relations[] = {"=", "←", "+=", "≤", "≥", "<", ">", "≈"};
constexpr Spelling related[] = {
    {"=", "="}, {"←", "←"}, {"≤", "≤"}, {"≥", "≥"}, {"≈", "≈"}};  // between the sides of a formula
constexpr std::string_view before_operands[] = {"exp", "ln",  "tanh",   "sinh",
                                                "sin", "cos", "softmax"};

template <class List>
const Spelling* spelling(const List& list, std::string_view text) {
  const auto found = std::find_if(std::begin(list), std::end(list),
                                  [&](const Spelling& s) { return text.starts_with(s.written); });
  return found == std::end(list) ? nullptr : &*found;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }

class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {
    if (text.size() > 1000) throw Error("the line is too long");
    for (bool space = false; at_ < text_.size(); space = false) {
      for (; rest().starts_with(' '); ++at_) space = true;
      if (at_ == text_.size()) break;
      all_.push_back({.space = space, .at = at_});
      read(all_.back());
    }
    all_.push_back({.space = true, .at = text.size()});
  }
  const std::vector<Token>& all() const { return all_; }

 private:
  std::string_view rest() const { return text_.substr(at_); }
  char here(std::size_t k = 0) const { return at_ + k < text_.size() ? text_[at_ + k] : '\0'; }

  // Takes a Greek letter but Σ; returns its bytes, none where there is none.
  std::string greek() {
    const utf8::Character c = utf8::first(rest());
    if (c.code < 0x391 || c.code > 0x3C9 || c.code == 0x3A3) return "";
    at_ += c.bytes;
    return std::string(text_.substr(at_ - c.bytes, c.bytes));
  }

  template <class Accept>
  std::string run(Accept accept) {
    const std::size_t from = at_;
    while (at_ < text_.size() && accept(text_[at_])) ++at_;
    return std::string(text_.substr(from, at_ - from));
  }

  template <class List>
  std::string spelled(const List& list) {
    std::string all;
    while (const Spelling* s = spelling(list, rest())) {
      all += s->called;
      at_ += s->written.size();
    }
    return all;
  }

  void read(Token& token) {
    if (is_digit(here()) || (here() == '.' && is_digit(here(1)))) return number(token);
    if (const Spelling* s = spelling(parts_of_one, rest())) {
      token.type = Type::number;
      token.text = s->called;
      at_ += s->written.size();
      return;
    }
    if (is_letter(here())) token.text = run(is_letter_or_digit);
    if (token.text.empty() || token.text == "d") token.text += greek();
    if (!token.text.empty()) {
      token.type = Type::name;
      const std::size_t before = at_;
      token.subscript = subscript();
      if (token.subscript.empty() && at_ > before) token.text += "_";  // a name such as x_
      for (; here() == '\'' || here() == '~'; ++at_) token.text += here();
      return;
    }
    token.type = Type::sign;
    if (const std::string up = spelled(raised); !up.empty()) {
      token.text = "^";
      token.subscript = up;
    } else if (const Spelling* s = spelling(signs, rest())) {
      token.text = s->called;
      at_ += s->written.size();
      if (token.text == "Σ") token.subscript = subscript();
    } else {
      const std::size_t bytes = std::max<std::size_t>(utf8::first(rest()).bytes, 1);
      throw Error("'" + printable(rest().substr(0, bytes)) + "' is no sign of this notation");
    }
  }

  void number(Token& token) {
    token.type = Type::number;
    const std::size_t from = at_;
    run(is_digit);
    if (here() == '.' && is_digit(here(1))) {
      ++at_;
      run(is_digit);
    }
    const bool sign = here(1) == '-' || here(1) == '+';
    if (here() == 'e' && is_digit(here(1 + sign))) {
      at_ += 1 + sign;
      run(is_digit);
    }
    token.text = text_.substr(from, at_ - from);
    if (!decimal_number(token.text)) throw Error(token.text + " is too large");
  }

  // Takes what stands below: _1, ₁, _l, _ij, _(l-1).
  std::string subscript() {
    if (const std::string low = spelled(lowered); !low.empty()) return low;
    if (here() != '_') return "";
    ++at_;
    if (here() != '(') {
      const std::string letters = run(is_letter_or_digit);
      return letters.empty() ? greek() : letters;
    }
    const std::size_t close = std::min(rest().find(')'), rest().size());
    const std::string inner(rest().substr(0, close));
    at_ += std::min(close + 1, rest().size());
    return inner;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Token> all_;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text), tokens_(text) {}

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
  const Token& now() const { return tokens_.all()[at_]; }
  const Token& take() { return tokens_.all()[at_++]; }
  static bool is_relation(const Token& t) {
    return t.type == Type::sign &&
           std::find(std::begin(relations), std::end(relations), t.text) != std::end(relations);
  }
  std::string unexpected() const {
    return now().type == Type::end ? "something is missing at the end"
                                   : "'" + now().text + "' does not fit here";
  }
  // Throws an Error that says what is wrong, and behind what.
  [[noreturn]] void fail(const std::string& what) const {
    const std::string before = printable(text_.substr(0, now().at));
    const std::size_t end = before.find_last_not_of(' ') + 1, from = end > 20 ? end - 20 : 0;
    throw Error(what +
                (end == 0 ? "" : ", behind '" + printable(before.substr(from, end - from)) + "'"));
  }
  void finish() const {
    if (now().type != Type::end) fail(unexpected());
  }
  void need(std::string_view sign) {
    if (!now().is(sign))
      fail("'" + std::string(sign) + "' is missing" +
           (now().type == Type::end ? " at the end" : " before '" + now().text + "'"));
    take();
  }
  bool taken(std::string_view sign) {
    if (!now().is(sign)) return false;
    take();
    return true;
  }

  template <class F>
  auto outside_matrix(F f) {
    const bool before = std::exchange(in_matrix_, false);
    auto result = f();
    in_matrix_ = before;
    return result;
  }

  // An expression, or one of two by a condition.
  Node side() {
    Node value = sum();
    if (!taken("if")) return value;
    Node left = sum();
    if (!is_relation(now())) fail("a relation such as > is missing");
    const std::string relation = take().text;
    Node right = sum();
    taken(",");
    if (!taken("else")) fail("'else' is missing");
    return Node{Kind::choice, relation, {value, left, right, sum()}};
  }

  // In a matrix a sign that leans on what follows, as in [2 -1], begins an entry.
  bool begins_entry() const { return in_matrix_ && now().space && !tokens_.all()[at_ + 1].space; }

  Node sum() {
    if (++depth_ > 60) fail("too many brackets within brackets");
    Node all = term();
    while ((now().is("+") || now().is("-")) && !begins_entry()) {
      const std::string sign = take().text;
      all = Node{Kind::binary, sign, {all, term()}};
    }
    --depth_;
    return all;
  }

  Node term() {
    Node all = factor();
    while (now().is("·") || now().is("⊙") || now().is("/")) {
      const std::string sign = take().text;
      all = Node{Kind::binary, sign, {all, factor()}};
    }
    return all;
  }

  Node factor() {
    if (++depth_ > 60) fail("too many signs before a factor");
    Node result;
    if (taken("-")) {
      result = Node{Kind::unary, "-", {factor()}};
    } else if (now().is("Σ")) {
      result = sum_over();
    } else if (const std::string fold = word_of_fold(); !fold.empty()) {
      result = Node{Kind::fold, fold, {term()}};
    } else {
      result = power();
      while (begins_operand() || now().is("Σ"))
        result = Node{Kind::binary, "", {result, now().is("Σ") ? sum_over() : power()}};
    }
    --depth_;
    return result;
  }

  // Takes "row sums of" and its like.
  std::string word_of_fold() {
    const std::size_t from = at_;
    const std::string first = now().text;
    const bool mean = taken("mean"), sums = !mean && (taken("row") || taken("column"));
    if (sums) taken("sums");
    if ((mean || sums) && taken("of")) return first + (sums ? " sums of" : " of");
    at_ = from;
    return "";
  }

  // Tells whether a factor follows without a sign between.
  bool begins_operand() const {
    const Token& t = now();
    if (in_matrix_ && t.space) return false;
    if (t.type == Type::name) return t.text != "if" && t.text != "else" && t.text != "of";
    return t.type == Type::number || t.is("(") || t.is("√");
  }

  Node sum_over() {
    const Token sign = take();
    std::string indices = sign.subscript;
    std::vector<Node> condition;
    if (indices.starts_with('(')) {
      const std::string inner = indices.substr(1);
      const std::size_t letters = std::min(inner.find_first_of(" <>"), inner.size());
      indices = inner.substr(0, letters);
      std::erase(indices, ',');
      if (inner.find_first_not_of(" ", letters) != inner.npos) {
        const Equation is = Reader(inner).whole_equation();
        indices += " " + is.relations[0];
        condition = {is.sides[0], is.sides[1]};
      }
    }
    condition.insert(condition.begin(), term());
    return Node{Kind::fold, "Σ", condition, indices};
  }

  Node power() {
    Node base = atom();
    for (;;) {
      const std::string to_power = now().is("^") ? now().subscript : "";
      if (taken("ᵀ")) {
        base = Node{Kind::unary, "ᵀ", {base}};
      } else if (!taken("^")) {
        return base;
      } else if (to_power.empty() && taken("T")) {
        base = Node{Kind::unary, "ᵀ", {base}};
      } else {
        const Node exponent = !to_power.empty() ? Reader(to_power).whole_expression()
                              : taken("-")      ? Node{Kind::unary, "-", {atom()}}
                                                : atom();
        base = {Kind::binary, "^", {base, exponent}};
      }
    }
  }

  Node atom() {
    if (now().type == Type::number) return Node{Kind::number, take().text};
    if (now().type == Type::name) return named();
    if (taken("√")) return Node{Kind::unary, "√", {power()}};
    if (taken("|")) {
      Node of{Kind::unary, "|", {outside_matrix([&] { return sum(); })}};
      need("|");
      return of;
    }
    if (taken("(")) {
      std::vector<Node> parts = outside_matrix([&] { return list(")"); });
      if (parts.size() == 1)
        return now().is("[") && !now().space ? entry_of(std::move(parts[0])) : parts[0];
      return Node{Kind::matrix, "(", {Node{Kind::matrix, "", std::move(parts)}}};
    }
    if (taken("[")) return matrix();
    fail(unexpected());
  }

  // Takes expressions with commas between them, up to the sign that closes.
  std::vector<Node> list(std::string_view closing) {
    std::vector<Node> parts;
    while (!now().is(closing)) {
      parts.push_back(sum());
      if (!taken(",")) break;
    }
    if (parts.empty()) fail("nothing stands before '" + std::string(closing) + "'");
    need(closing);
    return parts;
  }

  Node matrix() {
    const bool before = std::exchange(in_matrix_, true);
    std::vector<Node> rows(1, Node{Kind::matrix});
    while (!now().is("]")) {
      if (taken(";")) rows.push_back({Kind::matrix});
      else rows.back().parts.push_back(sum());
    }
    take();
    in_matrix_ = before;
    for (const Node& row : rows)
      if (row.parts.empty() || row.parts.size() != rows[0].parts.size())
        fail("the rows of a matrix differ in length");
    return Node{Kind::matrix, "", std::move(rows)};
  }

  Node entry_of(Node array) {
    take();
    std::vector<Node> parts = outside_matrix([&] { return list("]"); });
    parts.insert(parts.begin(), std::move(array));
    return Node{Kind::entry, "", std::move(parts)};
  }

  Node named() {
    const Token name = take();
    const auto prefix = std::find(std::begin(before_operands), std::end(before_operands),
                                  name.text) != std::end(before_operands);
    if (prefix && !(now().is("(") && !now().space)) {
      std::optional<Node> exponent;
      if (now().is("^") && !now().subscript.empty())
        exponent = Reader(take().subscript).whole_expression();
      Node of = now().is("-") ? factor() : power();
      while (begins_operand()) of = Node{Kind::binary, "", {of, power()}};
      Node call{Kind::call, name.text, {of}};
      return exponent ? Node{Kind::binary, "^", {call, *exponent}} : call;
    }
    const bool attached = !now().space;
    std::string text = name.text;
    std::vector<Node> below;
    const std::string& sub = name.subscript;
    const bool letters = sub.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == sub.npos;
    if (letters && sub.size() == 2) {  // A_ij is A[i,j]
      const Node i{Kind::name, sub.substr(0, 1)}, j{Kind::name, sub.substr(1)};
      return Node{Kind::entry, "", {{Kind::name, text}, i, j}};
    }
    if (!sub.empty() && (sub[0] == '(' || (letters && sub.size() == 1)))
      below.push_back(Reader(sub.substr(sub[0] == '(')).whole_expression());
    else if (!sub.empty()) text.insert(text.find_last_not_of("'~") + 1, "_" + sub);
    if (attached && taken("("))
      return Node{Kind::call, text, outside_matrix([&] { return list(")"); })};
    Node array{Kind::name, text, std::move(below)};
    return attached && now().is("[") ? entry_of(std::move(array)) : array;
  }

  std::string_view text_;
  Tokens tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool in_matrix_ = false;
};

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
  Line found;
  found.number = number_at_end(text);
  found.back = !found.number.empty() && text.ends_with("back");
  if (!found.number.empty()) text = text.substr(0, text.rfind('('));
  std::vector<std::string> columns;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find("  ", at), text.size());
    std::string column(text.substr(at, end - at));
    at = std::min(text.find_first_not_of(' ', end), text.size());
    column.erase(column.find_last_not_of(" ,") + 1);
    const bool goes_on = spelling(related, column) && !columns.empty();
    if (goes_on) columns.back() += " " + column;
    else if (!column.empty()) columns.push_back(column);
  }
  for (const std::string& column : columns) {
    std::size_t at = column.npos;
    for (const Spelling& r : related) at = std::min(at, column.find(r.written));
    // What begins with names and goes on with ≤ or ≥ limits indices, as in "j, l ≤ i".
    const bool limits = at != column.npos && column.find("≈") == column.npos &&
                        column.find('=') == column.npos && column.find("←") == column.npos &&
                        std::all_of(column.begin(), column.begin() + std::ptrdiff_t(at),
                                    [](char c) { return is_letter(c) || c == ',' || c == ' '; });
    if (at != column.npos && !limits) found.equations.push_back(equation(column));
    else found.notes.push_back(column);
  }
  return found;
}

}  // namespace formula
