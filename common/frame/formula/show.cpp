// From trees to what is shown: plain text, and MathML.
// SPDX-License-Identifier: MIT

#include "common/frame/formula/formula.hpp"

namespace formula {
namespace {

// How strongly a sign binds: what binds less, inside what binds more, needs brackets.
namespace binding {
enum Strength { condition, sum, product, negative, beside, power, whole };
}

int strength_of_binary(const std::string& sign) {
  if (sign == "+" || sign == "-") return binding::sum;
  if (sign == "^") return binding::power;
  return sign.empty() ? binding::beside : binding::product;
}

int strength(const Node& node) {
  switch (node.kind) {
    case Kind::choice:
      return binding::condition;
    case Kind::fold:
      return binding::product;
    case Kind::binary:
      return strength_of_binary(node.text);
    case Kind::unary:
      if (node.text == "-") return binding::negative;
      return node.text == "|" ? binding::whole : binding::power;
    default:
      return binding::whole;
  }
}

// Signs are read from left to right, but nobody sees that in A·B ⊙ C.
int needed_left(const Node& node) {
  if (node.text == "^") return binding::whole;
  const std::string& left = node.parts[0].text;
  const bool mixed = (node.text == "⊙" && left == "·") || (node.text == "·" && left == "⊙");
  return strength(node) + mixed;
}

std::string digits_of(const Node& number) {
  if (number.text == "0.5") return "½";
  return number.text == "0.25" ? "¼" : number.text;
}

// -------------------------------------------------------------------------------------- plain text

std::string bracketed(const Node& node, int needed) {
  return strength(node) < needed ? join("(", text_of(node), ")") : text_of(node);
}

std::string joined(const std::vector<Node>& parts, std::size_t first, const std::string& between) {
  std::string all;
  for (std::size_t k = first; k < parts.size(); ++k)
    all += (k > first ? between : "") + text_of(parts[k]);
  return all;
}

std::string text_of_name(const Node& node) {
  if (node.parts.empty()) return node.text;
  const std::string below = text_of(node.parts[0]);
  return join(node.text, "_", node.parts[0].kind == Kind::name ? below : join("(", below, ")"));
}

std::string text_of_matrix(const Node& node) {
  if (node.text == "(") return join("(", joined(node.parts[0].parts, 0, ", "), ")");
  std::string all;
  for (const Node& row : node.parts) {
    std::string cells;
    for (const Node& cell : row.parts) {  // a blank would part it
      const std::string text = text_of(cell);
      const bool parted = text.find(' ') != text.npos;
      cells += join(cells.empty() ? "" : " ", parted ? join("(", text, ")") : text);
    }
    all += (all.empty() ? "" : "; ") + cells;
  }
  return join("[", all, "]");
}

std::string text_of_binary(const Node& node) {
  const std::string sign = node.text.empty() ? " " : node.text;
  const bool wide = strength(node) == binding::sum || sign == "⊙";
  return join(bracketed(node.parts[0], needed_left(node)), wide ? join(" ", sign, " ") : sign,
              bracketed(node.parts[1], strength(node) + 1));
}

std::string text_of_unary(const Node& node) {
  const Node& of = node.parts[0];
  if (node.text == "|") return join("|", text_of(of), "|");
  const std::string inner = bracketed(of, strength(node));
  return node.text == "ᵀ" ? inner + "ᵀ" : node.text + inner;
}

std::string text_of_fold(const Node& node) {
  const std::vector<Node>& parts = node.parts;
  std::string below = node.indices;
  if (parts.size() == 3)
    below =
        join("(", text_of(parts[1]), below.substr(below.find(' ')), " ", text_of(parts[2]), ")");
  return join(node.text, below.empty() ? "" : "_", below, " ",
              bracketed(parts[0], binding::product));
}

// ------------------------------------------------------------------------------------------ MathML

template <class... Parts>
std::string tag(const char* name, const Parts&... parts) {
  return join("<", name, ">", parts..., "</", name, ">");
}
template <class... Parts>
std::string group(const Parts&... parts) {
  return tag("mrow", parts...);
}
// A minus is the mathematical one, as wide as a plus.
std::string sign(const std::string& text) {
  return tag("mo", text == "-" ? "−" : escape_html(text));
}
std::string upright(const std::string& text) {
  return join("<mi mathvariant=\"normal\">", text, "</mi>");
}

// A single letter is italic, several stand upright; what stands behind _ goes below, primes and
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
    before = upright("d");
    text = text.substr(1);
  }
  const std::size_t digits = std::min(text.find_first_of("0123456789"), text.size());
  if (down.empty() && digits == 1 && text.size() > 1) {  // W1 is W with a 1 below
    down = tag("mn", text.substr(digits));
    text = text.substr(0, digits);
  }
  std::string letter = escape_html(text);
  letter = columns_of(text) > 1 ? upright(letter) : tag("mi", letter);
  if (up == "~") letter = tag("mover", letter, sign("~"));
  else if (!up.empty()) letter = tag("msup", letter, sign(up));
  if (!down.empty()) letter = tag("msub", letter, down);
  return before.empty() ? letter : group(before, letter);
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
  if (fold.parts.size() < 3) return group(below);
  return group(set(fold.parts[1], 0), sign(fold.indices.substr(fold.indices.find(' ') + 1)),
               set(fold.parts[2], 0));
}

std::string set_matrix(const Node& node) {
  if (node.text == "(") return group(sign("("), listed(node.parts[0].parts, 0), sign(")"));
  std::string rows;
  for (const Node& row : node.parts) {
    std::string cells;
    for (const Node& cell : row.parts) cells += tag("mtd", set(cell, 0));
    rows += tag("mtr", cells);
  }
  return group(sign("["), tag("mtable", rows), sign("]"));
}

std::string set_binary(const Node& node) {
  const Node &left = node.parts[0], &right = node.parts[1];
  if (node.text == "/") return tag("mfrac", set(left, 0), set(right, 0));
  if (node.text == "^") return tag("msup", set(left, binding::whole), set(right, 0));
  return group(set(left, needed_left(node)), sign(node.text.empty() ? "\u2062" : node.text),
               set(right, strength(node) + 1));
}

std::string set_unary(const Node& node) {
  const Node& of = node.parts[0];
  if (node.text == "√") return tag("msqrt", set(of, 0));
  if (node.text == "|") return group(sign("|"), set(of, 0), sign("|"));
  const std::string inner = set(of, strength(node));
  return node.text == "ᵀ" ? tag("msup", inner, upright("T")) : group(sign("-"), inner);
}

std::string set_fold(const Node& node) {
  std::string sum = tag("mtext", node.text, "\u00a0");
  if (node.text == "Σ") sum = sign("∑");
  if (!node.indices.empty()) sum = tag("munder", sum, letters_below(node));
  return group(sum, set(node.parts[0], binding::product));
}

std::string set_choice(const Node& node) {
  const auto part = [&](std::size_t k) { return set(node.parts[k], binding::sum); };
  return group(part(0), tag("mtext", "\u00a0if\u00a0"), part(1), sign(node.text), part(2),
               tag("mtext", ", else\u00a0"), part(3));
}

std::string without_brackets(const Node& node) {
  const std::vector<Node>& parts = node.parts;
  switch (node.kind) {
    case Kind::number:
      return tag("mn", digits_of(node));
    case Kind::name:
      return symbol(node.text, parts.empty() ? "" : set(parts[0], 0));
    case Kind::entry:
      return group(set(parts[0], binding::whole), sign("["), listed(parts, 1), sign("]"));
    case Kind::call:
      return group(symbol(node.text), sign("\u2061"), sign("("), listed(parts, 0), sign(")"));
    case Kind::matrix:
      return set_matrix(node);
    case Kind::binary:
      return set_binary(node);
    case Kind::unary:
      return set_unary(node);
    case Kind::fold:
      return set_fold(node);
    case Kind::choice:
      return set_choice(node);
    case Kind::table:
      return tag("msub", group(sign("["), set(parts[0], 0), sign("]")), tag("mi", node.indices));
    case Kind::argument:
      return group(tag("mi", node.text), sign("="), set(parts[0], 0));
    case Kind::text:
      return tag("mtext", escape_html(node.text));
  }
  return "";
}

std::string set(const Node& node, int needed) {
  // The bar of a fraction says what belongs together.
  const bool fraction = node.kind == Kind::binary && node.text == "/" && needed <= binding::beside;
  std::string inner = without_brackets(node);
  if (node.kind != Kind::fold && !node.indices.empty())
    inner = tag("munder", inner, tag("mtext", node.indices));
  return strength(node) < needed && !fraction ? group(sign("("), inner, sign(")")) : inner;
}

}  // namespace

std::string text_of(const Node& node) {
  const std::vector<Node>& parts = node.parts;
  switch (node.kind) {
    case Kind::number:
      return digits_of(node);
    case Kind::name:
      return text_of_name(node);
    case Kind::entry:
      return join(bracketed(parts[0], binding::whole), "[", joined(parts, 1, ","), "]");
    case Kind::call:
      return join(node.text, "(", joined(parts, 0, ", "), ")");
    case Kind::matrix:
      return text_of_matrix(node);
    case Kind::binary:
      return text_of_binary(node);
    case Kind::unary:
      return text_of_unary(node);
    case Kind::fold:
      return text_of_fold(node);
    case Kind::choice:
      return join(text_of(parts[0]), " if ", text_of(parts[1]), " ", node.text, " ",
                  text_of(parts[2]), ", else ", text_of(parts[3]));
    case Kind::table:
      return join("[", text_of(parts[0]), "]_", node.indices);
    case Kind::argument:
      return join(node.text, "=", text_of(parts[0]));
    case Kind::text:
      return join("'", node.text, "'");
  }
  return "";
}

// What is copied from a page is the text, which its fields take.
static std::string math(const std::string& inner, const std::string& text) {
  return join("<math alttext=\"", escape_html(text), "\">", inner, "</math>");
}

std::string mathml(const Node& node) { return math(set(node, 0), text_of(node)); }

// A long equation is cut before its relations, since a narrow page breaks lines between formulas.
std::string mathml(const Equation& equation, const std::string& shape) {
  constexpr std::size_t long_enough = 18;  // columns, some half of those on a telephone
  std::size_t columns = 0;
  for (const Node& side : equation.sides) columns += columns_of(text_of(side));
  const bool cut = shape.empty() && columns > long_enough;
  std::string all, inner = set(equation.sides[0], 0), text = text_of(equation.sides[0]);
  for (std::size_t k = 0; k < equation.relations.size(); ++k) {
    if (cut) {
      all += math(inner, text);
      inner = text = "";
    }
    inner += sign(equation.relations[k]) + set(equation.sides[k + 1], 0);
    text += join(" ", equation.relations[k], " ", text_of(equation.sides[k + 1]));
  }
  if (!shape.empty()) inner += sign("→") + tag("mtext", shape);
  return all + math(inner, text);
}

}  // namespace formula
