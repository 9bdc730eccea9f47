// Whole phrases of other languages, in our notation: NumPy, MATLAB, TeX, loops, and sums in words.
// What spelling.cpp does word by word comes afterwards.
// SPDX-License-Identifier: MIT
#include <regex>
#include <sstream>

#include "common/derive/judge.hpp"

namespace formula {

bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_of_word(char c) { return is_ascii_letter(c) || is_ascii_digit(c); }

std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    depth += text[at] == '(' || text[at] == '[' || text[at] == '{';
    depth -= text[at] == ')' || text[at] == ']' || text[at] == '}';
    if (depth == 0) return at;
  }
  return text.size();
}

namespace {

// Takes away what only sets a formula: of \mathsf{T} stays T, of a sum from 1 to n its letter.
std::string without_styles(std::string text) {
  static const std::pair<std::regex, const char*> styles[] = {
      {std::regex(R"(\\[,;:!]|\\quad|\\limits|\$)"), " "},
      {std::regex(R"(\\(intercal|mathsf *T))"), "T"},
      {std::regex(R"(\\circ)"), "⊙"},
      {std::regex(R"(\\[dt]?frac\{\\partial *(L|loss)\}\{\\partial *(\w+)\})"), "d$2"},
      {std::regex(R"(\\[dt]frac)"), "\\frac"},
      {std::regex(R"(_\{([a-z])=[01]\}\^(\{[A-Za-z]+\}|[A-Za-z]))"), "_$1"},
      {std::regex(R"(\\(math[a-z]+|boldsymbol|text|operatorname)\{([^{}]*)\})"), "$2"}};
  for (const auto& [style, ours] : styles) text = std::regex_replace(text, style, ours);
  return text;
}

// Writes frac{a}{b} as (a)/(b).
std::string with_fractions(std::string text) {
  const std::string word = "frac{";
  for (std::size_t at = 0; (at = text.find(word, at)) != text.npos;) {
    const std::size_t above = at + word.size() - 1, end = closing(text, above);
    if (text.substr(std::min(end, text.size()), 2) != "}{") break;
    const std::size_t last = closing(text, end + 1);
    if (last == text.size()) break;
    text = text.substr(0, at) + "((" + text.substr(above + 1, end - above - 1) + ")/(" +
           text.substr(end + 2, last - end - 2) + "))" + text.substr(last + 1);
  }
  return text;
}

// Throws an Error that says how einsum('ik,ij->kj', H, dZ) is written here.
void refuse_einsum(const std::string& text) {
  if (text.find("einsum(") == text.npos) return;
  static const std::regex call(R"((\w+).*einsum\(.([a-z,]+)->([a-z]*)., *(.*)\).*)"),
      between(R"(([a-z])(?=[a-z]))");
  std::string sum = "dW[k,j] = Σ_i H[i,k]·dZ[i,j]";
  std::smatch found;
  if (std::regex_match(text, found, call)) {
    std::stringstream letters(found.str(2)), arrays(found.str(4));
    const std::string left = found.str(3);
    std::string gone, product;
    for (std::string of, array;
         std::getline(letters, of, ',') && std::getline(arrays, array, ',');) {
      std::erase(array, ' ');
      const bool is_name = std::all_of(array.begin(), array.end(), is_of_word);
      product += (product.empty() ? "" : "·") + (is_name ? array : "(" + array + ")") + "[" +
                 std::regex_replace(of, between, "$1,") + "]";
      for (const char letter : of)
        if ((left + gone).find(letter) == left.npos) gone += letter;
    }
    sum = found.str(1) + "[" + std::regex_replace(left, between, "$1,") +
          "] = " + (gone.empty() ? "" : "Σ_" + gone + " ") + product;
  }
  throw Error("einsum is written here as a sum over indices, ", sum,
              ", or as a product of matrices");
}

// Throws an Error that says how what we have no notation for is written here.
void refuse_what_is_not_ours(const std::string& text) {
  const auto has = [&](const char* sign) { return text.find(sign) != text.npos; };
  refuse_einsum(text);
  if (has("add.at(") || has("index_add") || has("scatter_add"))
    throw Error("what rows of a table collect is written by entries, A[t[i,k], a] += ...");
  if (has(":]") || has("[:")) throw Error("a slice is written with an index: A[i,j] for A[i,:]");
}

// Returns "i,k" of "i, k with ..." or of "i and k", and takes it from the text.
std::string letters_before(std::string& text) {
  std::string letters;
  for (;;) {
    const bool goes_on = letters.empty() || text.starts_with(",") || text.starts_with(" and ");
    if (!goes_on) return letters;
    const std::size_t at = letters.empty() ? 0 : text[0] == ',' ? 1 : 5;
    const std::size_t letter = std::min(text.find_first_not_of(' ', at), text.size());
    const bool alone = letter + 1 >= text.size() || !is_of_word(text[letter + 1]);
    if (letter == text.size() || text[letter] < 'a' || text[letter] > 'z' || !alone) return letters;
    letters += (letters.empty() ? "" : ",") + text.substr(letter, 1);
    text = text.substr(letter + 1);
  }
}

// Returns "column" of "all rows", along which the entries of a column are summed, "row" of
// "columns", else nothing.
std::string kept_of(const std::string& what) {
  std::vector<std::string> words = words_of(what);
  if (words.size() == 2 && (words[0] == "all" || words[0] == "the")) words.erase(words.begin());
  if (words.size() != 1) return "";
  if (words[0] == "rows" || words[0] == "examples") return "column";
  return words[0] == "columns" ? "row" : "";
}

// Writes "sum over rows of A", "sum of A over all rows" and "A summed over rows" as column sums, a
// mean likewise; "sum of a over i, k with c" as "Σ_(i,k: c) (a)".
std::string with_what_is_summed_first(std::string text) {
  static const std::regex rows("(sum|mean)s? over ((all|the) )*(rows|examples)( of)?"),
      columns("(sum|mean)s? over ((all|the) )*columns( of)?");
  text = std::regex_replace(std::regex_replace(text, rows, "column $1s of"), columns, "row $1s of");
  const std::size_t first = text.find("sum over ");
  if (first < text.size()) {
    std::string end = text.substr(first + 9);
    if (end.starts_with("all ")) end = end.substr(4);
    const std::string letters = letters_before(end);
    if (end.starts_with(" of ")) end = end.substr(3);
    return letters.empty() ? text : text.substr(0, first) + "Σ_(" + letters + ") " + end;
  }
  const std::size_t over = text.find(" over ");
  if (over == text.npos) return text;
  const std::size_t bracket = std::min(text.find(')', over), text.size());
  std::string end = text.substr(over + 6, bracket - over - 6);
  const std::string behind = text.substr(bracket), kept = kept_of(end), summed = " summed";
  const std::size_t begin = text.find('=') + 1;  // 0 if there is none
  if (!kept.empty() && text.substr(0, over).ends_with(summed))
    return text.substr(0, begin) + " " + kept + " sums of (" +
           text.substr(begin, over - summed.size() - begin) + ")";
  if (end.starts_with("all ")) end = end.substr(4);
  const std::string letters = kept.empty() ? letters_before(end) : "";
  for (const std::string what : {"sum", "mean"}) {
    const std::size_t at = text.rfind(what + " of ", over);
    if (at == text.npos) continue;
    const std::size_t from = at + what.size() + 4;
    const std::string before = text.substr(0, at),
                      term = " (" + text.substr(from, over - from) + ")" + behind;
    if (!kept.empty()) return before + kept + " " + what + "s of" + term;
    if (end == "entries") return before + (what == "sum" ? "Σ" : "mean of") + term;
    if (letters.empty() || what == "mean") return text;
    if (end.empty()) return before + "Σ_(" + letters + ")" + term;
    for (const std::string with : {" with ", " where ", " such that "})
      if (end.starts_with(with))
        return before + "Σ_(" + letters + ": " + end.substr(with.size()) + ")" + term;
  }
  return text;
}

// Takes "for i, k:" or "for i in range(n):" from the beginning of a line, and "for all i, k" from
// its end; what else stands there limits something.
std::string without_loops(const std::string& text) {
  static const std::string letters = R"([a-z]( *(,|and) *[a-z])*)";
  static const std::regex loop("^for (all )?(" + letters + R"(|[a-z] in range\([A-Za-z]+\)) *: )"),
      all(" for all " + letters + "$");
  return std::regex_replace(std::regex_replace(text, loop, ""), all, "");
}

enum class Dialect { none, numpy, matlab };

// Tells by its signs which language a line is written in, of which two read A * B and sum(A, 1)
// differently; none where the signs are those of both.
Dialect dialect_of(const std::string& text) {
  const auto has = [](const std::string& in, std::initializer_list<const char*> signs) {
    return std::any_of(signs.begin(), signs.end(),
                       [&](const char* sign) { return in.find(sign) != in.npos; });
  };
  const std::string no_slopes = replaced(text, "'(", "(");  // in φ'(Z) ' is no transpose
  const bool numpy = has(text, {"@", "np.", "torch.", "**", ".sum(", "axis=", "dim=", "keepdim"}),
             matlab = has(no_slopes, {".*", "./", ".^", "'"});
  if (numpy == matlab) return Dialect::none;
  return numpy ? Dialect::numpy : Dialect::matlab;
}

// In NumPy A * B goes entry by entry; between the indices of an entry that is a product of numbers.
std::string with_products_of_numpy(const std::string& text) {
  std::string ours;
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    depth += (text[at] == '[') - (text[at] == ']');
    const bool power = text.substr(at, 2) == "**" || (at > 0 && text[at - 1] == '*');
    if (text[at] == '*' && !power && depth == 0) ours += "⊙";
    else ours += text[at];
  }
  return ours;
}

// Calls f with what stands in the brackets of each sum( and mean(, and puts what it returns, if
// anything, in the place of the whole.
template <class F>
std::string with_calls_of_sums(std::string text, F f) {
  for (const std::string name : {"sum", "mean"})
    for (std::size_t at = 0; (at = text.find(name + "(", at)) != text.npos; ++at) {
      const std::size_t open = at + name.size(), end = closing(text, open);
      if (end == text.size() || (at > 0 && is_of_word(text[at - 1]))) continue;
      const std::string ours = f(name, text.substr(open + 1, end - open - 1));
      if (!ours.empty()) text = text.substr(0, at) + ours + text.substr(end + 1);
    }
  return text;
}

// Names the axis of sum(A, 1), which MATLAB counts from 1, and of A.sum(1). Without an axis NumPy's
// mean is that of all entries.
std::string with_named_axes(const std::string& text, int first) {
  return with_calls_of_sums(text, [&](const std::string& name, std::string inner) {
    const std::size_t comma = inner.rfind(',');
    std::string axis = comma == inner.npos ? inner : inner.substr(comma + 1);
    std::erase(axis, ' ');
    const bool is = axis == std::to_string(first), next = axis == std::to_string(first + 1);
    if (is || next) {
      const std::string before = comma == inner.npos ? "" : inner.substr(0, comma) + ", ";
      return name + "(" + before + (is ? "axis0)" : "axis1)");
    }
    const bool all = name == "mean" && first == 0 && axis.find("axis") == axis.npos &&
                     axis.find("dim") == axis.npos;
    return all ? "mean_all(" + inner + ")" : "";
  });
}

// Writes sum(a for k in range(n) if c) as the sum of a·[k < n]·[c].
std::string with_generators(const std::string& text) {
  return with_calls_of_sums(text, [](const std::string& name, std::string inner) {
    static const std::regex loop(R"( for ([a-z])( in range\((\w+)\))?(?= |$))"),
        condition(" if (.*)$");
    const std::size_t end = inner.find(" for ");
    if (end == inner.npos || name != "sum") return std::string();
    std::string rest = inner.substr(end), letters, factors;
    std::smatch match;
    while (std::regex_search(rest, match, loop, std::regex_constants::match_continuous)) {
      letters += (letters.empty() ? "" : ",") + match.str(1);
      if (match[3].matched && is_ascii_digit(match.str(3)[0]))
        factors += "·[" + match.str(1) + " < " + match.str(3) + "]";
      rest = match.suffix();
    }
    if (std::regex_match(rest, match, condition)) {
      factors += "·[" + match.str(1) + "]";
      rest.clear();
    }
    if (!rest.empty() || letters.empty()) return std::string();
    return "(Σ_(" + letters + ") (" + inner.substr(0, end) + ")" + factors + ")";
  });
}

// Takes the point from 1. and the like; in W1.T or W1.*X it belongs to what follows.
std::string without_last_points(const std::string& text) {
  static const std::regex number(R"((^|[^\w.])(\d+)\.(?![\w]))");
  return std::regex_replace(text, number, "$1$2");
}

}  // namespace

std::string without_dialect(std::string text) {
  static const std::regex keeps(R"(, *keepdims? *= *(True|true|1))"),
      unit(R"((\d) (units?|products|parameters|layers|inputs|squares)$)");
  refuse_what_is_not_ours(text);
  text.erase(text.find_last_not_of(" ;,.") + 1);
  text = without_last_points(with_fractions(without_styles(std::move(text))));
  const Dialect dialect = dialect_of(text);
  text = std::regex_replace(std::regex_replace(text, keeps, ""), unit, "$1");
  if (dialect == Dialect::numpy) text = with_named_axes(with_products_of_numpy(text), 0);
  if (dialect == Dialect::matlab) text = with_named_axes(text, 1);
  return with_what_is_summed_first(with_generators(without_loops(text)));
}

}  // namespace formula
