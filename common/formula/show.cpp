// From trees to what is shown: plain text, and MathML.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "common/formula/formula.hpp"
#include "common/text/words.hpp"

namespace formula {
namespace {

// How strongly a sign binds: what binds less, inside what binds more, needs brackets.
int strength(const Node& node) {
  if (node.kind == Kind::choice) return 0;
  if (node.kind == Kind::fold) return 2;
  if (node.kind == Kind::unary) return node.text == "-" ? 3 : node.text == "|" ? 6 : 5;
  if (node.kind != Kind::binary) return 6;
  return node.text == "+" || node.text == "-" ? 1
         : node.text == "^"                   ? 5
         : node.text.empty()                  ? 4
                                              : 2;
}

// What the left side of a sign needs. Signs are read from left to right, but nobody sees that in
// A·B ⊙ C.
int needed_left(const Node& node) {
  if (node.text == "^") return 6;
  const std::string& left = node.parts[0].text;
  const bool mixed = (node.text == "⊙" && left == "·") || (node.text == "·" && left == "⊙");
  return strength(node) + mixed;
}

std::string digits_of(const Node& number) {
  return number.text == "0.5" ? "½" : number.text == "0.25" ? "¼" : number.text;
}

std::string bracketed(const Node& node, int needed) {
  return strength(node) < needed ? "(" + text_of(node) + ")" : text_of(node);
}

std::string joined(const std::vector<Node>& parts, std::size_t first, const std::string& between) {
  std::string all;
  for (std::size_t k = first; k < parts.size(); ++k)
    all += (k > first ? between : "") + text_of(parts[k]);
  return all;
}

// ------------------------------------------------------------------------------------------ MathML

std::string tag(const std::string& name, const std::string& inner, const std::string& with = "") {
  return "<" + name + with + ">" + inner + "</" + name + ">";
}
std::string sign(const std::string& text) { return tag("mo", escape_html(text)); }
std::string group(const std::string& inner) { return tag("mrow", inner); }
constexpr const char* upright = " mathvariant=\"normal\"";

// A name: one letter is italic, several stand upright; what stands behind _ goes below, primes and
// tildes go up.
std::string symbol(std::string text, const std::string& below = "") {
  std::string up, down = below;
  while (text.ends_with("'") || text.ends_with("~")) {
    up = (text.back() == '~' ? "~" : "′") + up;
    text.pop_back();
  }
  if (const std::size_t at = text.find('_'); at < text.size() - 1) {
    down = tag(text[at + 1] >= '0' && text[at + 1] <= '9' ? "mn" : "mi",
               escape_html(text.substr(at + 1)));
    text = text.substr(0, at);
  }
  std::string before;
  if (text.size() > 1 && text[0] == 'd' && text != "dim" && columns_of(text) <= 4) {  // a gradient
    before = tag("mi", "d", upright);
    text = text.substr(1);
  }
  const std::size_t digits = std::min(text.find_first_of("0123456789"), text.size());
  if (down.empty() && digits == 1 && text.size() > 1) {  // W1 is W with a 1 below
    down = tag("mn", text.substr(digits));
    text = text.substr(0, digits);
  }
  std::string made = tag("mi", escape_html(text), columns_of(text) > 1 ? upright : "");
  if (up == "~") made = tag("mover", made + sign("~"));
  else if (!up.empty()) made = tag("msup", made + sign(up));
  if (!down.empty()) made = tag("msub", made + down);
  return before.empty() ? made : group(before + made);
}

std::string set(const Node& node, int needed);

std::string listed(const std::vector<Node>& parts, std::size_t first) {
  std::string all;
  for (std::size_t k = first; k < parts.size(); ++k)
    all += (k > first ? sign(",") : "") + set(parts[k], 0);
  return all;
}

std::string letters_below(const Node& fold) {
  std::string below;
  for (const std::string& letter : letters_of(fold)) below += tag("mi", letter);
  if (fold.parts.size() == 3)
    below = set(fold.parts[1], 0) + sign(fold.indices.substr(fold.indices.find(' ') + 1)) +
            set(fold.parts[2], 0);
  return group(below);
}

std::string without_brackets(const Node& node) {
  const std::vector<Node>& parts = node.parts;
  if (node.kind == Kind::number) return tag("mn", digits_of(node));
  if (node.kind == Kind::name)
    return parts.empty() ? symbol(node.text) : symbol(node.text, set(parts[0], 0));
  if (node.kind == Kind::entry)
    return group(set(parts[0], 6) + sign("[") + listed(parts, 1) + sign("]"));
  if (node.kind == Kind::call)
    return group(symbol(node.text) + sign("\u2061") + sign("(") + listed(parts, 0) + sign(")"));
  if (node.kind == Kind::matrix) {
    if (node.text == "(") return group(sign("(") + listed(parts[0].parts, 0) + sign(")"));
    std::string rows;
    for (const Node& row : parts) {
      std::string cells;
      for (const Node& cell : row.parts) cells += tag("mtd", set(cell, 0));
      rows += tag("mtr", cells);
    }
    return group(sign("[") + tag("mtable", rows) + sign("]"));
  }
  if (node.kind == Kind::unary) {
    if (node.text == "√") return tag("msqrt", set(parts[0], 0));
    if (node.text == "|") return group(sign("|") + set(parts[0], 0) + sign("|"));
    if (node.text == "ᵀ") return tag("msup", set(parts[0], 5) + tag("mi", "T", upright));
    return group(sign("-") + set(parts[0], 3));
  }
  if (node.kind == Kind::fold) {
    if (node.text != "Σ") return group(tag("mtext", node.text + "\u00a0") + set(parts[0], 2));
    const std::string sum =
        node.indices.empty() ? sign("∑") : tag("munder", sign("∑") + letters_below(node));
    return group(sum + set(parts[0], 2));
  }
  if (node.kind == Kind::choice)
    return group(set(parts[0], 1) + tag("mtext", "\u00a0if\u00a0") + set(parts[1], 1) +
                 sign(node.text) + set(parts[2], 1) + tag("mtext", ", else\u00a0") +
                 set(parts[3], 1));
  if (node.text == "/") return tag("mfrac", set(parts[0], 0) + set(parts[1], 0));
  if (node.text == "^") return tag("msup", set(parts[0], 6) + set(parts[1], 0));
  const std::string between = sign(node.text.empty() ? "\u2062" : node.text);
  return group(set(parts[0], needed_left(node)) + between + set(parts[1], strength(node) + 1));
}

std::string set(const Node& node, int needed) {
  const bool fraction =
      node.kind == Kind::binary && node.text == "/";  // its bar says what belongs together
  const bool brackets = strength(node) < needed && !(fraction && needed <= 4);
  return brackets ? group(sign("(") + without_brackets(node) + sign(")")) : without_brackets(node);
}

}  // namespace

std::string text_of(const Node& node) {
  const std::vector<Node>& parts = node.parts;
  if (node.kind == Kind::number) return digits_of(node);
  if (node.kind == Kind::name && parts.empty()) return node.text;
  if (node.kind == Kind::name)
    return node.text + "_" +
           (parts[0].kind == Kind::name ? text_of(parts[0]) : "(" + text_of(parts[0]) + ")");
  if (node.kind == Kind::entry) return bracketed(parts[0], 6) + "[" + joined(parts, 1, ",") + "]";
  if (node.kind == Kind::call) return node.text + "(" + joined(parts, 0, ", ") + ")";
  if (node.kind == Kind::matrix) {
    if (node.text == "(") return "(" + joined(parts[0].parts, 0, ", ") + ")";
    std::string all;
    for (const Node& row : parts) all += (all.empty() ? "" : "; ") + joined(row.parts, 0, " ");
    return "[" + all + "]";
  }
  if (node.kind == Kind::unary) {
    if (node.text == "ᵀ") return bracketed(parts[0], 5) + "ᵀ";
    if (node.text == "|") return "|" + text_of(parts[0]) + "|";
    return node.text + bracketed(parts[0], node.text == "-" ? 3 : 5);
  }
  if (node.kind == Kind::fold) {
    std::string below = node.indices;
    if (parts.size() == 3)
      below =
          "(" + text_of(parts[1]) + below.substr(below.find(' ')) + " " + text_of(parts[2]) + ")";
    return node.text + (below.empty() ? "" : "_" + below) + " " + bracketed(parts[0], 2);
  }
  if (node.kind == Kind::choice)
    return text_of(parts[0]) + " if " + text_of(parts[1]) + " " + node.text + " " +
           text_of(parts[2]) + ", else " + text_of(parts[3]);
  const int own = strength(node);
  const bool wide = own == 1 || node.text == "⊙";
  const std::string between = wide ? " " + node.text + " " : node.text.empty() ? " " : node.text;
  return bracketed(parts[0], needed_left(node)) + between + bracketed(parts[1], own + 1);
}

std::string mathml(const Node& node) { return tag("math", set(node, 0)); }

std::string mathml(const Equation& equation) {
  std::string all = set(equation.sides[0], 0);
  for (std::size_t k = 0; k < equation.relations.size(); ++k)
    all += sign(equation.relations[k]) + set(equation.sides[k + 1], 0);
  return tag("math", all);
}

}  // namespace formula
