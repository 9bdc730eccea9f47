// Lesson 6: the loss of a language model on text that it was not trained on.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "common/support/parallel.hpp"
#include "lessons/6_bma/model/5_language_model.hpp"

namespace lesson6 {

// Windows as long as the context; of each the last `scored` symbols count, and the windows overlap by the rest. With
// scored = context they stand side by side, as most papers measure: then the first symbol of each window is predicted
// from a single one. With half of the context each symbol is predicted from half of the context at least.
struct Windowing {
  std::size_t tokens, scored;
};
Windowing side_by_side(const LanguageForm& form);
Windowing overlapping(const LanguageForm& form);

// Returns the mean cross-entropy in nats of the symbols first .. first + count - 1. There must be w.tokens symbols
// before the first.
double mean_loss(const LanguageModel<float>& model, Symbols text, std::size_t first, std::size_t count,
                 const Windowing& w, Pool& pool);

}  // namespace lesson6
