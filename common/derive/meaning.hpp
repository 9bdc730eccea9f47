// What a typed tree means: names however they are spelt, functions of any language (functions.cpp),
// and products without a sign by the shapes of their factors.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include "common/frame/formula/derivation.hpp"

namespace formula {

bool is_function(const std::string& name);

// Returns the line with TeX's tables and Dirac's brackets written in ours (brackets.cpp).
std::string with_brackets(std::string line);

// Returns the tree with a Σ over each of the letters that stands in two factors of a product
// (repeated.cpp).
Node with_sums_over(const std::vector<std::string>& letters, const Node& tree);

class Meaning {
 public:
  // The scope has a value of each name that a line may use, and of each gradient its shape.
  Meaning(const Scope& scope, const Hand& hand) : scope_(scope), hand_(hand) {}

  // Returns the tree in our notation. Throws Error that says how it is written here.
  Node operator()(Node node);

  // What was read otherwise than it stands: "A*B entry by entry".
  const std::vector<std::string>& notes() const { return notes_; }

  std::optional<Value> value_of(const Node& node) const;
  const Hand& hand() const { return hand_; }

 private:
  Node sum(Node node);
  Node name(Node node) const;
  Node entry(Node node) const;
  std::optional<Node> bracketed_call(const Node& entry) const;
  Node call(Node node) const;
  Node binary(Node node);

  bool known(const std::string& name) const;
  bool has_layers(const std::string& name) const;
  std::string our_name(const std::string& text) const;
  std::optional<Node> split(const std::string& text) const;
  std::string respelt(const std::string& text) const;

  std::optional<Node> of_function(const Node& call, bool of_method) const;
  Node product_of(const std::string& what, const Node& left, const Node& right) const;
  std::string unknown_function(const std::string& name) const;

  const Scope& scope_;
  const Hand& hand_;
  std::vector<std::string> notes_;
};

}  // namespace formula
