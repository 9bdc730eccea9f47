// Lesson 2: draws text from a model.
// SPDX-License-Identifier: MIT
#include "lessons/2_bengio_mlp/model/5_sample.hpp"

#include <algorithm>
#include <utility>

namespace lesson2 {

template <class T>
std::vector<T> next_distribution(const Bengio<T>& model, std::vector<std::uint32_t> text, double temperature) {
  text.push_back(0);  // the place to be predicted; what stands there is not looked at
  const Windows window = windows_of(text, text.size() - 1, 1, model.form.context, padding_of(model.form));
  Matrix<T> logits = T(1 / temperature) * output(model, window);
  softmax(logits.row(0));
  return {logits.row(0).begin(), logits.row(0).end()};
}

template <class T>
std::vector<std::uint32_t> sample(const Bengio<T>& model, std::vector<std::uint32_t> prompt, std::size_t count,
                                  double temperature, Random& random) {
  const std::size_t start = prompt.size(), context = model.form.context;
  std::vector<std::uint32_t> text = std::move(prompt);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t seen = std::min(context, text.size());
    const std::vector<T> distribution =
        next_distribution(model, {text.end() - std::ptrdiff_t(seen), text.end()}, temperature);
    const std::size_t symbol = random.pick(std::span<const T>(distribution));
    text.push_back(std::uint32_t(symbol));
  }
  return {text.begin() + std::ptrdiff_t(start), text.end()};
}

template std::vector<float> next_distribution(const Bengio<float>&, std::vector<std::uint32_t>, double);
template std::vector<double> next_distribution(const Bengio<double>&, std::vector<std::uint32_t>, double);
template std::vector<std::uint32_t> sample(const Bengio<float>&, std::vector<std::uint32_t>, std::size_t, double,
                                           Random&);
template std::vector<std::uint32_t> sample(const Bengio<double>&, std::vector<std::uint32_t>, std::size_t, double,
                                           Random&);

}  // namespace lesson2
