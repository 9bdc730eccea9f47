// One table of functions: their names in any language, and what each is in our notation. Those that
// a line of our notation cannot say, as sums along an axis, follow it.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <optional>
#include <span>

#include "common/derive/meaning.hpp"

namespace formula {
namespace {

struct Entry {
  std::string_view names, arguments, meaning;
};
constexpr Entry table[] = {
    {"transpose trans t tr T permute swapaxes adjoint ctranspose permutedims", "A", "Aᵀ"},
    {"matmul mm bmm matrix_product matmul_nn", "A B", "A·B"},
    {"matmul_tn crossprod", "A B", "Aᵀ·B"},
    {"matmul_nt tcrossprod", "A B", "A·Bᵀ"},
    {"hadamard multiply mul cwiseproduct times elementwise_product", "A B", "A ⊙ B"},
    {"divide div cwisequotient", "A B", "A/B"},
    {"add add_row plus", "A B", "A + B"},
    {"subtract sub minus", "A B", "A - B"},
    {"negative neg", "A", "-A"},
    {"square", "A", "A²"},
    {"pow power", "A B", "A^B"},
    {"reciprocal inv", "A", "1/A"},
    {"rsqrt", "A", "1/√A"},
    {"vdot frobenius", "A B", "Σ A ⊙ B"},
    {"column_sums colsums colsum columnsums", "A", "column sums of A"},
    {"row_sums rowsums rowsum", "A", "row sums of A"},
    {"column_means colmeans colmean", "A", "column means of A"},
    {"row_means rowmeans rowmean", "A", "row means of A"},
    {"total", "A", "column sums of A"},
    {"sum_all sumall", "A", "Σ A"},
    {"mean_all", "A", "mean of A"},
    {"zeros_like", "A", "0·A"},
    {"ones_like", "A", "0·A + 1"},
    {"keepdim clone copy detach array asarray matrix float double contiguous item astype numpy",
     "A", "A"},
    {"norm", "A", "|A|"},
    {"abs fabs absolute", "A", "√(A²)"},
    {"atan", "A", "arctan(A)"},
    {"artanh arctanh atanh", "A", "½·ln((1 + A)/(1 - A))"},
    {"arcoth arccoth acoth", "A", "½·ln((A + 1)/(A - 1))"},
    {"arsinh arcsinh asinh", "A", "ln(A + √(A² + 1))"},
    {"arcosh arccosh acosh", "A", "ln(A + √(A² - 1))"},
    {"log1p", "A", "ln(1 + A)"},
    {"sech", "A", "1/cosh(A)"},
    {"plogis", "A", "σ(A)"},
    {"dlogis", "A", "σ'(A)"},
    {"hypot", "A B", "√(A² + B²)"},
    {"swish_β silu_β", "A", "swish(β·A)/β"},
    {"swish_β'", "A", "swish'(β·A)"},
    {"maximum fmax", "A B", "max(A, B)"},
    {"exp'", "A", "exp(A)"},
    {"sin'", "A", "cos(A)"},
    {"cos'", "A", "-sin(A)"},
    {"ln' log'", "A", "1/A"},
    {"sqrt'", "A", "1/(2·√A)"},
    {"where", "C A B", "C ⊙ A + (1 - C) ⊙ B"},
    {"heaviside step", "A", "1 if A > 0, else 0"},
};

// Returns the tree with trees in the place of the letters.
Node with_arguments(Node tree, const std::map<std::string, Node>& arguments) {
  if (tree.kind == Kind::name)
    if (const auto own = arguments.find(tree.text); own != arguments.end()) return own->second;
  for (Node& part : tree.parts) part = with_arguments(std::move(part), arguments);
  return tree;
}

const Entry* entry_of(const std::string& name) {
  for (const Entry& entry : table)
    if (contains(words_of(std::string(entry.names)), name)) return &entry;
  return nullptr;
}

bool is_number(const Node& node, std::initializer_list<const char*> numbers) {
  return contains(numbers, text_of(node));
}

Node whole_number(std::size_t n) { return {Kind::number, std::to_string(n)}; }

// ------------------------------------------------------------------------------ calls with axes

// The axis of a call: 0 or 1 of named ones, or the place that an unnamed one has in a language.
struct Axis {
  bool is_given = false, is_first = false, keeps = false;
};
Axis axis_of(const Node& call, const Hand& hand, bool of_method) {
  Axis axis;
  for (std::size_t k = 1; k < call.parts.size(); ++k) {
    const Node& one = call.parts[k];
    const bool named = one.kind == Kind::argument;
    if (named && one.text.starts_with("keepdim")) axis.keeps = true;
    if (named && one.text.starts_with("keepdim")) continue;
    if (named && !contains(std::initializer_list<const char*>{"axis", "dim", "dims"}, one.text))
      throw Error(call.text, " has no ", one.text, " here");
    const Node& at = named ? one.parts[0] : one;
    if (text_of(at) == "None" || at.text == "all" || at.text == "[]") continue;
    if (!named && is_number(at, {"True", "False"})) continue;
    const int first = named ? (one.text == "dims" ? 1 : 0) : of_method ? 0 : hand.first_axis;
    axis.is_given = true;
    if (is_number(at, {"-1"})) continue;
    axis.is_first = is_number(at, {"-2", "0"}) || (first == 1 && is_number(at, {"1"}));
    const bool second = is_number(at, {"2"}) ? first != 0 : is_number(at, {"1"}) && first == 0;
    if (first < 0 && is_number(at, {"1"}))
      throw Error(call.text, "(A, 1) is one thing in NumPy and another in MATLAB; here: column ",
                  call.text, "s of A, row ", call.text, "s of A");
    if (!axis.is_first && !second) throw Error("a matrix has the axes 0 and 1");
  }
  return axis;
}

Node fold(const std::string& words, Node of) { return {Kind::fold, words, {std::move(of)}}; }

Node summed(const Node& call, const Hand& hand, bool of_method) {
  const bool means = call.text == "mean" || call.text == "average";
  const Node& of = call.parts[0];
  const bool with_letters = call.parts.size() > 1 && call.parts[1].kind == Kind::matrix &&
                            call.parts[1].parts[0].parts[0].kind == Kind::name;
  if (with_letters) {  // Sum[a, {i, n}]
    Node sum = fold("Σ", of);
    for (std::size_t k = 1; k < call.parts.size(); ++k)
      sum.indices += text_of(call.parts[k].parts[0].parts[0]);
    return sum;
  }
  Node named = call;
  named.text = means ? "mean" : "sum";
  const std::string what = means ? " means of" : " sums of";
  if (of.kind == Kind::call && of.text == "colwise") return fold("column" + what, of.parts[0]);
  if (of.kind == Kind::call && of.text == "rowwise") return fold("row" + what, of.parts[0]);
  const Axis axis = axis_of(named, hand, of_method);
  const bool of_vector = hand.first_axis == 0 && axis.is_given && !axis.keeps &&
                         (of.kind == Kind::fold && of.indices.empty() && of.text != "Σ");
  if (of_vector) return fold(means ? "mean of" : "Σ", of);  // NumPy sums a vector to a number
  const bool makes_row = hand.first_axis == 0 && axis.is_given && !axis.is_first && !axis.keeps;
  if (makes_row) return Node::unary("ᵀ", fold("row" + what, of));  // as NumPy does
  if (axis.is_given) return fold((axis.is_first ? "column" : "row") + what, of);
  if (hand.sums_columns && !of_method && call.parts.size() == 1) return fold("column" + what, of);
  if (!means) return fold("Σ", of);
  const bool of_all = of_method || hand.first_axis == 0 || call.parts.size() > 1;
  return of_all ? fold("mean of", of) : Node{Kind::call, "mean", {of}};
}

Node softmaxed(const Node& call, const Hand& hand, bool of_method) {
  const Axis axis = axis_of(call, hand, of_method);
  if (axis.is_given && axis.is_first)
    return Node::unary("ᵀ", {Kind::call, "softmax", {Node::unary("ᵀ", call.parts[0])}});
  return {Kind::call, "softmax", {call.parts[0]}};
}

// ------------------------------------------------------------------------------- other languages

// einsum('ik,ij->kj', H, dZ) is the table of Σ_i H[i,k]·dZ[i,j].
Node einsum(const Node& call) {
  if (call.parts.empty() || call.parts[0].kind != Kind::text)
    throw Error("einsum begins with its letters, as 'ik,ij->kj'");
  std::string letters = call.parts[0].text, result;
  std::erase(letters, ' ');
  const std::size_t arrow = letters.find("->");
  const std::string before = letters.substr(0, arrow);
  if (arrow != letters.npos) result = letters.substr(arrow + 2);
  std::optional<Node> product;
  std::string gone;
  std::size_t argument = 1;
  for (std::size_t at = 0; at <= before.size(); ++argument) {
    const std::size_t comma = std::min(before.find(',', at), before.size());
    if (argument >= call.parts.size()) throw Error("einsum has more groups of letters than arrays");
    Node factor{Kind::entry, "", {call.parts[argument]}};
    for (const char letter : before.substr(at, comma - at)) {
      if (letter < 'a' || letter > 'z') throw Error("einsum has small letters, as 'ik,ij->kj'");
      factor.parts.push_back(Node::name(std::string(1, letter)));
      if (arrow != letters.npos && (result + gone).find(letter) == result.npos) gone += letter;
    }
    if (factor.parts.size() == 1) factor = call.parts[argument];
    product =
        product ? Node::binary(std::move(*product), "·", std::move(factor)) : std::move(factor);
    at = comma + 1;
  }
  if (arrow == letters.npos) throw Error("einsum says what it makes behind ->, as 'ik,ij->kj'");
  if (!gone.empty()) {
    product = fold("Σ", std::move(*product));
    product->indices = gone;
  }
  return result.empty() ? *product : Node{Kind::table, "", {std::move(*product)}, result};
}

// tensordot(A, B, axes=(0, 0)) sums along an axis of each, and axes=1 the last one and the first.
Node summed_along(Node a, Node b, const Node& axes) {
  const Node& which = axes.kind == Kind::argument ? axes.parts[0] : axes;
  std::string digits = text_of(which);
  std::erase_if(digits, [](char c) { return c < '0' || c > '9'; });
  const bool is_number = which.kind == Kind::number;
  if (is_number ? digits != "1"
                : digits.find_first_not_of("01") != digits.npos || digits.size() != 2)
    throw Error("tensordot takes an axis, 0 or 1, of each of two tables here");
  if (!is_number && digits[0] == '0') a = Node::unary("ᵀ", std::move(a));
  if (!is_number && digits[1] == '1') b = Node::unary("ᵀ", std::move(b));
  return Node::binary(std::move(a), "·", std::move(b));
}

// ones((1, n)) and ones(1, n) are rows.
Node ones(const std::vector<Node>& shape) {
  if (shape.empty()) return Node::name("ones");
  const bool lists = shape[0].kind == Kind::matrix;
  const Node& rows = lists ? shape[0].parts[0].parts[0] : shape[0];
  const bool row = rows.text == "1" && (lists || shape.size() >= 2);
  const Node& last = lists              ? shape[0].parts[0].parts.back()
                     : shape.size() > 1 ? shape[1]
                                        : shape[0];
  if (!row && last.text != "1" && (lists || shape.size() == 2))
    throw Error("ones has one row or one column");
  return row ? Node::unary("ᵀ", Node::name("ones")) : Node::name("ones");
}

// What lays entries out anew is itself where these are a row or a column, or where nothing changes.
Node reshaped(const Node& call, const Meaning& meaning) {
  const std::optional<Value> value = meaning.value_of(call.parts[0]);
  const bool is_line = value && (value->rows() == 1 || value->cols() == 1);
  const bool same = value && call.parts.size() == 3 &&
                    text_of(call.parts[1]) == std::to_string(value->rows()) &&
                    text_of(call.parts[2]) == std::to_string(value->cols());
  if (!is_line && !same)
    throw Error(call.text,
                " lays the entries out anew, and no product needs that; a transpose is Aᵀ, "
                "or typed A'");
  return call.parts[0];
}

// NumPy's var(A, axis=1) is the mean of (A - mean(A, axis=1))² along it; std is its root. Other
// languages, and PyTorch, divide by one less than there are, if nobody says otherwise.
Node spread(const Node& call, const Hand& hand, bool of_method) {
  Node mean{Kind::call, "mean", {call.parts[0]}};
  bool is_mean = hand.first_axis == 0;
  std::optional<bool> said;
  for (const Node& one : std::span(call.parts).subspan(1)) {
    const bool says =
        contains(std::initializer_list<const char*>{"unbiased", "correction", "ddof"}, one.text);
    if (says) said = is_number(one.parts[0], {"False", "0"});
    else mean.parts.push_back(one);
    if (one.text == "dim") is_mean = false;
  }
  if (!said.value_or(is_mean))
    throw Error(call.text,
                " divides by one less than there are here: write the mean of the squares");
  const Node deviation = Node::binary(call.parts[0], "-", summed(mean, hand, of_method));
  mean.parts[0] = Node::binary(deviation, "^", {Kind::number, "2"});
  const Node variance = summed(mean, hand, of_method);
  return call.text == "var" ? variance : Node::unary("√", variance);
}

// hstack((A, B)) and concatenate([A, B], axis=1) are [A B]; vstack, rbind and [A; B] stand below
// each other.
std::optional<Node> stacked(const Node& call, const Hand& hand) {
  const bool side_by_side =
      contains(std::initializer_list<const char*>{"hstack", "hcat", "cbind", "horzcat"}, call.text);
  const bool below =
      contains(std::initializer_list<const char*>{"vstack", "vcat", "rbind", "vertcat"}, call.text);
  const bool by_axis =
      contains(std::initializer_list<const char*>{"concatenate", "concat", "cat"}, call.text);
  if ((!side_by_side && !below && !by_axis) || call.parts.empty()) return std::nullopt;
  const bool is_list = call.parts[0].kind == Kind::matrix;
  const std::vector<Node> blocks = is_list ? call.parts[0].parts[0].parts : call.parts;
  Node named = call;
  named.text = "concatenate";
  const Axis axis = by_axis ? axis_of(named, hand, false) : Axis{};
  const bool as_rows = below || axis.is_first || (by_axis && !axis.is_given);
  if (!as_rows) return Node{Kind::matrix, "", {Node{Kind::matrix, "", blocks}}};
  Node rows{Kind::matrix};
  for (const Node& block : blocks) rows.parts.push_back({Kind::matrix, "", {block}});
  return rows;
}

// R's sweep(A, 2, v, "-") takes the row v from each row.
Node swept(const Node& call) {
  const std::string sign =
      call.parts.size() > 3
          ? call.parts[3].kind == Kind::argument ? call.parts[3].parts[0].text : call.parts[3].text
          : "-";
  return Node::binary(call.parts[0], sign == "*" ? "⊙" : sign, call.parts[2]);
}

// matmul(A, B, transpose_a=True)
Node multiplied(const Node& call) {
  Node left = call.parts[0], right = call.parts[1];
  for (std::size_t k = 2; k < call.parts.size(); ++k) {
    if (call.parts[k].kind != Kind::argument) throw Error(call.text, " has two factors here");
    if (text_of(call.parts[k].parts[0]) == "False") continue;
    Node& turned = call.parts[k].text.ends_with("a") ? left : right;
    turned = Node::unary("ᵀ", turned);
  }
  return Node::binary(left, "·", right);
}

// Returns how many ways there are to take k of n, both written out; nothing where that is long.
std::optional<Node> choose(const Node& n, const Node& k) {
  const auto is_small = [](const Node& one) {
    return one.kind == Kind::number && one.text.size() < 3 &&
           one.text.find_first_not_of("0123456789") == one.text.npos;
  };
  if (!is_small(n) || !is_small(k)) return std::nullopt;
  const int all = std::stoi(n.text), taken = std::stoi(k.text);
  double ways = 1;
  for (int j = 0; j < taken; ++j) ways = ways * (all - j) / (j + 1);
  if (ways > 1e15) return std::nullopt;  // no longer a whole number
  return Node{Kind::number, std::to_string(std::llround(ways))};
}

// Returns the number of rows, of columns, or of entries that a call asks for.
std::optional<Node> size_of(const Node& call, const Meaning& meaning) {
  const auto is = [&](std::initializer_list<const char*> names) {
    return contains(names, call.text);
  };
  if (call.parts.empty()) return std::nullopt;
  const std::optional<Value> value = meaning.value_of(call.parts[0]);
  if (!value || value->shape.size() != 2) return std::nullopt;
  const std::size_t rows = value->rows(), cols = value->cols();
  if (is({"nrow", "len"}) || (is({"rows"}) && call.parts.size() == 1)) return whole_number(rows);
  if (is({"ncol"}) || (is({"cols"}) && call.parts.size() == 1)) return whole_number(cols);
  if (is({"numel", "length"}) || (is({"size"}) && call.parts.size() == 1))
    return whole_number(rows * cols);
  if (is({"size"}) && is_number(call.parts[1], {"0"})) return whole_number(rows);
  if (is({"size"}) && is_number(call.parts[1], {"1"}))
    return whole_number(meaning.hand().first_axis == 0 ? cols : rows);
  if (is({"size"}) && is_number(call.parts[1], {"2", "-1"})) return whole_number(cols);
  return std::nullopt;
}

// diag(A) of a square matrix is a column in MATLAB, and in NumPy a row.
std::optional<Node> diagonal(const Node& of, const Meaning& meaning) {
  const std::optional<Value> value = meaning.value_of(of);
  if (!value || value->rows() != value->cols() || value->rows() == 1) return std::nullopt;
  const Node i = Node::name("i");
  const Node row{Kind::table, "", {{Kind::entry, "", {of, i, i}}}, "i"};
  return meaning.hand().first_axis == 0 ? row : Node::unary("ᵀ", row);
}

std::vector<std::string> every_name() {
  std::vector<std::string> names{"sum",  "mean", "softmax", "dot", "outer", "einsum", "ones",
                                 "tanh", "exp",  "ln",      "log", "relu",  "sqrt",   "cosh",
                                 "sinh", "sin",  "cos",     "max", "swish"};
  for (const Entry& entry : table)
    for (std::string& name : words_of(std::string(entry.names))) names.push_back(std::move(name));
  return names;
}

}  // namespace

bool is_function(const std::string& name) { return contains(every_name(), name); }

std::optional<Node> Meaning::of_function(const Node& call, bool of_method) const {
  const auto is = [&](std::initializer_list<const char*> names) {
    return contains(names, call.text);
  };
  std::vector<Node> of = call.parts;
  const std::optional<Value> only = of.size() == 1 ? value_of(of[0]) : std::nullopt;
  if (is({"mean"}) && only && only->cols() == 1 && only->rows() > 1) return fold("mean of", of[0]);
  if (is({"sum", "mean", "average"}) && !of.empty()) return summed(call, hand_, of_method);
  if (is({"var", "std"}) && !of.empty()) return spread(call, hand_, of_method);
  if (is({"softmax"}) && of.size() > 1) return softmaxed(call, hand_, of_method);
  if (is({"softmax'"}))
    throw Error(
        "softmax has no slope entry by entry: each score moves all shares of its row, so write with "
        "the shares what comes back from them");
  if (is({"total"}) && of.size() == 2)
    return fold(of[1].kind == Kind::matrix ? "row sums of" : "Σ", of[0]);
  if (is({"einsum"})) return einsum(call);
  if (is({"tensordot"}) && of.size() == 3) return summed_along(of[0], of[1], of[2]);
  if (is({"vdot"}) && of.size() == 1) return fold("mean of", of[0]);  // ⟨A⟩
  if (is({"at", "index_add", "index_add_", "scatter_add", "scatter_add_"}))
    throw Error("what rows of a table collect is written by entries, A[t[i,k], a] += ...");
  if (is({"ones"})) return ones(of);
  if (is({"apply"}) && of.size() == 3 && (of[2].text == "sum" || of[2].text == "mean"))
    return fold(join(of[1].text == "1" ? "row " : "column ", of[2].text, "s of"), of[0]);
  if (is({"squeeze", "flatten", "ravel", "reshape", "view", "unsqueeze", "expand_dims", "expand",
          "repmat", "tile", "repeat", "broadcast_to", "expand_as", "vec"}) &&
      !of.empty())
    return reshaped(call, *this);
  if (call.text.starts_with("permute") && of.size() > 1 && text_of(of[1]) == "0") return of[0];
  if (std::optional<Node> blocks = stacked(call, hand_)) return blocks;
  if (is({"sweep"}) && of.size() > 2) return swept(call);
  if (is({"matmul"}) && of.size() > 1) return multiplied(call);
  if (is({"crossprod", "tcrossprod"}) && of.size() == 1) of.push_back(of[0]);
  if (is({"c"}) && of.size() == 1) return of[0];
  if (is({"c"}) && of.size() > 1) return Node{Kind::matrix, "(", {Node{Kind::matrix, "", of}}};
  if (is({"C", "choose", "binom", "comb", "nchoosek"}) && of.size() == 2)
    return choose(of[0], of[1]);
  if (is({"grad"}) && of.size() == 1 && of[0].kind == Kind::name) {
    Node slope = of[0];
    slope.text = "d" + slope.text;
    return slope;
  }
  if (is({"dot", "inner", "outer"}) && of.size() == 2) return product_of(call.text, of[0], of[1]);
  if (is({"trace", "tr"}) && of.size() == 1 && of[0].kind == Kind::binary)  // tr(A·B)
    return fold("Σ", Node::binary(of[0].parts[0], "⊙", Node::unary("ᵀ", of[0].parts[1])));
  if (is({"diag", "diagonal"}) && of.size() == 1) return diagonal(of[0], *this);
  if (std::optional<Node> size = size_of(call, *this)) return size;
  const Entry* entry = entry_of(call.text);
  if (!entry) return std::nullopt;
  const std::vector<std::string> letters = words_of(std::string(entry->arguments));
  if (of.size() < letters.size()) return std::nullopt;
  std::map<std::string, Node> arguments;
  for (std::size_t k = 0; k < letters.size(); ++k) arguments[letters[k]] = of[k];
  return with_arguments(expression(entry->meaning), arguments);
}

std::string Meaning::unknown_function(const std::string& name) const {
  std::vector<std::string> names = every_name();
  for (const auto& [own, f] : scope_.functions) names.push_back(own);
  const std::string near = nearest(name, names, name.size() / 3);
  if (near == name) return join(name, " takes other arguments than these");
  return join(
      "there is no function ", name, " here",
      near.empty()
          ? "; there are σ, tanh, relu, exp, ln, √, softmax, sum, mean, and slopes with a prime, φ'(Z)"
          : join("; did you mean ", near, "?"));
}

}  // namespace formula
