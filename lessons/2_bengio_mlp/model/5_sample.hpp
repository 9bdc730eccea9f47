// Lesson 2: writing text with a model: predict, draw a symbol, append it, again.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bengio.hpp"
#include "common/loss.hpp"

// The law of the next symbol after `text`, with the logits divided by the temperature.   (2.9)
template <class T>
std::vector<T> next_symbol_law(const Bengio<T>& model, std::vector<std::uint32_t> text, double temperature) {
  text.push_back(0);  // the place to be predicted; what stands there is not looked at
  const Windows window = windows_of(text, text.size() - 1, 1, model.sizes.context, padding_of(model.sizes));
  Matrix<T> logits = T(1 / temperature) * model.forward(window).logits;
  softmax(logits.row(0));
  return {logits.row(0).begin(), logits.row(0).end()};
}

// `count` symbols that continue the prompt.
template <class T>
std::vector<std::uint32_t> sample(const Bengio<T>& model, std::vector<std::uint32_t> prompt, std::size_t count,
                                  double temperature, Random& random) {
  const std::size_t start = prompt.size(), context = model.sizes.context;
  std::vector<std::uint32_t> text = std::move(prompt);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t seen = std::min(context, text.size());
    const std::vector<T> law = next_symbol_law(model, {text.end() - std::ptrdiff_t(seen), text.end()}, temperature);
    const std::size_t symbol = random.pick(std::span<const T>(law));
    text.push_back(std::uint32_t(symbol));
  }
  return {text.begin() + std::ptrdiff_t(start), text.end()};
}
