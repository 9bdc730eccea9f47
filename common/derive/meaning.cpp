// SPDX-License-Identifier: MIT
#include "common/derive/meaning.hpp"

#include "common/frame/formula/lexer.hpp"

namespace formula {
namespace {

struct Word {
  std::string_view word, letter;
};
constexpr Word greek[] = {{"alpha", "α"}, {"beta", "β"},    {"gamma", "γ"},      {"delta", "δ"},
                          {"eps", "ε"},   {"epsilon", "ε"}, {"varepsilon", "ε"}, {"eta", "η"},
                          {"theta", "θ"}, {"kappa", "κ"},   {"lambda", "λ"},     {"mu", "μ"},
                          {"phi", "φ"},   {"varphi", "φ"},  {"sigma", "σ"},      {"tau", "τ"},
                          {"omega", "ω"}, {"Delta", "Δ"},   {"pi", "π"}};

std::string with_greek(const std::string& text) {
  for (const auto& [word, letter] : greek)
    if (text == word) return std::string(letter);
  return text;
}

// Methods that say something with what follows them.
constexpr std::string_view awaiting[] = {"shape", "colwise", "rowwise"};

// Returns the tree with names that have a number below where a letter was: p_i is p_1.
Node with_number(Node tree, const Node& letter, const std::string& number) {
  if (tree.kind == Kind::name && tree.parts == std::vector{letter})
    return Node::name(tree.text + "_" + number);
  for (Node& part : tree.parts) part = with_number(std::move(part), letter, number);
  return tree;
}

bool is_call(const Node& node, std::string_view name) {
  return node.kind == Kind::call && node.text == name;
}

}  // namespace

std::optional<Value> Meaning::value_of(const Node& node) const {
  return if_possible([&] { return scope_(node); });
}

bool Meaning::known(const std::string& name) const {
  const auto has = [&](const std::string& one) {
    return scope_.values.count(one) > 0 || scope_.indices.count(one) > 0;
  };
  return has(name) || hand_.asked.count(name) > 0 || (is_of_gradient(name) && has(name.substr(1)));
}

// Names of layers: dWl is dW_l.
bool Meaning::has_layers(const std::string& name) const {
  return known(name + "_1") || known(name + "_0") || known(name + "_l");
}

// Returns the name that is known for another spelling of it; else the spelling itself.
std::string Meaning::our_name(const std::string& text) const {
  if (known(text) || text.size() < 2) return known(with_greek(text)) ? with_greek(text) : text;
  const std::string other = respelt(text);
  if (known(other)) return other;
  for (const char* before : {"grad_", "grad", "dL_d", "dloss_d", "dLd", "dL_", "d_"})
    if (text.starts_with(before)) {
      const std::string slope = respelt("d" + text.substr(std::string(before).size()));
      if (known(slope) || has_layers(slope)) return slope;
    }
  for (const char* behind : {"_grad", "grad"})
    if (text.ends_with(behind)) {
      const std::string slope =
          respelt("d" + text.substr(0, text.size() - std::string(behind).size()));
      if (known(slope)) return slope;
    }
  return text;
}

// W1 and W_1, X_hat and Xhat, V_tilde and V~, dgamma and dγ, w and W where there is one of them.
std::string Meaning::respelt(const std::string& text) const {
  if (known(text)) return text;
  const std::string in_greek =
      is_of_gradient(text) ? "d" + with_greek(text.substr(1)) : with_greek(text);
  if (known(in_greek)) return in_greek;
  for (const char* tilde : {"_tilde", "tilde", "_t", "_~"})
    if (text.ends_with(tilde)) {
      const std::string with = text.substr(0, text.size() - std::string(tilde).size()) + "~";
      if (known(with)) return with;
    }
  std::string without = text;
  std::erase(without, '_');
  if (known(without)) return without;
  std::size_t digits = text.size();
  while (digits > 0 && is_digit(text[digits - 1])) --digits;
  const std::string with = text.substr(0, digits) + "_" + text.substr(digits);
  if (digits > 0 && digits < text.size() && known(with)) return with;
  std::set<std::string> alike;
  const auto note = [&](const std::string& name) {
    if (small_letters(name) == small_letters(without)) alike.insert(name);
  };
  if (text.size() > 1) {
    for (const std::string& name : hand_.asked) note(name);
    for (const auto& [name, value] : scope_.values) note(name);
  }
  return alike.size() == 1 ? *alike.begin() : text;
}

// Σ_(i=1)^3 of what does not depend on i is three times that, and Σ_(i=1)^2 p_i is p1 + p2.
Node Meaning::sum(Node node) {
  const bool is_counted = node.kind == Kind::fold && node.text == "Σ" && node.parts.size() == 3 &&
                          node.indices.ends_with(" ≤") && node.parts[1].kind == Kind::name;
  const std::optional<Value> last = is_counted ? value_of(node.parts[2]) : std::nullopt;
  if (!last || !last->is_number() || !(last->numbers[0] >= 0 && last->numbers[0] < 100))
    return node;
  const Node letter = node.parts[1];
  bool is_elsewhere = false, is_below_names = false;
  visit(node.parts[0], [&](const Node& inner) {
    for (const Node& part : inner.parts) {
      const bool below = inner.kind == Kind::name && known(our_name(inner.text + "_1"));
      if (part == letter) (below ? is_below_names : is_elsewhere) = true;
    }
  });
  const std::size_t count = std::size_t(last->numbers[0]) + 1;
  if (is_elsewhere || node.parts[0] == letter) return node;
  if (!is_below_names)
    return Node::binary({Kind::number, std::to_string(count)}, "·", node.parts[0]);
  std::optional<Node> all;
  for (std::size_t k = 1; k <= count; ++k) {
    Node term = with_number(node.parts[0], letter, std::to_string(k));
    all = all ? Node::binary(std::move(*all), "+", std::move(term)) : std::move(term);
  }
  return (*this)(std::move(*all));
}

Node Meaning::operator()(Node node) {
  const bool of_array = node.kind == Kind::entry && node.parts[0].kind == Kind::name;
  for (std::size_t k = of_array; k < node.parts.size(); ++k)
    node.parts[k] = (*this)(std::move(node.parts[k]));
  switch (node.kind) {
    case Kind::name:
      return name(std::move(node));
    case Kind::entry:
      return entry(std::move(node));
    case Kind::call:
      return call(std::move(node));
    case Kind::binary:
      return binary(std::move(node));
    case Kind::fold:
      return sum(std::move(node));
    case Kind::unary:  // 1ᵀ A
      if (node.text == "ᵀ" && node.parts[0] == Node{Kind::number, "1"})
        node.parts[0] = Node::name("ones");
      return node;
    default:
      return node;
  }
}

// ------------------------------------------------------------------------------------------- names

Node Meaning::name(Node node) const {
  std::string& text = node.text;
  const bool bare = node.parts.size() == 1 && node.parts[0].kind == Kind::name;
  const std::string whole = bare ? text + "_" + node.parts[0].text : "";
  if (known(whole) && !whole.ends_with("_l")) return Node::name(whole);  // with_u
  if (bare && !has_layers(text)) {
    if (const std::string other = our_name(whole); known(other)) return Node::name(other);
    if (const std::string own = our_name(text); known(own))  // b_j is b[j]
      return {Kind::entry, "", {Node::name(own), node.parts[0]}};
  }
  if (!node.parts.empty()) {  // Z_(l-1)'
    if (!has_layers(text)) text = with_greek(text);
    if (!text.ends_with("'") || known(text + "_1")) return node;
    text.pop_back();
    return Node::unary("ᵀ", std::move(node));
  }
  text = our_name(text);
  const std::string before = text.substr(0, text.size() - 1);
  const std::string turned = our_name(before);
  const bool turns = text.ends_with("'") && !known(text);
  if (turns && (known(turned) || turned == "ones")) return Node::unary("ᵀ", Node::name(turned));
  if (text.ends_with("l") && !known(text) && has_layers(before))
    return {Kind::name, before, {Node::name("l")}};
  if (text.ends_with("T") && !known(text) && known(before))  // HT
    return Node::unary("ᵀ", Node::name(before));
  const std::size_t low = text.find('_');
  if (!known(text) && low == text.npos)
    if (std::optional<Node> product = split(text)) return std::move(*product);
  if (known(text) || low == text.npos) return node;
  const std::string letters = text.substr(low + 1);  // B_kij is B[k,i,j]
  const std::string array = our_name(text.substr(0, low));
  if (letters.empty() || letters == "l" || !is_small_letters(letters) || !known(array)) return node;
  Node entry{Kind::entry, "", {Node::name(array)}};
  for (const char letter : letters) entry.parts.push_back(Node::name(std::string(1, letter)));
  return entry;
}

// KU is K·U, and a known name is not cut.
std::optional<Node> Meaning::split(const std::string& text) const {
  if (text.size() > 8) return std::nullopt;
  for (std::size_t size = text.size() - 1; size > 0; --size) {
    const std::string first = text.substr(0, size), rest = text.substr(size);
    if (!known(first) || hand_.asked.count(first) > 0) continue;
    if (known(rest))
      return Meaning(*this).binary(Node::binary(Node::name(first), "", Node::name(rest)));
    if (std::optional<Node> more = split(rest))
      return Meaning(*this).binary(Node::binary(Node::name(first), "", std::move(*more)));
  }
  return std::nullopt;
}

// Tanh[Z] and φ'[Z] are calls, if the name is that of a function and of nothing else.
std::optional<Node> Meaning::bracketed_call(const Node& entry) const {
  const std::string& name = entry.parts[0].text;
  const bool any_activation = name == "φ" || name == "φ'";
  const bool is_taken = known(name) || has_layers(name) || name.size() < 2 || name == "δ" ||
                        name == "delta" || scope_.functions.count(name) > 0;
  if (is_taken && !any_activation) return std::nullopt;
  const Node as_call{Kind::call, name, {entry.parts.begin() + 1, entry.parts.end()}};
  return if_possible([&] { return call(as_call); });
}

// Z[l] is Z_l, A[i,:] is a row, A[:,j] a column, δ[i,j] is 1 where i = j; Tanh[Z] is a call.
Node Meaning::entry(Node node) const {
  Node& array = node.parts[0];
  const bool plain = array.kind == Kind::name && array.parts.empty();
  if (plain) {
    array.text = our_name(array.text);
    if (std::optional<Node> applied = bracketed_call(node)) return std::move(*applied);
    if ((array.text == "δ" || array.text == "delta") && node.parts.size() == 3 && !known("δ"))
      return Node::where("=", node.parts[1], node.parts[2]);
    std::string text = array.text;
    if (text.ends_with("'") && !known(text)) text.pop_back();
    if (node.parts.size() == 2 && !known(array.text) && has_layers(text))
      return Node{Kind::name, text, {node.parts[1]}};
    if (text != array.text && known(text)) array = Node::unary("ᵀ", Node::name(text));  // H'[k,i]
    else if (!known(array.text))
      if (std::optional<Node> product = split(array.text)) array = std::move(*product);  // (EW)_ij
  } else if (array.kind == Kind::name) {
    array = name(array);
  } else if (is_call(array, "shape") && node.parts.size() == 2) {  // X.shape[0]
    const std::optional<Value> of = value_of(array.parts[0]);
    const bool first = text_of(node.parts[1]) == "0";
    if (of) return {Kind::number, std::to_string(first ? of->rows() : of->cols())};
  }
  const auto is_all = [](const Node& index) {
    return index.kind == Kind::name && index.text == ":";
  };
  while (node.parts.size() > 2 && is_all(node.parts.back())) node.parts.pop_back();
  if (node.parts.size() == 2 && is_all(node.parts[1])) return node.parts[0];
  if (node.parts.size() == 3 && is_all(node.parts[1])) {
    node.parts = {Node::unary("ᵀ", node.parts[0]), node.parts[2]};
    return Node::unary("ᵀ", std::move(node));
  }
  if (std::any_of(node.parts.begin() + 1, node.parts.end(), is_all))
    throw Error("a slice of more than two indices is written with a letter: T[o,i,j] for T[o,:,j]");
  return node;
}

// ----------------------------------------------------------------------------- functions and signs

Node Meaning::call(Node node) const {
  const bool of_method = std::exchange(node.indices, "") == ".";
  if (node.parts.empty() && node.text != "ones") throw Error("of what is ", node.text, "()?");
  if (scope_.functions.count(node.text) > 0) return node;
  if (of_method && contains(awaiting, node.text)) return node;
  const std::string own = our_name(node.text);
  if (!known(own) && has_layers(own) && node.parts.size() == 1)  // Z{l}
    return {Kind::name, own, std::move(node.parts)};
  if (known(own) && own != "ones" && !of_method && !node.parts.empty()) {
    if (node.parts.size() == 1)  // W(A + B)
      return Node::binary(Node::name(own), "", std::move(node.parts[0]));
    node.parts.insert(node.parts.begin(), Node::name(own));  // dE(i,j)
    return entry({Kind::entry, "", std::move(node.parts)});
  }
  const std::string before = node.text.substr(0, node.text.size() - 1);
  if (node.text.ends_with("'") && known(our_name(before)) && node.parts.size() == 1)  // W'(A + B)
    return Node::binary(Node::unary("ᵀ", Node::name(our_name(before))), "",
                        std::move(node.parts[0]));
  for (const char* slope : {"_prime", "_derivative", "_grad", "prime"})
    if (node.text.ends_with(slope))
      node.text = node.text.substr(0, node.text.size() - std::string(slope).size()) + "'";
  const bool primed = node.text.ends_with("'");
  const std::string base = primed ? node.text.substr(0, node.text.size() - 1) : node.text;
  std::string text = with_greek(base);
  if (text == base && text.size() > 1 && !is_function(text)) text = small_letters(text);
  if (text.starts_with("reduce_")) text = text.substr(7);
  if (text == "sigmoid" || text == "logistic" || text == "expit") text = "σ";
  if (text == "silu") text = "swish";
  node.text = text + (primed ? "'" : "");
  if (node.text[0] == 'd' && node.text.size() > 3 && !is_function(node.text)) {  // dtanh, dphi
    const std::string slope = with_greek(node.text.substr(1)) + "'";
    if (slope == "φ'" || value_of({Kind::call, slope, {{Kind::number, "1"}}})) node.text = slope;
  }
  if (node.text == "φ'" || node.text == "φ") return node;
  if (node.text == "δ" && node.parts.size() == 2)  // Kronecker's
    return Node::where("=", node.parts[0], node.parts[1]);
  const bool is_letter = node.text.size() == 1;
  for (const std::string& name : {node.text, is_letter ? node.text : small_letters(node.text)}) {
    Node same = node;
    same.text = name;
    if (std::optional<Node> ours = of_function(same, of_method)) {
      Meaning again(scope_, hand_);
      for (Node& part : ours->parts) part = again(std::move(part));
      return *ours;
    }
  }
  if (node.text == "log" || node.text == "Log") node.text = "ln";
  const std::optional<Value> number = value_of({Kind::call, node.text, {{Kind::number, "1"}}});
  const bool known_here =
      number || node.text == "max" || node.text == "softmax" || node.text == "diag";
  if (!known_here) throw Error(unknown_function(node.text));
  return node;
}

// Of two of a shape dot is the sum of the products, else, as inner, the matrix product; outer takes
// a column and a row.
Node Meaning::product_of(const std::string& what, const Node& left, const Node& right) const {
  const std::optional<Value> a = value_of(left), b = value_of(right);
  const bool of_rows = what == "outer" && left.kind == Kind::entry;  // A[i] is a row
  if (!a || !b) return Node::binary(of_rows ? Node::unary("ᵀ", left) : left, "·", right);
  const auto is_column = [](const Value& v) { return v.cols() == 1; };
  const auto is_line = [](const Value& v) { return v.rows() == 1 || v.cols() == 1; };
  if (what == "outer" && (!is_line(*a) || !is_line(*b)))
    throw Error("outer takes two vectors; a product of matrices is A·B, or typed A @ B");
  if (what == "inner" && !is_line(*a)) return Node::binary(left, "·", Node::unary("ᵀ", right));
  if (what == "outer")
    return Node::binary(is_column(*a) ? left : Node::unary("ᵀ", left), "·",
                        is_column(*b) ? Node::unary("ᵀ", right) : right);
  const bool alike = a->shape == b->shape && a->shape.size() == 2 && a->cols() != a->rows();
  if (alike) return {Kind::fold, "Σ", {Node::binary(left, "⊙", right)}};
  return Node::binary(left, "·", right);
}

Node Meaning::binary(Node node) {
  Node &left = node.parts[0], &right = node.parts[1];
  const bool open = left.kind == Kind::name && left.parts.empty() && !known(left.text);
  if (node.text == "^") {
    const bool turns = right.kind == Kind::name && !known(right.text) &&
                       (right.text == "t" || right.text == "tr" || right.text == "T");
    if (turns) return Node::unary("ᵀ", std::move(left));
    if (left == Node::name("e") && open) return {Kind::call, "exp", {std::move(right)}};
    return node;
  }
  if (node.text == "@") {  // a product of matrices, whatever fits
    node.text = "·";
    return node;
  }
  const bool is_product = node.text == "·" || node.text.empty();
  if (!is_product) return node;
  const auto lying = [&](const Node& of, bool as_row) {
    const std::optional<Value> value = value_of(of);
    const bool lies = value && value->rows() == 1;
    return lies == as_row ? of : Node::unary("ᵀ", of);
  };
  const std::optional<Value> factor = value_of(left);
  if (node.text == "·" && right == Node{Kind::number, "1"} && factor && factor->cols() > 1)
    right = Node::name("ones");  // A·1, the sums of rows
  if (is_call(right, "diag")) return Node::binary(left, "⊙", lying(right.parts[0], true));
  if (is_call(left, "diag")) return Node::binary(lying(left.parts[0], false), "⊙", right);
  if (node.text.empty() && scope_.functions.count(left.text) > 0) return node;  // Var x
  const bool adds_up = left == Node::name("ones") || right == Node::name("ones");
  if (adds_up || value_of(node)) return node;
  const std::optional<Value> a = value_of(left), b = value_of(right);
  if (!a || !b || !value_of(Node::binary(left, "⊙", right))) return node;
  node.text = "⊙";
  notes_.push_back(text_of(node));
  return node;
}

}  // namespace formula
