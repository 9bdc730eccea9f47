// Lesson 6: a language model that a bench trains while one waits, or the one of --load.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/knobs/small_model.hpp"

#include <algorithm>

namespace lesson6 {

Run small_model(Session& session, Gate gate, long steps) {
  if (!session.flags.load.empty()) return session.model();
  Recipe recipe = session.recipe(gate, session.options.seed);
  recipe.run.steps = steps;
  recipe.run.warm_up = warm_up_of(steps);
  return session.train(recipe, session.pool).run;
}

Symbols held_out_window(const Session& session, std::size_t from, std::size_t count) {
  const std::size_t first = session.corpus.train_end(), all = session.corpus.text.size() - first;
  count = std::min(count, all);
  return Symbols(session.corpus.text).subspan(first + std::min(from, all - count), count);
}

std::string letter_of(const Session& session, std::uint32_t symbol) { return session.corpus.vocabulary.label(symbol); }

}  // namespace lesson6
