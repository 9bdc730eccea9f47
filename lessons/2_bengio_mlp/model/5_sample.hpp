// Lesson 2: writing text with a model: predict, draw a symbol, append it, again.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lessons/2_bengio_mlp/model/2_bengio.hpp"

namespace lesson2 {

// Returns the distribution of the next symbol after `text`, with the logits divided by the temperature.   (2.9)
template <class T>
std::vector<T> next_distribution(const Bengio<T>& model, std::vector<std::uint32_t> text, double temperature);

// Draws `count` symbols that continue the prompt.
template <class T>
std::vector<std::uint32_t> sample(const Bengio<T>& model, std::vector<std::uint32_t> prompt, std::size_t count,
                                  double temperature, Random& random);

}  // namespace lesson2
