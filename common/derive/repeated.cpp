// Einstein's convention: where a letter stands twice or more in a product, and not on the left, a
// physicist leaves out the Σ. dH_ij = dZ_ik W_jk is dH_ij = Σ_k dZ_ik W_jk. What one may also read
// otherwise, x_k² or A_ik/B_k, stays as it is.
// SPDX-License-Identifier: MIT
#include <numeric>

#include "common/derive/meaning.hpp"

namespace formula {
namespace {

// How often a letter stands in each product of a tree, once its brackets are multiplied out.
enum Uses { none, once, twice, added_up, unclear };

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

// Returns the uses of a sum or a difference with these uses in its terms.
Uses of_terms(Uses a, Uses b) {
  if (a == b) return a;
  return std::min(a, b) == none && std::max(a, b) == added_up ? added_up : unclear;
}

// Returns the uses of a letter, and sums over each product in which it stands more than once; a
// factor waits for the whole product.
Uses sum_over_repeated(Node& node, const std::string& letter, bool is_factor) {
  const Node index = Node::name(letter);
  if (node == index) return unclear;  // k·A_ik
  if (node.kind == Kind::fold && contains(letters_of(node), letter)) return added_up;
  const bool multiplies = is_product(node);
  std::vector<Uses> uses;
  for (std::size_t k = 0; k < node.parts.size(); ++k) {
    Node& part = node.parts[k];
    const bool stands_here = part == index && is_index(node, k);
    uses.push_back(stands_here ? once : sum_over_repeated(part, letter, multiplies));
    if (uses[k] == once && !lets_out(node, k)) return unclear;
  }
  if (node.kind == Kind::binary && (node.text == "+" || node.text == "-"))
    return of_terms(uses[0], uses[1]);
  const int all = std::accumulate(uses.begin(), uses.end(), 0);
  if (all == none || (all == once && !takes_many(node))) return Uses(all);
  const bool is_alone = std::count(uses.begin(), uses.end(), none) + 1 == std::ssize(uses);
  if (is_alone && all == added_up && !takes_many(node)) return added_up;
  if (!multiplies || std::any_of(uses.begin(), uses.end(), [](Uses u) { return u > twice; }))
    return unclear;
  if (is_factor) return twice;
  node = {Kind::fold, "Σ", {std::move(node)}, letter};
  return added_up;
}

}  // namespace

Node with_sums_over(const std::vector<std::string>& letters, const Node& tree) {
  Node all = tree;
  for (const std::string& letter : letters) {
    Node one = all;
    if (sum_over_repeated(one, letter, false) == added_up) all = std::move(one);
  }
  return all;
}

}  // namespace formula
