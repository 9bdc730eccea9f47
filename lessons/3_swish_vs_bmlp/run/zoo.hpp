// Lesson 3: the trained models side by side, each with about the same number of parameters on the suites.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>

#include "bmlp.hpp"
#include "common/optimizer.hpp"
#include "gated_mean.hpp"
#include "outer.hpp"
#include "product.hpp"
#include "product2.hpp"
#include "swish.hpp"

// Calls visit(key, title, start) for each; start(random) makes the model as it starts its training.
template <class Visit>
void for_each_model(std::size_t in, std::size_t out, Visit visit) {
  visit("bmlp", "BMLP as published", [=](Random& r) { return Bmlp<float>({in, 64, out}, r); });
  visit("gated_mean", "weights W1 + mean(x)·U1", [=](Random& r) { return GatedMean<float>({in, 34, out}, r); });
  visit("product", "product layer", [=](Random& r) { return Product<float>({in, 33, out}, r); });
  visit("outer", "all products, H⊗H", [=](Random& r) { return Outer<float>({in, 16, out}, r); });
  visit("product2", "two product layers", [=](Random& r) { return Product2<float>({in, 20, out}, 12, 12, r); });
  visit("swish", "swish MLP, no biases", [=](Random& r) { return Swish<float>({in, 64, out}, false, r); });
  visit("swish_bias", "swish MLP", [=](Random& r) { return Swish<float>({in, 60, out}, true, r); });
}

// Their keys: "swish, swish_bias, ...".
inline std::string model_keys() {
  std::string keys;
  for_each_model(1, 1, [&](const std::string& key, const char*, auto) { keys += (keys.empty() ? "" : ", ") + key; });
  return keys;
}

// Calls visit(start) for the model with this key. False when there is none.
template <class Visit>
bool visit_model(const std::string& wanted, std::size_t in, std::size_t out, Visit visit) {
  bool found = false;
  for_each_model(in, out, [&](const std::string& key, const char*, auto start) {
    if (key == wanted) found = true, visit(start);
  });
  return found;
}
