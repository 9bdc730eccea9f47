// What people do to a right line, and what to say of it.
// SPDX-License-Identifier: MIT
#include "common/derive/judge.hpp"

namespace formula {
namespace {

bool has_name(const Node& tree, bool (*is)(const std::string&)) {
  return count_if(tree, [&](const Node& node) {
           return (node.kind == Kind::name || node.kind == Kind::call) && is(node.text);
         }) > 0;
}
bool is_one_less(const Node& tree) {
  return tree.kind == Kind::binary && tree.text == "-" && tree.parts[0].kind == Kind::number;
}
bool is_slope(const Node& tree) {
  return is_one_less(tree) ||
         has_name(tree, [](const std::string& name) { return name.ends_with("'"); });
}

// ------------------------------------------------------------------------- repairs of a whole line

Node with_sums(Node tree) {
  for (Node& part : tree.parts) part = with_sums(std::move(part));
  const std::size_t at = tree.text.find(" means of");
  if (tree.kind == Kind::fold && at != tree.text.npos) tree.text.replace(at, 9, " sums of");
  if (tree.kind == Kind::fold && tree.text == "mean of") tree.text = "Σ";
  if (tree.kind == Kind::call && tree.text == "mean")
    return {Kind::fold, "row sums of", tree.parts};
  return tree;
}

// Takes (row sums of A)ᵀ for row sums of A.
Node with_columns(Node tree) {
  for (Node& part : tree.parts) part = with_columns(std::move(part));
  return is_row_of_sums(tree) ? tree.parts[0] : tree;
}

Node with_function(Node tree, const std::string& f) {
  for (Node& part : tree.parts) part = with_function(std::move(part), f);
  if (tree.kind == Kind::call && tree.parts.size() == 1) tree.text = f;
  return tree;
}

// Puts a tree in the place of each part that is like another.
Node with_other(Node tree, const Node& of, const Node& other) {
  if (tree == of) return other;
  for (Node& part : tree.parts) part = with_other(std::move(part), of, other);
  return tree;
}

// Returns the tree with a row added to each of its products of matrices.
std::vector<Node> with_added(const Node& tree, const Node& row) {
  std::vector<Node> all;
  if (tree.kind == Kind::binary && (tree.text == "·" || tree.text.empty()))
    all.push_back(Node::binary(tree, "+", row));
  for (std::size_t k = 0; k < tree.parts.size(); ++k)
    for (Node& part : with_added(tree.parts[k], row)) {
      all.push_back(tree);
      all.back().parts[k] = std::move(part);
    }
  return all;
}

// Returns the numbers that our line does not have.
std::vector<Node> numbers_in(const Node& yours, const Node* ours) {
  std::vector<Node> numbers, of_ours{{Kind::number, "1"}};
  if (ours)
    visit(*ours, [&](const Node& node) {
      if (node.kind == Kind::number) of_ours.push_back(node);
    });
  visit(yours, [&](const Node& node) {
    if (node.kind == Kind::number && !contains(of_ours, node) && !contains(numbers, node))
      numbers.push_back(node);
  });
  return numbers;
}

// Notes the tree with names in the place of up to three numbers: W/64 where W/h belongs.
void names_for_numbers(const Node& yours, std::vector<Node> numbers, const std::string& before,
                       const Scope& scope, std::vector<Slip>& all) {
  if (numbers.empty() || all.size() > 500) return;
  const Node number = numbers.back();
  numbers.pop_back();
  for (const auto& [name, value] : scope.values) {
    if (!value.is_number() || name == "loss" || name == "ones") continue;
    const Node other = with_other(yours, number, Node::name(name));
    const std::string names = before.empty() ? name : name + " or " + before;
    all.push_back(
        {other, join("a number stands where ", names, " belongs, which is another one here"), ""});
    names_for_numbers(other, numbers, names, scope, all);
  }
}

// ------------------------------------------------------------------------------- slips of our line

class Mutator {
 public:
  explicit Mutator(const Scope& scope) : scope_(scope) {}

  std::vector<Slip> all(const Node& tree) {
    spoil_whole(tree);
    walk(tree, false);
    return std::move(slips_);
  }

 private:
  // Notes the whole tree with this in the place of the node.
  void add(const Node& node, const std::string& cause, const std::string& cause_if_reversed) {
    slips_.push_back({whole_(node), cause, cause_if_reversed});
  }
  void add(const Node& node, const std::string& cause) { add(node, cause, cause); }

  void spoil_whole(const Node& tree) {
    add(Node::unary("-", tree), "the sign is wrong");
    const Node two{Kind::number, "2"};
    add(Node::binary(tree, "·", two), "a factor of 2 too many", "a factor of 2 is missing");
    add(Node::binary(tree, "/", two), "a factor of 2 is missing", "a factor of 2 too many");
    for (const auto& [name, value] : scope_.values) {
      if (!value.is_number() || value.numbers[0] == 1 || name == "loss") continue;
      add(Node::binary(tree, "·", Node::name(name)),
          divides_by(tree, name) ? join("the division by ", name, " is missing")
                                 : join("multiplied by ", name, ", which is too many"),
          name + " is missing as a factor");
      add(Node::binary(tree, "/", Node::name(name)), join("divided by ", name, " once too often"),
          join("a division by ", name, " is too many"));
      if (has_factor(tree, name))
        add(Node::binary(Node::binary(tree, "/", Node::name(name)), "/", Node::name(name)),
            join("divided by ", name, ", which multiplies here"),
            join("multiplied by ", name, ", which divides here"));
    }
    for (const char* sign : {"⊙", "·"})
      if (const Node other = with_signs(tree, sign); other != tree)
        add(other, products_mixed(sign));
    for (const std::string& name : alike(tree))
      if (name[0] != 'd')
        add(Node::binary(tree, "⊙", Node::name(name)),
            join("multiplied by ", name, ", which is too many"), name + " is missing as a factor");
    add(Node::unary("ᵀ", tree), "transposed");
    replace_names(tree);
  }

  // A name in all its places, as Z ⊙ (1 - Z) for G ⊙ (1 - G).
  void replace_names(const Node& tree) {
    std::map<std::string, std::size_t> uses;
    visit(tree, [&](const Node& node) {
      if (node.kind == Kind::name && node.parts.empty()) ++uses[node.text];
    });
    for (const auto& [name, count] : uses) {
      const auto own = scope_.values.find(name);
      if (count < 2 || own == scope_.values.end()) continue;
      for (const auto& [other, value] : scope_.values)
        if (other != name && other != "R" && value.shape == own->second.shape)
          add(with_other(tree, Node::name(name), Node::name(other)),
              join(other, " stands where ", name, " belongs"));
    }
  }

  static bool divides_by(const Node& tree, const std::string& name) {
    return count_if(tree, [&](const Node& node) {
             return node.kind == Kind::binary && node.text == "/" &&
                    uses_of(node.parts[1], name) > 0;
           }) > 0;
  }

  static bool has_factor(const Node& tree, const std::string& name) {
    return uses_of(tree, name) > 0 && !divides_by(tree, name);
  }

  // Returns the tree with ⊙ for each · or the other way round.
  static Node with_signs(Node tree, const std::string& sign) {
    if (tree.kind == Kind::binary && (tree.text == "·" || tree.text == "⊙")) tree.text = sign;
    for (Node& part : tree.parts) part = with_signs(std::move(part), sign);
    return tree;
  }
  static std::string products_mixed(const std::string& sign) {
    return sign == "⊙" ? "entry by entry, where the product of matrices belongs"
                       : "the product of matrices, where entry by entry (⊙) belongs";
  }

  // Spoils a node, and then its parts in its place.
  void walk(const Node& node, bool at_slope) {
    spoil(node, at_slope);
    const bool is_call = node.kind == Kind::call && node.text.ends_with("'");
    const bool slope = at_slope || is_call || is_one_less(node);
    const auto around = whole_;
    const std::size_t end =
        node.kind == Kind::entry ? 1 : node.parts.size();  // indices are no terms
    for (std::size_t k = 0; k < end; ++k) {
      whole_ = [&, k](const Node& part) {
        Node here = node;
        here.parts[k] = part;
        return around(here);
      };
      walk(node.parts[k], slope);
    }
    whole_ = around;
    if (node.kind == Kind::binary && node.text == "⊙" && is_slope(node.parts[1]))
      for (const std::string& name : alike(node.parts[1]))  // dH ⊙ H
        add(Node::binary(node.parts[0], "⊙", Node::name(name)),
            name + " stands where a slope belongs",
            join("a slope stands where ", name, " belongs"));
  }

  void spoil(const Node& node, bool at_slope) {
    if (node.kind == Kind::name) spoil_name(node, at_slope);
    if (node.kind == Kind::call) spoil_call(node);
    if (node.kind == Kind::fold) spoil_fold(node);
    if (node.kind != Kind::binary && node.kind != Kind::unary) return;
    const std::string& sign = node.text;
    if (sign == "·" || sign == "⊙" || sign.empty()) spoil_product(node);
    if (sign == "+" || (sign == "-" && node.kind == Kind::binary)) spoil_sum(node);
    if (sign == "/")
      add(node.parts[0], "a division is missing: by what?", "a division is too many");
    if (sign == "ᵀ") add(node.parts[0], "a transpose is missing", "a transpose is too many");
  }

  static std::string term_missing(const Node& term) {
    const bool bias = term.kind == Kind::name && (term.text[0] == 'b' || term.text[0] == 'c');
    if (bias) return join("the bias ", term.text, " is missing");
    return has_name(term, is_of_gradient)
               ? "a way back is missing: what is asked for reaches the loss in more than one way"
               : "a term is missing";
  }
  void spoil_sum(const Node& node) {
    const Node &first = node.parts[0], &last = node.parts[1];
    const bool adds = node.text == "+";
    add(first, term_missing(last), "a term is too many");
    add(adds ? last : Node::unary("-", last), term_missing(first), "a term is too many");
    add(Node::binary(first, adds ? "-" : "+", last), "a sign inside is wrong");
    if (adds) add(Node::binary(last, "-", first), "a sign inside is wrong");
    if (!adds && first.kind == Kind::number)
      add(last, join("before ", text_of(last), " '", first.text, " -' is missing"),
          join("before ", text_of(last), " '", first.text, " -' is too many"));
    add(Node::binary(node, "+", first), "a term stands twice", "a term is missing");
    add(Node::binary(node, node.text, last), "a term stands twice", "a term is missing");
  }

  static std::string factor_missing(const Node& factor) {
    return is_slope(factor) ? "the slope of the activation is missing" : "a factor is missing";
  }
  void spoil_product(const Node& node) {
    const Node &first = node.parts[0], &last = node.parts[1];
    spoil_sigmoid(node);
    spoil_transpose(node);
    add(first, factor_missing(last), "a factor is too many");
    add(last, factor_missing(first), "a factor is too many");
    if (node.text == "⊙") {
      add(Node::binary(first, "·", last), products_mixed("·"), products_mixed("⊙"));
    } else {
      add({Kind::fold, "column sums of", {last}}, factor_missing(first),
          "a sum stands where a product belongs");
      add({Kind::fold, "row sums of", {first}}, factor_missing(last),
          "a sum stands where a product belongs");
      add(Node::binary(first, "⊙", last), products_mixed("⊙"), products_mixed("·"));
    }
    add(Node::binary(first, "+", last), "a sum stands where a product belongs",
        "a product stands where a sum belongs");
    for (const Node& factor : {last, first})
      add(Node::binary(node, "⊙", factor), "a factor stands twice", "a factor is missing");
  }

  // VᵀW for WᵀV, and VWᵀ for WVᵀ.
  void spoil_transpose(const Node& node) {
    const Node &first = node.parts[0], &last = node.parts[1];
    const auto turns = [](const Node& one) { return one.kind == Kind::unary && one.text == "ᵀ"; };
    if (node.text == "⊙" || turns(first) == turns(last)) return;
    const Node other = turns(first)
                           ? Node::binary(first.parts[0], node.text, Node::unary("ᵀ", last))
                           : Node::binary(Node::unary("ᵀ", first), node.text, last.parts[0]);
    const Node swapped = turns(first)
                             ? Node::binary(Node::unary("ᵀ", last), node.text, first.parts[0])
                             : Node::binary(last.parts[0], node.text, Node::unary("ᵀ", first));
    add(other, "the other factor is transposed");
    add(swapped, "the factors are in the other order");
  }

  // A ⊙ G ⊙ (1 - G)
  void spoil_sigmoid(const Node& node) {
    const Node &first = node.parts[0], &last = node.parts[1];
    const bool one_less =
        last.kind == Kind::binary && last.text == "-" && last.parts[0] == Node{Kind::number, "1"};
    const bool joined = first.kind == Kind::binary && first.text == "⊙";
    if (!one_less || (joined ? first.parts[1] : first) != last.parts[1]) return;
    const Node square = Node::binary(last.parts[1], "^", {Kind::number, "2"});
    const Node of_tanh = Node::binary(last.parts[0], "-", square);
    add(joined ? Node::binary(first.parts[0], "⊙", of_tanh) : of_tanh,
        "that is the slope of tanh; σ has G ⊙ (1 - G)");
    if (joined)
      add(first.parts[0], "the slope of the sigmoid is missing",
          "the slope of the sigmoid stands once too often");
  }

  void spoil_fold(const Node& node) {
    if (node.text == "Σ") {
      add({Kind::fold, "mean of", node.parts}, "a mean stands where a sum belongs");
      return;
    }
    const bool of_rows = node.text.starts_with("row");
    const std::string what = node.text.substr(node.text.find(' '));
    if (what != " of")
      add({Kind::fold, (of_rows ? "column" : "row") + what, node.parts},
          "summed over the wrong side");
    if (of_rows)
      add({Kind::fold, "Σ", node.parts}, "that is one sum of all rows; each row has its own");
    add(node.parts[0], "the sum is missing", "the sum is too many");
    const std::size_t at = node.text.find(" sums of");
    if (at != node.text.npos)
      add({Kind::fold, node.text.substr(0, at) + " means of", node.parts},
          "a mean stands where a sum belongs", "a sum stands where a mean belongs");
  }

  void spoil_call(const Node& node) {
    if (!node.text.ends_with("'")) return;
    const std::string value = node.text.substr(0, node.text.size() - 1);
    add({Kind::call, value, node.parts}, "the activation stands where its slope belongs",
        "the slope stands where the activation belongs");
  }

  void spoil_name(const Node& node, bool at_slope) {
    const auto own = scope_.values.find(node.text);
    if (own == scope_.values.end() || !node.parts.empty()) return;
    const Value& value = own->second;
    if (value.rows() > 1 && value.rows() == value.cols())
      add(Node::unary("ᵀ", node), "a transpose is too many", "a transpose is missing");
    const std::string elsewhere = " stands where something else of its shape belongs";
    for (const auto& [name, other] : scope_.values)
      if (name != node.text && name != "R" && other.shape == value.shape)
        add(Node::name(name),
            at_slope ? join("the slope is taken at ", name, ", which is the wrong place")
                     : name + elsewhere,
            node.text + elsewhere);
  }

  // Returns names of a tree's shape.
  std::vector<std::string> alike(const Node& tree) const {
    const std::optional<Value> like = if_possible([&] { return scope_(tree); });
    std::vector<std::string> names;
    for (const auto& [name, value] : scope_.values)
      if (like && value.shape == like->shape && !value.is_number()) names.push_back(name);
    return names;
  }

  const Scope& scope_;
  std::vector<Slip> slips_;
  std::function<Node(const Node&)> whole_ = [](const Node& node) { return node; };
};

}  // namespace

bool is_row_of_sums(const Node& node) {
  return node.kind == Kind::unary && node.text == "ᵀ" && node.parts[0].kind == Kind::fold &&
         node.parts[0].text.starts_with("row");
}

std::vector<Slip> repairs_of(const Node& yours, const Node* ours, const Scope& scope) {
  std::vector<Slip> all;
  const auto add = [&](Node tree, std::string cause) {
    if (tree != yours) all.push_back({std::move(tree), std::move(cause), ""});
  };
  add(with_columns(yours), "without keepdims=True NumPy makes a row of the sums of rows");
  add(with_sums(yours), "a mean stands where a sum belongs");
  for (const char* f : {"φ", "φ'", "σ", "σ'", "tanh", "tanh'"})
    add(with_function(yours, f), std::string(f).starts_with("φ")
                                     ? "φ is any activation here, and this is one of them"
                                     : join("another function stands where ", f, " belongs"));
  names_for_numbers(yours, numbers_in(yours, ours), "", scope, all);
  for (const auto& [name, value] : scope.values)
    if (value.rows() == 1 && value.numbers.size() > 1 && name[0] != 'd')
      for (Node& with : with_added(yours, Node::name(name)))
        add(std::move(with), join("the bias ", name, " is missing"));
  return all;
}

std::vector<Slip> slips_of(const Node& tree, const Scope& scope) {
  return Mutator(scope).all(tree);
}

}  // namespace formula
