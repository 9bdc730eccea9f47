// Lesson 6: the loss of a language model on text that it was not trained on, in windows side by side.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/loss.hpp"
#include "common/support/parallel.hpp"
#include "language_model.hpp"

// Mean cross-entropy in nats of the symbols first .. first + count - 1, cut into windows as long as the context: within a
// window each symbol is predicted from those before it, the first one from one symbol. `first` must be at least 1.
template <class T>
double mean_loss(const LanguageModel<T>& model, Symbols text, std::size_t first, std::size_t count, Pool& pool) {
  const std::size_t tokens = model.form.context, whole = count / tokens, rest = count % tokens;
  constexpr std::size_t together = 8;  // windows in one forward
  const std::size_t jobs = (whole + together - 1) / together + (rest > 0 ? 1 : 0);
  std::vector<double> sums(jobs);
  pool.run(jobs, [&](std::size_t k) {
    const std::size_t begin = k * together * tokens;
    const bool last = rest > 0 && k + 1 == jobs;
    const std::size_t start = first + (last ? whole * tokens : begin);
    const std::size_t length = last ? rest : std::min(together * tokens, whole * tokens - begin);
    typename LanguageModel<T>::Trace trace;
    model.forward(text.subspan(start - 1, length), last ? rest : tokens, trace);
    sums[k] = double(length) * softmax_cross_entropy<T>(std::move(trace.logits), text.subspan(start, length)).value;
  });
  double sum = 0;
  for (const double s : sums) sum += s;
  return sum / double(count);
}
