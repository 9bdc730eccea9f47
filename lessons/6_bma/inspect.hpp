// What the gradients of first batches and the weights of trained runs show.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <string>

#include "lessons/6_bma/lesson.hpp"

namespace lesson6 {

// Returns the norm of the unclipped gradients of the tensors that count, over the first batches of
// all pairs.
template <class Counts>
double gradient_norm(const Session& session, Recipe recipe, const Counts& counts) {
  recipe.run.clip = HUGE_VAL;
  double square = 0;
  for (std::size_t k = 0; k < session.seeds(); ++k) {
    recipe.run.seed = seed_of_run(session.options.seed, k);
    Run run = session.fresh(recipe);
    Pool alone(1);
    LanguageTrainer<float> trainer(run.model, session.corpus.part.train, recipe.run, alone);
    trainer.step();
    for (const auto& [name, tensor] : trainer.gradients())
      if (counts(name)) square += mean_square(tensor) * double(tensor.size());
  }
  return std::sqrt(square);
}

// Returns how far two runs' scores of two tokens, Σ over heads of Wq·Wkᵀ, lie apart, as a share of
// the second's.
inline double other_scores(const Run& one, const Run& other) {
  const Attention<float>&a = one.model.blocks[0].attention, &b = other.model.blocks[0].attention;
  double apart = 0, size = 0;
  const std::size_t m = a.form.head_width();
  for (std::size_t first = 0; first < a.form.width; first += m) {
    const auto scores = [&](const Attention<float>& of) {
      return matmul(column_block(of.Wq, first, m), transpose(column_block(of.Wk, first, m)));
    };
    apart += mean_square(scores(a) - scores(b));
    size += mean_square(scores(b));
  }
  return std::sqrt(apart / size);
}

}  // namespace lesson6
