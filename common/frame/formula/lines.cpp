// The lines of a README: formulas in columns, their numbers, and what is named in them.
// SPDX-License-Identifier: MIT
#include "common/frame/formula/lexer.hpp"
#include "common/frame/text/markdown.hpp"

namespace formula {
namespace {

constexpr std::string_view between_sides = "=←≤≥≈";

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

// Tells whether a column has a relation.
bool is_formula(const std::string& column) {
  const auto has = [&](const char* relation) { return column.find(relation) != column.npos; };
  return has("=") || has("←") || has("≈") || has("≤") || has("≥");
}

}  // namespace

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

std::size_t uses_of(const Node& tree, const std::string& name) {
  return count_if(tree,
                  [&](const Node& node) { return node.kind == Kind::name && node.text == name; });
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
