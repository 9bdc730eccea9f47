// Lesson 6: the loss of a language model on text that it was not trained on.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/run/train_score.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "common/loss.hpp"

namespace lesson6 {

Windowing side_by_side(const LanguageForm& form) { return {form.context, form.context}; }

Windowing overlapping(const LanguageForm& form) { return {form.context, std::max<std::size_t>(1, form.context / 2)}; }

// The sum of the losses of the symbols that count in `windows` windows, the first of which counts from symbol `start`
// on; with `scored` of them in each window.
static double sum_of_losses(const LanguageModel<float>& model, Symbols text, std::size_t start, std::size_t windows,
                            const Windowing& w, std::size_t scored) {
  const std::size_t before = w.tokens - w.scored, length = before + scored;
  std::vector<std::uint32_t> inputs;
  for (std::size_t k = 0; k < windows; ++k) {
    const Symbols window = text.subspan(start + k * w.scored - before - 1, length);
    inputs.insert(inputs.end(), window.begin(), window.end());
  }
  LanguageModel<float>::Trace t;
  model.forward({inputs, length}, t);
  double sum = 0;
  for (std::size_t k = 0; k < windows; ++k)
    for (std::size_t i = 0; i < scored; ++i) {
      const std::span<float> logits = t.Y.row(k * length + before + i);
      const double target = double(logits[text[start + k * w.scored + i]]);
      sum += softmax(logits) - target;
    }
  return sum;
}

double mean_loss(const LanguageModel<float>& model, Symbols text, std::size_t first, std::size_t count,
                 const Windowing& w, Pool& pool) {
  constexpr std::size_t together = 8;  // windows in one forward
  const std::size_t whole = count / w.scored, rest = count % w.scored;
  const std::size_t jobs = (whole + together - 1) / together;
  std::vector<double> sums(jobs);
  pool.run(jobs, [&](std::size_t k) {
    const std::size_t begin = k * together;
    sums[k] = sum_of_losses(model, text, first + begin * w.scored, std::min(together, whole - begin), w, w.scored);
  });
  double sum = rest > 0 ? sum_of_losses(model, text, first + whole * w.scored, 1, w, rest) : 0;
  for (const double s : sums) sum += s;
  return sum / double(count);
}

}  // namespace lesson6
