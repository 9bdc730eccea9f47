// How to spoil a statement: plain text rules, each a mistake that a derivation by hand could contain. The rules know
// brackets and the spaces that clang-format puts around operators, and nothing else of C++; what they make need not
// compile.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace mutations {

inline constexpr std::size_t none = std::string::npos;

inline bool opens(char c) { return c == '(' || c == '[' || c == '{'; }
inline bool closes(char c) { return c == ')' || c == ']' || c == '}'; }

inline std::string replaced(const std::string& text, std::size_t from, std::size_t to, const std::string& by) {
  return text.substr(0, from) + by + text.substr(to);
}

// Where the bracket that opens at `open` is closed.
inline std::size_t closing(const std::string& text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (opens(text[i])) ++depth;
    if (closes(text[i]) && --depth == 0) return i;
  }
  return none;
}

// Where the bracket around `inside` opens; none outside of all brackets.
inline std::size_t opening(const std::string& text, std::size_t inside) {
  int depth = 0;
  for (std::size_t i = inside; i-- > 0;) {
    if (closes(text[i])) ++depth;
    if (opens(text[i]) && depth-- == 0) return i;
  }
  return none;
}

// The first place from `from` on where one of `words` stands outside of brackets; none before the surrounding one
// closes.
inline std::size_t find_outside(const std::string& text, std::size_t from, const std::vector<std::string>& words) {
  for (std::size_t i = from; i < text.size(); ++i) {
    for (const std::string& word : words)
      if (text.compare(i, word.size(), word) == 0) return i;
    if (closes(text[i])) return none;
    if (opens(text[i]) && (i = closing(text, i)) == none) return none;
  }
  return none;
}

// Half-open stretches of the text.
struct Range {
  std::size_t from = none, to = none;
  std::string in(const std::string& text) const { return text.substr(from, to - from); }
};

// A statement inside a line: `if (direct) dE = matmul(dY, W);` is the assignment after the condition.
struct Statement {
  enum Kind { assignment, declaration, result, call } kind = call;
  Range all;         // without the semicolon
  Range expression;  // right of = or return; of a call, the call
};

inline Statement find_statement(const std::string& text) {
  Statement s;
  std::size_t begin = text.find_first_not_of(' ');
  for (bool control = true; control;) {  // step over `if (...)`, `for (...)`, `else`
    control = false;
    for (const char* word : {"if (", "if constexpr (", "for (", "while (", "else "})
      if (const std::string w = word; text.compare(begin, w.size(), w) == 0) {
        begin += w.size() - 1;  // at the bracket, or at the space
        if (w.back() == '(') begin = closing(text, begin);
        if (begin == none) return {};
        ++begin;
        begin = text.find_first_not_of(' ', begin);
        control = true;
        if (begin == none) return {};
      }
  }
  const std::size_t equals = find_outside(text, begin, {" = ", " += ", " -= ", " *= "});
  const std::size_t returns = text.find("return ", begin);
  s.all.from = begin;
  s.expression.from = begin;
  if (equals != none) {
    s.kind = find_outside(text, begin, {" "}) == equals ? Statement::assignment : Statement::declaration;
    s.expression.from = text.find("= ", equals) + 2;
  } else if (returns != none) {
    s.kind = Statement::result;
    s.expression.from = returns + 7;
  }
  s.expression.to = s.all.to = find_outside(text, s.expression.from, {";"});
  return s.all.to == none ? Statement{} : s;
}

// The arguments of the call whose bracket opens at `open`.
inline std::vector<Range> arguments(const std::string& text, std::size_t open) {
  const std::size_t end = closing(text, open);
  std::vector<Range> found;
  for (std::size_t from = open + 1; end != none && from < end;) {
    const std::size_t comma = std::min(find_outside(text, from, {", "}), end);
    found.push_back({from, comma});
    from = comma + 2;
  }
  return found;
}

// Where the bracket of each call of `function` opens, within the range.
inline std::vector<std::size_t> calls(const std::string& text, Range range, const std::string& function) {
  std::vector<std::size_t> found;
  for (std::size_t at = range.from; (at = text.find(function + "(", at)) < range.to; at += function.size())
    if (at == 0 || !(std::isalnum(text[at - 1]) || text[at - 1] == '_')) found.push_back(at + function.size());
  return found;
}

// ------------------------------------------------------------------------------------------- what computes gradients

// Whether a gradient is named, as the course names them: dX, dmX, dlogits, d.W, grad.W, loss.gradient, gradients_,
// slope.
inline bool names_gradient(const std::string& text) {
  static const std::regex name(
      "(^|[^A-Za-z0-9_])(d[a-z]?[A-Z]\\w*|d[a-z]\\b|d(logits|output|patches|images|pooled|products|weights|mean)\\b|"
      "d\\.\\w|grad\\b|\\w*gradients?_?\\b|slope\\b)");
  return std::regex_search(text, name);
}

// The places of the brackets that open the arguments of what is called backward or ..._back.
inline std::vector<std::size_t> backward_calls(const std::string& text) {
  static const std::regex call("\\b(backward|(?!push_|pop_|emplace_)\\w+_back)\\(");
  std::vector<std::size_t> found;
  for (std::sregex_iterator match(text.begin(), text.end(), call), end; match != end; ++match)
    found.push_back(std::size_t(match->position() + match->length()) - 1);
  return found;
}

// The name of the function whose head a text is or begins with; empty when it is none.
inline std::string function_named(const std::string& text) {
  static const std::regex head("[A-Za-z_>&*] (?:\\w+(?:<\\w+>)?::)*(\\w+)\\(.*\\) (const )?\\{.*");
  static const std::regex control("^ *(\\} )?(if|for|while|switch|else|return|do)\\b.*");
  std::smatch found;
  return !std::regex_match(text, control) && std::regex_search(text, found, head) ? found[1].str() : "";
}

// Whether a statement computes a gradient, as the names tell: it assigns to one, hands one on to a backward pass, calls
// with one what computes, or is what a function that is named like one returns; not what makes a view of it or room for
// it, lists it or takes the step.
inline bool computes_gradient(const std::string& text, const std::string& function) {
  static const std::regex view("\\b(span|View|Tensors)<"), number("-?[0-9.]+"),
      of_gradient("slope|_prime$|gradient|back|scatter|clip"), plain("[\\w.*{}\\[\\]]+"),
      other("\\b(run|push_back|emplace|resize|step|update|make_room|check_\\w+|prepare_\\w+)\\(");
  if (text.find_first_not_of(' ') == none) return false;
  const Statement s = find_statement(text);
  if (s.all.from == none) return false;
  const std::string target = text.substr(s.all.from, s.expression.from - s.all.from), all = s.all.in(text);
  if (s.kind == Statement::call && all.substr(0, all.find('(')).find(' ') != none) return false;  // a declaration
  for (const std::size_t open : backward_calls(text))
    for (const Range& argument : arguments(text, open))
      if (names_gradient(argument.in(text))) return true;
  if (s.kind == Statement::result)
    return std::regex_search(function, of_gradient) && !std::regex_match(s.expression.in(text), plain);
  if (s.kind == Statement::call) return names_gradient(all) && !std::regex_search(all, other);
  if (s.kind == Statement::assignment && std::regex_search(function, of_gradient)) return true;
  return names_gradient(target) && !std::regex_search(target, view) && !std::regex_match(s.expression.in(text), number);
}

// ----------------------------------------------------------------------------------------------------------- rules

using Mutants = std::set<std::string>;

// The whole gradient with the wrong sign, twice too large, or left out. Of a call, its first plain argument after the
// result is scaled instead: matmul_into(dX, -1 * (dY), W). Of a backward pass what it is given (handed_on, below).
inline void scale(const std::string& text, const Statement& s, Mutants& out) {
  Range scaled = s.expression;
  if (s.kind == Statement::call) {
    const std::vector<Range> all = arguments(text, text.find('(', s.all.from));
    scaled = {};
    for (std::size_t k = all.size(); k-- > (all.size() > 1 ? 1 : 0);)
      if (all[k].in(text).find_first_of("(:") == none) scaled = all[k];
  } else if (!backward_calls(s.expression.in(text)).empty()) {
    scaled = {};
  }
  if (scaled.from != none)
    for (const char* factor : {"-1", "2"})
      out.insert(replaced(text, scaled.from, scaled.to, std::string(factor) + " * (" + scaled.in(text) + ")"));
  if (s.kind == Statement::assignment || s.kind == Statement::call)
    out.insert(replaced(text, s.all.from, s.all.to, ""));
  else if (scaled.from != none) out.insert(replaced(text, scaled.from, scaled.to, "0 * (" + scaled.in(text) + ")"));
}

// What a backward pass is given has the wrong sign, or is twice too large: the first gradient among its arguments.
// Those behind it are results.
inline void handed_on(const std::string& text, Mutants& out) {
  for (const std::size_t open : backward_calls(text))
    for (const Range& argument : arguments(text, open))
      if (const std::string given = argument.in(text); names_gradient(given)) {
        for (const char* factor : {"-1", "2"})
          out.insert(replaced(text, argument.from, argument.to, std::string(factor) + " * (" + given + ")"));
        break;
      }
}

// transpose(X) for X and X for transpose(X) in products; A and B swapped; one factor alone.
inline void products(const std::string& text, const Statement& s, Mutants& out) {
  for (const std::size_t open : calls(text, s.expression, "transpose"))
    out.insert(replaced(text, open - 9, closing(text, open) + 1, arguments(text, open)[0].in(text)));
  for (const std::string function : {"matmul", "matmul_into", "zip", "hadamard"})
    for (const std::size_t open : calls(text, s.expression, function)) {
      const std::vector<Range> all = arguments(text, open);
      const std::size_t first = function == "matmul_into" ? 1 : 0;
      if (all.size() < first + 2) continue;
      const Range a = all[first], b = all[first + 1];
      if (function != "hadamard") out.insert(replaced(text, a.from, b.to, b.in(text) + ", " + a.in(text)));
      if (function == "hadamard")
        for (const Range& alone : {a, b})
          out.insert(replaced(text, open - 8, closing(text, open) + 1, "(" + alone.in(text) + ")"));
      if (function == "matmul" || function == "matmul_into")
        for (const Range& factor : {a, b})
          if (factor.in(text).rfind("transpose(", 0) == none)
            out.insert(replaced(text, factor.from, factor.to, "transpose(" + factor.in(text) + ")"));
    }
}

// In a + b and a - b: either term alone, and b - a. In c ? a : b: the two swapped.
inline void terms(const std::string& text, const Statement& s, Mutants& out) {
  for (std::size_t at = s.expression.from; at < s.expression.to; ++at) {
    const std::string sign = text.substr(at, 3);
    if (sign != " + " && sign != " - " && sign != " ? ") continue;
    const std::size_t around = opening(text, at);
    // The left end: after the bracket, comma or sign before it, whichever is last.
    std::size_t left = around == none || around < s.expression.from ? s.expression.from : around + 1;
    for (std::size_t next = left; (next = find_outside(text, next, {", ", " ? ", " : ", " + ", " - ", "return "})) < at;
         next = left)
      left = next + (text[next] == ',' ? 2 : text[next] == 'r' ? 7 : 3);
    const std::size_t right = std::min(
        {find_outside(text, at + 3, {", ", " ? ", " : ", " + ", " - ", ";"}), closing(text, around), s.expression.to});
    const std::string a = text.substr(left, at - left), b = text.substr(at + 3, right - at - 3);
    if (sign == " ? ") {
      const std::size_t end =
          std::min({find_outside(text, right + 3, {", ", ";"}), closing(text, around), s.expression.to});
      out.insert(replaced(text, at + 3, end, text.substr(right + 3, end - right - 3) + " : " + b));
      continue;
    }
    out.insert(replaced(text, at, right, ""));
    if (around != none && text[around] == '[') continue;  // the index of no entry
    out.insert(replaced(text, left, at + 3, sign == " - " ? "-" : ""));
    if (sign == " - ") out.insert(replaced(text, left, right, b + " - " + a));
  }
}

// What was added up is overwritten; a slope is the function itself.
inline void words(const std::string& text, const Statement& s, Mutants& out) {
  for (const auto& [right, wrong] :
       {std::pair{"+= ", "= "}, std::pair{"-= ", "= "}, std::pair{"Write::add", "Write::set"}, std::pair{"_prime", ""},
        std::pair{".prime", ".value"}}) {
    const std::string word = right;
    const std::size_t from = word.back() == ' ' ? s.all.from : s.expression.from;
    for (std::size_t at = from; (at = text.find(word, at)) < s.all.to; at += word.size())
      out.insert(replaced(text, at, at + word.size(), wrong));
  }
}

// Each constant a thousandth larger, 0 by a thousandth. Not those in [] nor the places and counts of rows and blocks.
inline void constants(const std::string& text, const Statement& s, Mutants& out) {
  static const std::regex number("[0-9]+(\\.[0-9]+)?");
  auto at = text.begin() + std::ptrdiff_t(s.expression.from);
  const auto end = text.begin() + std::ptrdiff_t(s.expression.to);
  for (std::smatch found; std::regex_search(at, end, found, number); at = found[0].second) {
    const std::size_t from = std::size_t(found[0].first - text.begin()),
                      to = std::size_t(found[0].second - text.begin());
    const char before = from == 0 ? ' ' : text[from - 1];
    const std::size_t around = opening(text, from);
    const bool part_of_name = std::isalnum(before) || before == '_' || before == '.' || std::isalpha(text[to]);
    const bool place =
        around != none && (text[around] == '[' || (around > 5 && text.compare(around - 5, 5, "block") == 0) ||
                           (around > 3 && text.compare(around - 3, 3, "row") == 0));
    if (part_of_name || place) continue;
    out.insert(replaced(text, from, to, std::stod(found[0]) == 0 ? "0.001" : "1.001 * " + found[0].str()));
  }
}

}  // namespace mutations

// All mutants of a line of source (or of several that are one statement), each the whole text with one place spoilt;
// none when it holds no statement.
inline std::vector<std::string> mutants_of(const std::string& text) {
  using namespace mutations;
  if (text.find_first_not_of(' ') == none) return {};
  const Statement s = find_statement(text);
  if (s.all.from == none || s.all.to <= s.all.from) return {};
  Mutants found;
  scale(text, s, found);
  handed_on(text, found);
  products(text, s, found);
  terms(text, s, found);
  words(text, s, found);
  constants(text, s, found);
  found.erase(text);
  return {found.begin(), found.end()};
}
