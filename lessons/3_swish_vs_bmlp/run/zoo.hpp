// Lesson 3: the trained models side by side, each with about the same number of parameters on the suites.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>

#include "lessons/3_swish_vs_bmlp/models.hpp"

namespace lesson3 {

struct Forms {
  std::size_t in, out;
  Sizes bmlp{in, 64, out}, gated_mean{in, 34, out}, product{in, 33, out}, outer{in, 16, out};
  Product2Form product2{{in, 20, out}, 12, 12};
  SwishForm bare_swish{{in, 64, out}, false}, swish{{in, 60, out}, true};
};

// Calls visit(key, title, start) for each; start(random) makes the model as it starts its training.
template <class Visit>
void for_each_model(std::size_t in, std::size_t out, Visit visit) {
  const Forms of{in, out};
  visit("bmlp", "BMLP as published", [=](Random& r) { return Bmlp<float>(of.bmlp, r); });
  visit("gated_mean", "weights W1 + mean(x)·U1", [=](Random& r) { return GatedMean<float>(of.gated_mean, r); });
  visit("product", "product layer", [=](Random& r) { return Product<float>(of.product, r); });
  visit("outer", "all products, H⊗H", [=](Random& r) { return Outer<float>(of.outer, r); });
  visit("product2", "two product layers", [=](Random& r) { return Product2<float>(of.product2, r); });
  visit("swish", "swish MLP, no biases", [=](Random& r) { return Swish<float>(of.bare_swish, r); });
  visit("swish_bias", "swish MLP", [=](Random& r) { return Swish<float>(of.swish, r); });
}

// Returns their keys: "bmlp, gated_mean, ...".
std::string model_keys();

// Calls visit(start) for the model with this key. Returns false when there is none.
template <class Visit>
bool visit_model(const std::string& wanted, std::size_t in, std::size_t out, Visit visit) {
  bool found = false;
  for_each_model(in, out, [&](const std::string& key, const char*, auto start) {
    if (key != wanted) return;
    found = true;
    visit(start);
  });
  return found;
}

}  // namespace lesson3
