// What people type, in our notation: first signs and words, then names and functions. What has two
// meanings is an Error that says how it is written here.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <optional>
#include <sstream>

#include "common/derive/judge.hpp"

namespace formula {
namespace {

struct Respelling {
  std::string_view typed, ours;
};
constexpr Respelling characters[] = {{"\t", " "},
                                     {"\u00a0", " "},
                                     {"\u2009", " "},
                                     {"\u202f", " "},
                                     {"′", "'"},
                                     {"’", "'"},
                                     {"‘", "'"},
                                     {"´", "'"},
                                     {"⊤", "ᵀ"},
                                     {"–", "-"},
                                     {"—", "-"},
                                     {"⋅", "·"},
                                     {"−", "-"},
                                     {"∙", "·"},
                                     {"•", "·"},
                                     {"∗", "·"},
                                     {"∑", "Σ"},
                                     {"ϕ", "φ"},
                                     {"**", "^"},
                                     {".^", "^"},
                                     {"./", "/"},
                                     {".'", "'"},
                                     {"÷", "/"},
                                     {":=", "="},
                                     {"==", "="},
                                     {".+", "+"},
                                     {".-", "-"},
                                     {"%*%", "·"},
                                     {"][", ","},
                                     {"\u200b", ""},
                                     {"\\left", ""},
                                     {"\\right", ""},
                                     {"\\cdot", "·"},
                                     {"\\times", "·"},
                                     {"\\partial ", "∂"},
                                     {"\\", ""},
                                     {"odot", "⊙"},
                                     {"∂loss/∂", "d"},
                                     {"∂L/∂", "d"},
                                     {"dloss/d", "d"},
                                     {".colwise().sum()", ".sum(axis=0)"},
                                     {".rowwise().sum()", ".sum(axis=1)"},
                                     {".cwiseProduct(", " ⊙ ("},
                                     {", 'all')", ")"}};
// Words, and what stands for them here; after the first word of a phrase "the" may stand.
constexpr Respelling phrases[] = {
    {"the", ""},     {"entry by entry", ""}, {"entrywise", ""}, {"elementwise", ""},
    {"and", ","},    {"transposed", "ᵀ"},    {"times", "·"},    {"phi", "φ"},
    {"sigma", "σ"},  {"sigmoid", "σ"},       {"beta", "β"},     {"gamma", "γ"},
    {"lambda", "λ"}, {"tau", "τ"},           {"omega", "ω"},    {"kappa", "κ"},
    {"eps", "ε"},    {"epsilon", "ε"},       {"dbeta", "dβ"},   {"dgamma", "dγ"},
    {"dtau", "dτ"},  {"sum of", "Σ"}};
constexpr std::string_view modules[] = {"np", "numpy", "torch", "jnp", "tf", "math"};

// Tells whether a text begins with an index such as _l+1, without blanks.
bool leans_on_layer(const std::string& text) {
  const bool ends = text.size() < 5 || !is_of_word(text[4]);
  return text.size() >= 4 && text[1] == 'l' && (text[2] == '+' || text[2] == '-') &&
         is_ascii_digit(text[3]) && ends;
}

// Writes indices and exponents as we do: _{l+1} and _[l+1] as _(l+1), ^{T} as ᵀ.
std::string with_scripts(std::string text) {
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    const bool below = text[at] == '_';
    if (below && leans_on_layer(text.substr(at)))  // Z_l+1
      text = text.substr(0, at + 1) + "(" + text.substr(at + 1, 3) + ")" + text.substr(at + 4);
    const bool opens = std::string_view("({[").find(text[at + 1]) != std::string_view::npos;
    if ((!below && text[at] != '^') || !opens) continue;
    const std::size_t end = closing(text, at + 1);
    if (end == text.size()) break;
    std::string inner = text.substr(at + 2, end - at - 2);
    std::erase(inner, ' ');
    if (!below && (inner == "T" || inner == "t" || inner == "ᵀ" || inner == "top")) {
      text.replace(at, end + 1 - at, "ᵀ");
      continue;
    }
    std::string letters = inner;
    std::erase(letters, ',');
    const bool plain = std::all_of(letters.begin(), letters.end(), is_of_word);
    text.replace(at + 1, end - at, below && plain ? letters : "(" + inner + ")");
  }
  for (const char* top : {"^ᵀ", "^'", "^top"}) text = replaced(text, top, "ᵀ");
  std::replace(text.begin(), text.end(), '{', '(');
  std::replace(text.begin(), text.end(), '}', ')');
  return text;
}

// Replaces words one after the other.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  std::string respelt() {
    while (at_ < text_.size()) {
      const bool begins = at_ == 0 || !(is_of_word(text_[at_ - 1]) || text_[at_ - 1] == '_');
      if (begins && is_ascii_letter(text_[at_]) &&
          (module() || axis() || fold() || phrase() || sum()))
        continue;
      if (postfix()) continue;
      out_ += text_[at_];
      ++at_;
    }
    return out_;
  }

 private:
  std::size_t blank(std::size_t at) const {
    return std::min(text_.find_first_not_of(' ', at), text_.size());
  }
  std::string word(std::size_t at) const {
    std::size_t end = at;
    while (end < text_.size() && is_ascii_letter(text_[end])) ++end;
    return std::string(text_.substr(at, end - at));
  }
  void put(std::string_view ours, std::size_t end) {
    out_ += ours;
    at_ = end;
  }

  // Returns where a phrase that stands here ends.
  std::optional<std::size_t> end_of(std::string_view phrase) const {
    std::size_t at = at_;
    for (const std::string& one : words_of(std::string(phrase))) {
      if (at > at_) at = blank(at);
      if (at > at_ && (word(at) == "the" || word(at) == "all")) at = blank(at + 3);
      if (word(at) != one) return std::nullopt;
      at += one.size();
    }
    const bool ends = at == text_.size() || !(is_of_word(text_[at]) || text_[at] == '_');
    return ends ? std::optional(at) : std::nullopt;
  }

  bool phrase() {
    for (const char* unclear : {"sum of columns", "sums of columns", "sum of rows", "sums of rows"})
      if (end_of(unclear))
        throw Error("'", unclear, "' can mean two things; here: column sums of A, row sums of A");
    for (const auto& [typed, ours] : phrases)
      if (const auto end = end_of(typed)) {
        put(ours, *end);
        return true;
      }
    return false;
  }

  bool module() {
    const std::string name = word(at_);
    const std::size_t end = at_ + name.size();
    const bool is = contains(modules, name) && text_.substr(end, 1) == ".";
    const bool of_std = name == "std" && text_.substr(end, 2) == "::";
    if (is || of_std) at_ = end + 1 + of_std;
    return is || of_std;
  }

  // axis=0 and dim=0 become axis0.
  bool axis() {
    const std::string name = word(at_);
    const bool keeps = name == "keepdims" || name == "keepdim";
    const bool from_one = name == "dims";  // Julia counts them so
    if (!keeps && !from_one && name != "axis" && name != "dim") return false;
    std::size_t at = blank(at_ + name.size());
    if (text_.substr(at, 1) != "=") return false;
    at = blank(at + 1);
    std::size_t end = at;
    while (end < text_.size() && (is_of_word(text_[end]) || text_[end] == '-')) ++end;
    const std::string_view value = text_.substr(at, end - at);
    if (value == "None") {
      put("keepdims", end);  // which is taken out
      return true;
    }
    const bool first = from_one ? value == "1" : value == "0" || value == "-2";
    const bool second = from_one ? value == "2" : value == "1" || value == "-1";
    if (!keeps && !first && !second) throw Error("a matrix has the axes 0 and 1");
    put(keeps ? "keepdims" : first ? "axis0" : "axis1", end);
    return true;
  }

  // column sum of, columnsums, col_sums( and their like.
  bool fold() {
    std::string name = small_letters(word(at_));
    std::size_t end = at_ + name.size();
    if (end < text_.size() && (text_[end] == '_' || text_[end] == '-' || text_[end] == ' ')) {
      const std::string next = small_letters(word(blank(end + 1)));
      if (next == "sum" || next == "sums" || next == "mean" || next == "means") {
        name += next;
        end = blank(end + 1) + next.size();
      }
    }
    for (const std::string side : {"column", "columns", "col", "row", "rows"})
      for (const std::string what : {"sum", "sums", "mean", "means"}) {
        if (name != side + what || (end < text_.size() && is_of_word(text_[end]))) continue;
        const std::string ours = (side[0] == 'c' ? "column" : "row");
        const std::string folded = what[0] == 's' ? "sums" : "means";
        if (text_.substr(blank(end), 1) == "(") {
          put(ours + "_" + folded, blank(end));
          return true;
        }
        if (word(blank(end)) == "of") end = blank(end) + 2;
        put(ours + " " + folded + " of ", end);
        return true;
      }
    return false;
  }

  // sum_i, sum dy.
  bool sum() {
    if (text_.substr(at_, 4) == "sum_") {
      put("Σ", at_ + 3);
      return true;
    }
    const auto end = end_of("sum");
    if (!end || end_of("sum of")) return false;
    const bool is_call = text_.substr(blank(*end), 1) == "(";
    put(is_call ? "sum" : "Σ ", is_call ? blank(*end) : *end);
    return true;
  }

  // .T and .transpose()
  bool postfix() {
    if (text_[at_] != '.' || at_ == 0) return false;
    for (const std::string_view turned : {".transpose()", ".t()", ".mT", ".T"}) {
      const std::size_t end = at_ + turned.size();
      if (!text_.substr(at_).starts_with(turned)) continue;
      if (end < text_.size() && is_of_word(text_[end])) continue;
      put("ᵀ", end);
      return true;
    }
    return false;
  }

  std::string_view text_;
  std::string out_;
  std::size_t at_ = 0;
};

// A sum whose letters lean on it: Σk U[k,o] is Σ_k U[k,o].
std::string with_low_letters(std::string text) {
  const std::string sum = "Σ";
  for (std::size_t at = 0; (at = text.find(sum, at)) != text.npos;) {
    at += sum.size();
    std::size_t end = at;
    while (end < text.size() && text[end] >= 'a' && text[end] <= 'z') ++end;
    const std::size_t next = std::min(text.find_first_not_of(' ', end), text.size());
    const bool indexed = text.find_first_of("[_", end) < text.size();
    if (end > at && end - at <= 3 && next > end && next < text.size() && indexed)
      text.insert(at, "_");
  }
  return text;
}

// ------------------------------------------------------------------------- names and functions

class Meaning {
 public:
  Meaning(const Scope& scope, const std::set<std::string>& asked) : scope_(scope), asked_(asked) {}

  Node operator()(Node node) const {
    for (Node& part : node.parts) part = (*this)(std::move(part));
    if (node.kind == Kind::name) return name(std::move(node));
    if (node.kind == Kind::entry) return entry(std::move(node));
    if (node.kind == Kind::call) return call(std::move(node));
    if (node.kind == Kind::binary && node.text == "^" && is_turn(node.parts[1]))
      return Node::unary("ᵀ", std::move(node.parts[0]));
    const bool scales = node.kind == Kind::binary && node.text == "·" &&
                        node.parts[1].kind == Kind::call && node.parts[1].text == "diag";
    if (scales) return Node::binary(node.parts[0], "⊙", node.parts[1].parts[0]);
    return node;
  }

 private:
  bool known(const std::string& name) const {
    const auto has = [&](const std::string& one) {
      return scope_.values.count(one) > 0 || scope_.indices.count(one) > 0;
    };
    return has(name) || asked_.count(name) > 0 ||
           (name.size() > 1 && name[0] == 'd' && has(name.substr(1)));
  }
  bool is_turn(const Node& exponent) const {
    return exponent.kind == Kind::name && !known(exponent.text) &&
           (exponent.text == "t" || exponent.text == "tr" || exponent.text == "T");
  }

  // Returns the name that is known for W_1, W1 or dZ1.
  std::string our_name(const std::string& text) const {
    if (known(text)) return text;
    const std::size_t low = text.find('_');
    if (low < text.size()) {
      const std::string without = text.substr(0, low) + text.substr(low + 1);
      return known(without) ? without : text;
    }
    std::size_t digits = text.size();
    while (digits > 0 && is_ascii_digit(text[digits - 1])) --digits;
    const std::string with = text.substr(0, digits) + "_" + text.substr(digits);
    return digits > 0 && digits < text.size() && known(with) ? with : text;
  }

  // Names of layers: dWl is dW_l.
  bool has_layers(const std::string& name) const {
    return known(name + "_1") || known(name + "_0") || known(name + "_l");
  }

  Node name(Node node) const {
    std::string& text = node.text;
    const bool bare = node.parts.size() == 1 && node.parts[0].kind == Kind::name;
    const std::string whole = bare ? text + "_" + node.parts[0].text : "";
    if (known(whole) && !whole.ends_with("_l")) return Node::name(whole);  // with_u
    if (bare && known(text) && !has_layers(text))                          // b_j is b[j]
      return {Kind::entry, "", {Node::name(text), node.parts[0]}};
    if (!node.parts.empty()) {  // Z_(l-1)'
      if (!text.ends_with("'") || known(text + "_1")) return node;
      text.pop_back();
      return Node::unary("ᵀ", std::move(node));
    }
    text = our_name(text);
    const std::string turned = our_name(text.substr(0, text.size() - 1));
    const bool turns = text.ends_with("'") && !known(text);
    if (turns && (known(turned) || turned == "ones")) return Node::unary("ᵀ", Node::name(turned));
    const std::string before_l = text.substr(0, text.size() - 1);
    if (text.ends_with("l") && !known(text) && has_layers(before_l))
      return {Kind::name, before_l, {Node::name("l")}};
    const std::size_t low = text.find('_');
    if (known(text) || low == text.npos) return node;
    const std::string letters = text.substr(low + 1);  // B_kij is B[k,i,j]
    const bool small =
        std::all_of(letters.begin(), letters.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    if (letters.empty() || letters == "l" || !small || !known(text.substr(0, low))) return node;
    Node array{Kind::entry, "", {Node::name(text.substr(0, low))}};
    for (const char letter : letters) array.parts.push_back(Node::name(std::string(1, letter)));
    return array;
  }

  // Z[l] is Z_l.
  Node entry(Node node) const {
    const Node& array = node.parts[0];
    const bool plain = array.kind == Kind::name && array.parts.empty() && !known(array.text);
    if (node.parts.size() != 2 || !plain) return node;
    std::string text = array.text;
    if (text.ends_with("'")) text.pop_back();
    if (!has_layers(text)) return node;
    return Node{Kind::name, text, {node.parts[1]}};
  }

  bool is_axis(const Node& node, const char* axis) const {
    return node.kind == Kind::name && node.text == axis;
  }

  // numpy's and torch's sums, of all, or along an axis.
  Node sum(const Node& node, std::vector<Node> of) const {
    const bool means = node.text == "mean";
    if (of.size() == 1) return {means ? Kind::call : Kind::fold, means ? "mean" : "Σ", of};
    const std::string what = means ? " means of" : " sums of";
    const bool first = is_axis(of[1], "axis0") || of[1].text == "0";
    const bool second = is_axis(of[1], "axis1") || text_of(of[1]) == "-1";
    if (!first && !second)
      throw Error(node.text, "(A, ", text_of(of[1]),
                  ") is one thing in NumPy and another in MATLAB; here: column", what, " A, row",
                  what, " A");
    return {Kind::fold, (first ? "column" : "row") + what, {of[0]}};
  }

  // ones((1, n)) and ones(1, n) are rows.
  static Node ones(const std::vector<Node>& shape) {
    const bool lists = shape[0].kind == Kind::matrix;
    const Node& rows = lists ? shape[0].parts[0].parts[0] : shape[0];
    const bool row = rows.text == "1" && (lists || shape.size() == 2);
    const Node& last = lists ? shape[0].parts[0].parts.back() : shape.back();
    if (!row && last.text != "1" && (lists || shape.size() == 2))
      throw Error("ones has one row or one column");
    return row ? Node::unary("ᵀ", Node::name("ones")) : Node::name("ones");
  }

  Node call(Node node) const {
    const bool has_function = scope_.functions.count(node.text) > 0;
    std::vector<Node>& of = node.parts;
    std::erase_if(of, [&](const Node& one) { return is_axis(one, "keepdims"); });
    if (node.text == "ones" && !of.empty()) return ones(of);
    if (node.text == "softmax")
      std::erase_if(of, [&](const Node& one) { return is_axis(one, "axis1"); });
    if (known(node.text) && of.size() > 1 && !has_function) {  // dE(i,j)
      of.insert(of.begin(), Node::name(node.text));
      return {Kind::entry, "", of};
    }
    if (has_function || of.empty() || known(node.text)) return node;
    const auto is = [&](std::initializer_list<const char*> names) {
      return contains(names, node.text);
    };
    if (is({"sum", "mean"})) return sum(node, of);
    if (is({"mean_all"}) && of.size() == 1) return {Kind::fold, "mean of", of};
    if (is({"tr", "trace"})) throw Error("the trace of Aᵀ·B is written Σ A ⊙ B");
    if (node.text.ends_with("_prime")) {
      const std::string f = respelt(node.text.substr(0, node.text.size() - 6));
      return {Kind::call, f + "'", of};
    }
    if (of.size() == 1) {
      if (is({"transpose", "trans", "t", "T"})) return Node::unary("ᵀ", of[0]);
      if (is({"square"})) return Node::binary(of[0], "^", {Kind::number, "2"});
      if (is({"abs"})) return Node::unary("|", of[0]);
      for (const char* fold : {"column_sums", "row_sums", "column_means", "row_means"})
        if (node.text == fold) return {Kind::fold, replaced(fold, "_", " ") + " of", of};
    }
    if (of.size() != 2) return node;
    if (is({"C", "choose", "binom", "comb", "nchoosek"})) return choose(std::move(node));
    if (is({"matmul", "mm", "matrix_product"})) return Node::binary(of[0], "·", of[1]);
    if (is({"matmul_tn", "crossprod"})) return Node::binary(Node::unary("ᵀ", of[0]), "·", of[1]);
    if (is({"matmul_nt"})) return Node::binary(of[0], "·", Node::unary("ᵀ", of[1]));
    if (is({"hadamard", "multiply", "mul"})) return Node::binary(of[0], "⊙", of[1]);
    if (is({"add", "add_row"})) return Node::binary(of[0], "+", of[1]);
    if (is({"subtract", "sub"})) return Node::binary(of[0], "-", of[1]);
    if (is({"pow", "power"})) return Node::binary(of[0], "^", of[1]);
    return is({"dot"}) ? dot(std::move(node)) : node;
  }

  // Returns how many ways there are to take k of n; both are written out.
  static Node choose(Node node) {
    const Node &n = node.parts[0], &k = node.parts[1];
    const auto is_small = [](const Node& one) {
      return one.kind == Kind::number && one.text.size() < 3 &&
             std::all_of(one.text.begin(), one.text.end(), is_ascii_digit);
    };
    if (!is_small(n) || !is_small(k)) return node;
    const int all = std::stoi(n.text), taken = std::stoi(k.text);
    double ways = 1;
    for (int j = 0; j < taken; ++j) ways = ways * (all - j) / (j + 1);
    if (ways > 1e15) return node;  // no longer a whole number
    return {Kind::number, std::to_string(std::llround(ways))};
  }

  // Of two of a shape dot is the sum of the products, else the matrix product.
  Node dot(Node node) const {
    std::vector<Node>& of = node.parts;
    if (shape_of(of[0]) != shape_of(of[1]) || shape_of(of[0]).empty())
      return Node::binary(of[0], "·", of[1]);
    return {Kind::fold, "Σ", {Node::binary(of[0], "⊙", of[1])}};
  }
  std::vector<std::size_t> shape_of(const Node& node) const {
    try {
      return scope_(node).shape;
    } catch (const Error&) {  // the judge says why
      return {};
    }
  }

  const Scope& scope_;
  const std::set<std::string>& asked_;
};

}  // namespace

std::string respelt(std::string_view typed) {
  if (typed.size() > 1000) throw Error("the line is too long");
  std::string text = without_dialect(std::string(typed));
  for (const auto& [from, to] : characters)
    text = replaced(text, std::string(from), std::string(to));
  text = with_low_letters(Words(with_scripts(text)).respelt());
  return text;
}

Node as_meant(Node tree, const Scope& scope, const std::set<std::string>& asked) {
  return Meaning(scope, asked)(std::move(tree));
}

}  // namespace formula
