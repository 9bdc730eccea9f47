// Every line of ours is accepted in thirteen hands, and every misreading is refused in them with
// its own words. What a line looks like is said once for each hand; no line is written out here.
// SPDX-License-Identifier: MIT
#include <filesystem>

#include "common/derive/judge.hpp"
#include "tests/check.hpp"

namespace test_hands {

using namespace formula;

// A hand: % stands for the parts of what it writes, in their order, & for letters of a sum.
struct Hand {
  const char *name, *matrix_product, *entry_product, *turned, *squared, *quotient, *root;
  const char *column_sums, *row_sums, *all, *row_means, *call, *entry, *sum, *layer;
  const char* end = "";
  bool greek_in_words = true;  // beta for β, or, with \, \beta
};
constexpr Hand hands[] = {
    {"NumPy", "% @ %", "% * %", "%.T", "%**2", "% / %", "np.sqrt(%)",
     "np.sum(%, axis=0, keepdims=True)", "%.sum(axis=1, keepdims=True)", "np.sum(%)",
     "np.mean(%, axis=1, keepdims=True)", "np.%(%)", "%[%]", "sum(% for & in range(n))", "%[%]"},
    {"PyTorch", "torch.matmul(%, %)", "torch.mul(%, %)", "%.t()", "%.square()", "% / %",
     "torch.sqrt(%)", "%.sum(dim=0, keepdim=True)", "torch.sum(%, dim=-1, keepdim=True)", "%.sum()",
     "%.mean(dim=1, keepdim=True)", "torch.%(%)", "%[%]", "sum(% for & in range(n))", "%[%]"},
    {"JAX", "jnp.dot(%, %)", "jnp.multiply(%, %)", "jnp.transpose(%)", "jnp.square(%)", "% / %",
     "jnp.sqrt(%)", "jnp.sum(%, axis=0, keepdims=True)", "jnp.sum(%, axis=-1, keepdims=True)",
     "jnp.sum(%)", "jnp.mean(%, axis=-1, keepdims=True)", "jnp.%(%)", "%[%]",
     "sum(% for & in range(n))", "%[%]"},
    {"MATLAB", "% * %", "% .* %", "%'", "%.^2", "% ./ %", "sqrt(%)", "sum(%, 1)", "sum(%, 2)",
     "sum(%, 'all')", "mean(%, 2)", "%(%)", "%(%)", "sum_& %", "%{%}", ";"},
    {"Julia", "% * %", "% .* %", "%'", "%.^2", "% ./ %", "sqrt.(%)", "sum(%, dims=1)",
     "sum(%, dims=2)", "sum(%)", "mean(%, dims=2)", "%.(%)", "%[%]", "sum(% for & in 1:n)", "%[%]"},
    {"R", "% %*% %", "% * %", "t(%)", "%^2", "% / %", "sqrt(%)", "colSums(%)", "rowSums(%)",
     "sum(%)", "rowMeans(%)", "%(%)", "%[%]", "Σ_& %", "%[%]"},
    {"Mathematica", "%.%", "% * %", "Transpose[%]", "%^2", "% / %", "Sqrt[%]", "Total[%]",
     "Total[%, {2}]", "Σ %", "row means of %", "%[%]", "%[[%]]", "Sum[%, {&}]", "%[%]"},
    {"TeX", "% \\cdot %", "% \\odot %", "%^{\\top}", "%^{2}", "\\frac{%}{%}", "\\sqrt{%}",
     "column sums of %", "row sums of %", "\\sum %", "row means of %", "%\\left(%\\right)", "%_{%}",
     "\\sum_{&} %", "%_{%}"},
    {"bare TeX", "% %", "% \\odot %", "%^\\top", "%^2", "%/%", "\\sqrt{%}", "column sums of %",
     "row sums of %", "\\sum %", "row means of %", "%(%)", "%_{%}", "\\sum_{&} %", "%_{%}"},
    {"a physicist", "% %", "% %", "%^T", "%²", "%/%", "√%", "column sums %", "row sums %", "Σ %",
     "row means %", "%(%)", "%_{%}", "Σ_& %", "%_{%}", "", false},
};

std::string filled(const char* form, const std::vector<std::string>& parts,
                   const std::string& letters = "") {
  std::string all;
  std::size_t next = 0;
  const std::string text = replaced(form, "%*%", "\1");
  for (const char c : text) {
    if (c == '%') all += parts.at(std::min(next++, parts.size() - 1));
    else if (c == '&') all += letters;
    else all += c == '\1' ? std::string("%*%") : std::string(1, c);
  }
  return all;
}

// Writes a tree in a hand; shapes say what fits.
class Writer {
 public:
  Writer(const Hand& hand, const Scope& scope) : hand_(hand), scope_(scope) {}

  std::string operator()(const Node& node) const {
    const std::vector<Node>& parts = node.parts;
    const auto part = [&](std::size_t k) { return atom(parts[k]); };
    switch (node.kind) {
      case Kind::name:
        return parts.empty() ? name(node.text)
                             : filled(hand_.layer, {name(node.text), text_of(parts[0])});
      case Kind::entry:
        return filled(hand_.entry, {atom(parts[0]), indices(node)});
      case Kind::call:
        if (node.text == "mean") return filled(hand_.row_means, {part(0)});
        return filled(hand_.call, {function(node.text), (*this)(parts[0])});
      case Kind::binary:
        return binary(node);
      case Kind::unary:
        if (node.text == "ᵀ") return is_ones(parts[0]) ? "onesᵀ" : filled(hand_.turned, {part(0)});
        if (node.text == "√") return filled(hand_.root, {"(" + (*this)(parts[0]) + ")"});
        return node.text + part(0);
      case Kind::fold:
        return fold(node);
      default:
        return text_of(node);
    }
  }

 private:
  static bool is_ones(const Node& node) { return node == Node::name("ones"); }

  std::string atom(const Node& node) const {
    const bool alone = node.kind == Kind::name || node.kind == Kind::number;
    return alone ? (*this)(node) : "(" + (*this)(node) + ")";
  }

  std::string name(std::string text) const {
    const bool tex = std::string(hand_.name).find("TeX") != std::string::npos;
    const std::string before = text[0] == 'd' && text.size() > 1 ? "d" : "";
    if (text.ends_with("~")) {
      text = text.substr(before.size(), text.size() - 1 - before.size());
      return before + (tex ? join("\\tilde{", text, "}") : text + "_tilde");
    }
    if (!hand_.greek_in_words) return text;
    for (const auto& [letter, word] : {std::pair<std::string, std::string>{"β", "beta"},
                                       {"γ", "gamma"},
                                       {"ε", "epsilon"},
                                       {"τ", "tau"},
                                       {"λ", "lambda"}})
      if (text.substr(before.size()) == letter) return before + (tex ? "\\" : "") + word;
    return text;
  }
  std::string function(const std::string& text) const {
    const bool tex = std::string(hand_.name).find("TeX") != std::string::npos;
    const bool words = hand_.greek_in_words && !tex;
    if (text == "φ'") return words ? "phi_prime" : tex ? "\\varphi'" : text;
    if (text == "φ") return words ? "phi" : tex ? "\\varphi" : text;
    if (text == "σ") return words ? "sigmoid" : tex ? "\\sigma" : text;
    return (tex && text != "relu" ? "\\" : "") + text;
  }

  std::string indices(const Node& entry) const {
    std::string all;
    for (std::size_t k = 1; k < entry.parts.size(); ++k)
      all += (k > 1 ? "," : "") + (*this)(entry.parts[k]);
    return all;
  }

  std::string binary(const Node& node) const {
    const Node &left = node.parts[0], &right = node.parts[1];
    const std::vector<std::string> parts{atom(left), atom(right)};
    if (node.text == "^") {
      if (right == Node{Kind::number, "2"}) return filled(hand_.squared, {parts[0]});
      return parts[0] + "^" + parts[1];
    }
    if (node.text == "/") return filled(hand_.quotient, parts);
    if (node.text == "+" || node.text == "-") return parts[0] + " " + node.text + " " + parts[1];
    if (is_ones(left) || is_ones(right)) return parts[0] + "·" + parts[1];
    return filled(is_of_matrices(node) ? hand_.matrix_product : product_of_entries(left, right),
                  parts);
  }
  // Numbers are multiplied as entries are.
  bool is_of_matrices(const Node& node) const {
    const std::optional<Value> a = value(node.parts[0]), b = value(node.parts[1]);
    return node.text != "⊙" && a && b && a->numbers.size() > 1 && b->numbers.size() > 1;
  }
  // Without a sign entries meet only where matrices do not.
  const char* product_of_entries(const Node& left, const Node& right) const {
    const bool silent = std::string(hand_.entry_product) == "% %";
    return silent && value(Node::binary(left, "·", right)) && value(left)->numbers.size() > 1 &&
                   value(right)->numbers.size() > 1
               ? "% ⊙ %"
               : hand_.entry_product;
  }
  std::optional<Value> value(const Node& node) const {
    return if_possible([&] { return scope_(node); });
  }

  std::string fold(const Node& node) const {
    const std::string of = atom(node.parts[0]);
    if (!node.indices.empty())
      return node.parts.size() > 1 ? text_of(node) : filled(hand_.sum, {of}, node.indices);
    if (node.text == "Σ") return filled(hand_.all, {of});
    if (node.text == "column sums of") return filled(hand_.column_sums, {of});
    if (node.text == "row sums of") return filled(hand_.row_sums, {of});
    if (node.text == "row means of") return filled(hand_.row_means, {of});
    return node.text + " " + of;
  }

  const Hand& hand_;
  const Scope& scope_;
};

// How indices are written: A[i,k], A_ik, or A_ik by a physicist, who leaves out Σ_k.
enum class Letters { in_brackets, below, implying_sums };
constexpr std::pair<Letters, const char*> of_letters[] = {
    {Letters::in_brackets, "letters in brackets"},
    {Letters::below, "letters below"},
    {Letters::implying_sums, "a physicist with implied sums"}};
constexpr bool are_below(Letters letters) { return letters != Letters::in_brackets; }

// Writes a tree as its entry at two letters: A·B is Σ_k A[i,k]·B[k,j].
class Indexer {
 public:
  Indexer(const Scope& scope, Letters letters) : scope_(scope), letters_(letters) {}

  std::string entry(const Node& node, const std::string& i, const std::string& j) {
    const Value value = scope_(node);
    const std::vector<Node>& parts = node.parts;
    if (value.is_number() || node.kind == Kind::number) return "(" + text_of(node) + ")";
    if (node.kind == Kind::name) return at(node, value, i, j);
    if (node.kind == Kind::call && node.text == "mean") {
      const std::string k = letter();
      return join("(1/", scope_(parts[0]).cols(), ")·Σ_", k, " (", entry(parts[0], i, k), ")");
    }
    if (node.kind == Kind::call) return join(node.text, "(", entry(parts[0], i, j), ")");
    if (node.kind == Kind::unary && node.text == "ᵀ") return entry(parts[0], j, i);
    if (node.kind == Kind::unary) return join(node.text, "(", entry(parts[0], i, j), ")");
    if (node.kind == Kind::fold) return folded(node, i, j);
    if (node.kind != Kind::binary) throw Error("no entry");
    if (node.text == "^") return join("(", entry(parts[0], i, j), ")^", text_of(parts[1]));
    const bool of_matrices = node.text == "·" && scope_(parts[0]).numbers.size() > 1 &&
                             scope_(parts[1]).numbers.size() > 1;
    if (of_matrices) {
      const std::string k = letter();
      const std::string left = entry(parts[0], i, k), right = entry(parts[1], k, j);
      const bool implies = letters_ == Letters::implying_sums && has_letters_once(node);
      const bool sums = scope_(parts[0]).cols() > 1 && !implies;
      return sums ? join("(Σ_", k, " (", left, ")·(", right, "))")
                  : join("((", left, ")·(", right, "))");
    }
    const std::string sign = node.text == "⊙" ? "·" : node.text;
    return join("((", entry(parts[0], i, j), ") ", sign, " (", entry(parts[1], i, j), "))");
  }

 private:
  // Tells whether in each of its products every letter stands once in a table.
  static bool has_letters_once(const Node& node) {
    bool once = true;
    visit(node, [&](const Node& part) {
      constexpr std::string_view signs[] = {"·", "+", "-", "ᵀ"};
      const bool joins = part.kind == Kind::binary || part.kind == Kind::unary;
      once = once && (part.kind == Kind::name || (joins && contains(signs, part.text)));
    });
    return once;
  }

  std::string letter() { return std::string(1, "klmnpquvwxyz"[next_++ % 12]); }

  std::string at(const Node& node, const Value& value, const std::string& i,
                 const std::string& j) const {
    const std::string name = text_of(node);
    if (value.numbers.size() == 1) return name;
    const std::string place = value.rows() == 1     ? j
                              : value.cols() == 1   ? i
                              : are_below(letters_) ? i + j
                                                    : i + "," + j;
    return are_below(letters_) ? name + "_" + place : join(name, "[", place, "]");
  }
  std::string folded(const Node& node, const std::string& i, const std::string& j) {
    const std::string k = letter();
    if (!node.indices.empty()) throw Error("has letters");
    if (node.text == "column sums of")
      return join("(Σ_", k, " (", entry(node.parts[0], k, j), "))");
    if (node.text == "row sums of") return join("(Σ_", k, " (", entry(node.parts[0], i, k), "))");
    throw Error("no entry");
  }

  const Scope& scope_;
  Letters letters_;
  std::size_t next_ = 0;
};

// Returns a line with the sides written; of an entry with letters nothing, or of tables with names
// that end in digits and letters below.
static std::string in_entries(const Equation& line, const Scope& scope, const std::string& asked,
                              Letters letters) {
  const bool below = are_below(letters);
  if (line.sides[0].kind != Kind::name || line.relations[0] != "=") return "";
  for (const auto& [name, value] : scope.values)
    if (below && name.find_first_of("_0123456789") < name.size()) return "";
  try {
    const Value made = scope(line.sides.back());
    if (made.is_number() || made.rows() == 1 || made.cols() == 1) return "";
    const std::string right = Indexer(scope, letters).entry(line.sides.back(), "i", "j");
    return below ? join(asked, "_ij = ", right) : join(asked, "[i,j] = ", right);
  } catch (const Error&) {  // with indices of its own
    return "";
  }
}

static Scope scope_of(const Derivation& d) {
  Scope scope = d.gradients().values();
  for (const auto& [name, value] : d.gradients().values().values)
    scope.values.emplace("d" + name, value);
  return scope;
}

// Calls f with a line in each hand.
template <class F>
static void in_every_hand(const Derivation& d, const Asked& asked, const Equation& line,
                          const F& f) {
  Scope scope = scope_of(d);
  if (asked.name.ends_with("_l")) scope.indices["l"] = asked.from;
  f("ours", join(text_of(line.sides[0]), " ", line.relations[0], " ", text_of(line.sides.back())));
  for (const Hand& hand : hands) {
    const Writer write(hand, scope);
    f(hand.name,
      join(write(line.sides[0]), " ", line.relations[0], " ", write(line.sides.back()), hand.end));
  }
  for (const auto& [letters, hand] : of_letters)
    if (const std::string text = in_entries(line, scope, asked.name, letters); !text.empty())
      f(hand, text);
}

template <class F>
static void for_each_asked(const F& f) {
  for (const auto& entry : std::filesystem::directory_iterator("lessons"))
    for (const Derivation& d : derivations_in(entry.is_directory() ? entry.path().string() : ""))
      for (const Asked& asked : d.asked) f(d, asked);
}

// In these A * dA and K * C may be either product, so a hand that has * for both cannot be told.
static bool is_square_by_nature(const Derivation& d) {
  return d.number == "5.10" || d.number == "6.1" || d.number == "6.2";
}

static void accepted(Checks& check) {
  std::size_t lines = 0;
  for_each_asked([&](const Derivation& d, const Asked& asked) {
    for (const Answer& answer : answers_of(d)) {
      if (answer.name != asked.name || !asked.question.empty()) continue;
      in_every_hand(d, asked, answer.line, [&](const std::string& hand, const std::string& line) {
        ++lines;
        const Judgement said = judge(d, asked, line);
        check.that(said.right, join(d.number, ", ", hand, ": ", line, " is judged: ", said.text));
      });
    }
  });
  std::printf("%zu lines in thirteen hands\n", lines);
  check.that(lines > 1000, "lines in thirteen hands");
}

static void refused(Checks& check) {
  std::size_t lines = 0;
  for_each_asked([&](const Derivation& d, const Asked& asked) {
    if (!asked.question.empty()) return;
    for (const auto& [line, why] : asked.misread)
      in_every_hand(d, asked, line,
                    [&, why = why](const std::string& hand, const std::string& text) {
                      ++lines;
                      const Judgement said = judge(d, asked, text);
                      check.that(!said.right && (has(said.text, why) || is_square_by_nature(d)),
                                 join(d.number, ", ", hand, ": ", text, " is judged: ", said.text));
                    });
  });
  check.that(lines > 500, "misreadings in thirteen hands");
}

// Returns the tree with one sign of a product changed, by its number; the same where there is none.
static Node other_sign(Node tree, std::size_t& number) {
  if (tree.kind == Kind::binary && (tree.text == "·" || tree.text == "⊙")) {
    if (number == 0) {
      tree.text = tree.text == "·" ? "⊙" : "·";
      number = 1000;
      return tree;
    }
    if (number < 1000) --number;
  }
  for (Node& part : tree.parts) part = other_sign(std::move(part), number);
  return tree;
}

// Of no sign in a product more than one reading fits: sizes differ, but where a table is square by
// its nature.
static void one_reading(Checks& check) {
  for_each_asked([&](const Derivation& d, const Asked& asked) {
    if (!asked.question.empty()) return;
    const Scope scope = scope_of(d);
    for (const Answer& answer : answers_of(d)) {
      if (answer.name != asked.name || asked.name.ends_with("_l")) continue;
      const Node& ours = answer.line.sides.back();
      for (std::size_t k = 0; k < 20; ++k) {
        std::size_t number = k;
        const Node other = other_sign(ours, number);
        if (other == ours) break;
        const std::optional<Value> a = if_possible([&] { return scope(ours); }),
                                   b = if_possible([&] { return scope(other); });
        if (!a || !b) continue;
        check.that(a->shape != b->shape || distance(*a, *b) < 1e-12 || is_square_by_nature(d),
                   join(d.number, ", ", asked.name, ": also ", text_of(other)));
      }
    }
  });
}

// What a page and make solution show is accepted in the field that asks for it.
static void shown(Checks& check) {
  for_each_asked([&](const Derivation& d, const Asked& asked) {
    bool has_answer = false;
    for (const Answer& answer : answers_of(d)) {
      if (answer.name != asked.name) continue;
      has_answer = true;
      const std::string line = join(text_of(answer.line.sides[0]), " ", answer.line.relations[0],
                                    " ", text_of(answer.line.sides.back()));
      check.that(judge(d, asked, line).right, join(d.number, ": ", line));
      check.that(answer.line.sides[0].kind == Kind::entry || answer.line.relations[0] == "=",
                 join(d.number, ": ", line, " adds to nothing"));
      check.that(!answer.reason.empty(), join(d.number, ", ", line, ": no reason"));
    }
    check.that(has_answer, join(d.number, ", ", asked.name, ": no answer"));
  });
}

static const Listed here("hands", {accepted, refused, one_reading, shown});

}  // namespace test_hands
