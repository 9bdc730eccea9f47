// Lesson 2: what several of its benches share.
// SPDX-License-Identifier: MIT
#include "lessons/2_bengio_mlp/knobs/shared.hpp"

#include <algorithm>

namespace lesson2 {

std::span<const std::uint32_t> short_text(const Session& session) {
  const std::span<const std::uint32_t> all = session.corpus.part.train;
  return all.first(std::min<std::size_t>(all.size(), 100'000));
}

long steps_now(const Options& options, std::size_t wanted) {
  return options.quick ? std::min<long>(long(wanted), 60) : long(wanted);
}

Bengio<float> trained_now(Session& session, const BengioForm& form, long steps, std::uint64_t seed,
                          std::uint64_t stream, const Watch& watch) {
  Random random(seed, stream);
  Bengio<float> model(form, random);
  TrainingSettings settings = session.flags.training;
  settings.steps = steps;
  train(model, short_text(session), settings, session.pool, random, watch);
  return model;
}

std::string label_of_symbol(const Vocabulary& vocabulary, std::size_t s) {
  return s == vocabulary.size() ? "□" : vocabulary.label(s);
}

}  // namespace lesson2
