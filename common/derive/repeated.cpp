// Einstein's convention: where a letter stands twice in a product, and not on the left, a physicist
// leaves out the Σ. dH_ij = dZ_ik W_jk is dH_ij = Σ_k dZ_ik W_jk. What one may also read otherwise,
// a letter that stands three times, x_k², or A_ik/B_k, stays as it is.
// SPDX-License-Identifier: MIT
#include <numeric>

#include "common/derive/meaning.hpp"

namespace formula {
namespace {

// How often a letter stands in each product of a tree, once its brackets are multiplied out.
enum Uses { none, once, twice_and_summed, unclear };

// Tells whether a part of a node is an index alone, as k is in A_ik and in δ_kj.
bool is_index(const Node& node, std::size_t part) {
  const bool of_delta = node.kind == Kind::choice && node.text == "=";
  return (node.kind == Kind::entry && part > 0) || (of_delta && (part == 1 || part == 2));
}

// Tells whether a node makes one thing of many numbers, and not of the one at an index.
bool takes_many(const Node& node) {
  return node.kind == Kind::matrix || node.kind == Kind::table ||
         (node.kind == Kind::fold && node.text != "Σ") ||
         (node.kind == Kind::call && (node.text == "softmax" || node.text == "mean"));
}

// Tells whether a letter that stands in a part of a node may meet itself outside.
bool lets_out(const Node& node, std::size_t part) {
  if (node.kind == Kind::fold) return part == 0 && !node.indices.empty();
  return node.kind != Kind::binary || (node.text != "^" && (node.text != "/" || part == 0));
}

bool is_product(const Node& node) {
  return node.kind == Kind::entry ||  // A_kk
         (node.kind == Kind::binary && (node.text == "·" || node.text.empty()));
}

// Returns the uses of a letter, and sums over the innermost product in which it stands twice.
Uses sum_over_repeated(Node& node, const std::string& letter) {
  const Node index = Node::name(letter);
  if (node == index) return unclear;  // k·A_ik
  if (node.kind == Kind::fold && contains(letters_of(node), letter)) return twice_and_summed;
  std::vector<Uses> uses;
  for (std::size_t k = 0; k < node.parts.size(); ++k) {
    Node& part = node.parts[k];
    uses.push_back(part == index && is_index(node, k) ? once : sum_over_repeated(part, letter));
    if (uses[k] == once && !lets_out(node, k)) return unclear;
  }
  const int all = std::accumulate(uses.begin(), uses.end(), 0);
  if (node.kind == Kind::binary && (node.text == "+" || node.text == "-"))
    return uses[0] == uses[1] ? uses[0] : all == twice_and_summed ? twice_and_summed : unclear;
  const bool meets = std::count(uses.begin(), uses.end(), once) == 2;
  if ((meets && !is_product(node)) || (all > none && takes_many(node))) return unclear;
  if (meets) node = {Kind::fold, "Σ", {std::move(node)}, letter};
  return Uses(std::min<int>(all, unclear));
}

}  // namespace

Node with_sums_over(const std::vector<std::string>& letters, const Node& tree) {
  Node all = tree;
  for (const std::string& letter : letters) {
    Node summed = all;
    if (sum_over_repeated(summed, letter) == twice_and_summed) all = std::move(summed);
  }
  return all;
}

}  // namespace formula
