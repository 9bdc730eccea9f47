// Einstein's convention: where a letter stands in two factors of a product, and not on the left, a
// physicist leaves out the Σ. dH_ij = dZ_ik W_jk is dH_ij = Σ_k dZ_ik W_jk. What one may also read
// otherwise, x_k² alone or A_ik/B_k, stays as it is.
// SPDX-License-Identifier: MIT
#include "common/derive/meaning.hpp"

namespace formula {
namespace {

// How often a letter is an index in a tree, as k is in A_ik and in δ_kj, where no Σ binds it.
std::size_t uses(const Node& tree, const std::string& letter) {
  if (tree.kind == Kind::fold && contains(letters_of(tree), letter)) return 0;
  const bool of_delta = tree.kind == Kind::choice && tree.text == "=";
  std::size_t all = 0;
  for (std::size_t k = 0; k < tree.parts.size(); ++k) {
    const bool is_place = (tree.kind == Kind::entry && k > 0) || (of_delta && (k == 1 || k == 2));
    const bool here = is_place && tree.parts[k] == Node::name(letter);
    all += here ? 1 : uses(tree.parts[k], letter);
  }
  return all;
}

bool is_product(const Node& node) {
  return node.kind == Kind::binary && (node.text == "·" || node.text.empty());
}

// Tells whether a node makes one thing of many numbers, and not of the one at an index.
bool takes_many(const Node& node) {
  return node.kind == Kind::matrix || node.kind == Kind::table ||
         (node.kind == Kind::fold && node.text != "Σ") ||
         (node.kind == Kind::call && (node.text == "softmax" || node.text == "mean"));
}

// Returns how many factors of a product hold the letter.
std::size_t factors_with(const Node& node, const std::string& letter) {
  if (is_product(node))
    return factors_with(node.parts[0], letter) + factors_with(node.parts[1], letter);
  const bool twice = node.kind == Kind::entry && uses(node, letter) > 1;  // A_kk
  return twice ? 2 : uses(node, letter) > 0;
}

// Sums over each whole product in which the letter stands in more than one factor.
void sum_over_repeated(Node& node, const std::string& letter) {
  if (uses(node, letter) < 2 || takes_many(node)) return;
  if (factors_with(node, letter) > 1) {
    node = {Kind::fold, "Σ", {std::move(node)}, letter};
    return;
  }
  const bool divides = node.kind == Kind::binary && node.text == "/";
  if (divides && uses(node.parts[0], letter) > 0 && uses(node.parts[1], letter) > 0) return;
  for (Node& part : node.parts) sum_over_repeated(part, letter);
}

}  // namespace

Node with_sums_over(const std::vector<std::string>& letters, const Node& tree) {
  Node all = tree;
  for (const std::string& letter : letters) {
    Node one = all;
    sum_over_repeated(one, letter);
    if (uses(one, letter) == 0) all = std::move(one);
  }
  return all;
}

}  // namespace formula
