// How one program holds many mutants of a statement: the original and each mutant become cases of a `switch` over a
// number that is read when the program runs, 0 for the original. In a template over the scalar T the number is that of
// T, so that what is compiled for float can be spoilt while what is compiled for double stays right, and the other way
// round. Each mutant stands on a line that calls itself line N of a file `mutant`, so that the compiler says by itself
// which mutant it complains about.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/mutations.hpp"

namespace schemata {

// What every program of mutants includes first. The number comes from the environment, and so does the scalar that is
// to be spoilt: float, double or, without one, whatever T is. Code that is no template asks for the number of void.
inline const std::string selection =
    "#include <cstdlib>\n"
    "#include <cstring>\n"
    "#include <type_traits>\n"
    "template <class T = void>\n"
    "bool is_to_be_spoilt() {\n"
    "  const char* const scalar = std::getenv(\"SCALAR\");\n"
    "  return std::is_void_v<T> || !scalar || std::strcmp(scalar, std::is_same_v<T, float> ? \"float\" : \"double\") "
    "== 0;\n"
    "}\n"
    "template <class T = void>\n"
    "int chosen_mutant() {\n"
    "  static const char* const number = std::getenv(\"MUTANT\");\n"
    "  static const int chosen = number && is_to_be_spoilt<T>() ? std::atoi(number) : 0;\n"
    "  return chosen;\n"
    "}\n";

// What stands in every case; the text around it stands once. Control in front, as in `if (direct) dE = ...;`, is
// outside.
struct Choice {
  mutations::Range cases;
  std::string type;  // of a declaration, whose initializer becomes a lambda of this type
};

// The type in `const Matrix<T> dH = `; of a `const Matrix<T>& dH = ` too, since what a lambda returns lives as long as
// dH does; of `auto` what its initializer has. Empty where a lambda could not return it (a lambda, another reference)
// or it is not clear.
inline std::string declared_type(const std::string& head, const std::string& initializer) {
  static const std::regex declaration(
      "(?:const ([A-Za-z_][A-Za-z0-9_:]*(?:<[^&*]*>)?)&?|([A-Za-z_][A-Za-z0-9_:]*(?:<[^&*]*>)?)) "
      "[A-Za-z_][A-Za-z0-9_]* = ");
  std::smatch found;
  if (!std::regex_match(head, found, declaration)) return "";
  const std::string type = found[1].matched ? found[1] : found[2];
  if (type != "auto") return type;
  return initializer[0] == '[' ? "" : "decltype(" + initializer + ")";
}

// Where a statement can be made to choose; none if it cannot, as in a declaration of two variables.
inline Choice choice_in(const std::string& text) {
  using mutations::Statement, mutations::find_outside, mutations::none;
  const Statement s = mutations::find_statement(text);
  if (s.kind == Statement::assignment) return {{s.all.from, s.all.to + 1}, ""};
  if (s.kind == Statement::call)  // a space before the semicolon: Matrix<T> dE(n, d);
    return find_outside(text, s.all.from, {" ", ";"}) == s.all.to ? Choice{{s.all.from, s.all.to + 1}, ""} : Choice{};
  if (s.kind == Statement::result) return {{text.rfind("return ", s.expression.from), s.all.to + 1}, ""};
  const std::string type =
      declared_type(text.substr(s.all.from, s.expression.from - s.all.from), s.expression.in(text));
  if (!type.empty() && find_outside(text, s.expression.from, {", ", ";"}) == s.all.to) return {s.expression, type};
  // const auto slope = [](T z) { return ...; };
  const std::size_t inside = text.find("{ return ", s.expression.from);
  return inside < s.all.to ? Choice{{inside + 2, find_outside(text, inside + 2, {";"}) + 1}, ""} : Choice{};
}

// The mutant's text for its case; empty when it differs elsewhere and must be compiled alone.
inline std::string case_of(const Choice& choice, const std::string& original, const std::string& mutant) {
  const auto [from, to] = choice.cases;
  const std::size_t rest = original.size() - to;
  if (from >= to || to > original.size() || mutant.size() < from + rest) return "";
  const std::size_t end = mutant.size() - rest;
  if (mutant.compare(0, from, original, 0, from) != 0 || mutant.compare(end, rest, original, to) != 0) return "";
  return mutant.substr(from, end - from) + ";";
}

// The statement with all mutants, given by their numbers. `scalar` is the name of T in the template around it, or
// empty. What follows calls itself line `line` of `file` again.
inline std::string schema(const std::string& original, const std::map<std::size_t, std::string>& mutants,
                          const std::string& scalar, const std::string& file, std::size_t line) {
  const Choice choice = choice_in(original);
  const std::string value = choice.type.empty() ? "" : "return ";
  std::string text = original.substr(0, choice.cases.from);
  if (!choice.type.empty()) text += "[&]() -> " + choice.type + " { ";
  text += "switch (chosen_mutant<" + scalar + ">()) { default: " + value + case_of(choice, original, original) +
          " break;\n";
  for (const auto& [number, mutant] : mutants)
    text += "#line " + std::to_string(number) + " \"mutant\"\ncase " + std::to_string(number) + ": " + value +
            case_of(choice, original, mutant) + " break;\n";
  text += "#line " + std::to_string(line) + " \"" + file + "\"\n}";
  if (!choice.type.empty()) text += " }()";
  return text + original.substr(choice.cases.to);
}

// The numbers of the mutants that the compiler complains about: at which it found an error (`itself`), or from which it
// came to one in a template, which may be another mutant's.
inline std::set<std::size_t> accused(const std::vector<std::string>& log, bool itself) {
  static const std::regex error("^mutant:([0-9]+):.*error:.*"),
      way("^mutant:([0-9]+):.*(error:|required |requested here).*");
  std::set<std::size_t> numbers;
  std::smatch found;
  for (const std::string& line : log)
    if (std::regex_match(line, found, itself ? error : way)) numbers.insert(std::stoul(found[1]));
  return numbers;
}

}  // namespace schemata
