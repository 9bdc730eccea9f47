// Lesson 2: measuring the network and its rivals, tables of counts, on text that neither was trained on.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "common/support/ngram.hpp"
#include "common/support/words.hpp"
#include "lessons/2_bengio_mlp/session.hpp"

inline constexpr double pseudo_counts = 4;  // the `a` of the interpolated tables; on a larger text more is better

inline std::size_t numbers_in(Bengio<float> model) {
  std::size_t sum = 0;
  for (const auto& [name, tensor] : model.tensors()) sum += tensor.size();
  return sum;
}

// Losses on validation, test and both together, in nats a symbol.
struct HeldOut {
  double validation, test, both;
};
inline HeldOut held_out(const Bengio<float>& model, const Corpus& corpus, Pool& pool) {
  const std::size_t a = corpus.part.validation.size(), b = corpus.part.test.size();
  const double validation = mean_loss(model, corpus.text, corpus.train_end(), a, pool);
  const double test = mean_loss(model, corpus.text, corpus.validation_end(), b, pool);
  return {validation, test, (validation * double(a) + test * double(b)) / double(a + b)};
}
inline HeldOut held_out(const Ngram& table, const Corpus& corpus) {
  const std::size_t a = corpus.part.validation.size(), b = corpus.part.test.size();
  const double validation = table.loss(std::span(corpus.text).first(corpus.validation_end()), corpus.train_end());
  const double test = table.loss(corpus.text, corpus.validation_end());
  return {validation, test, (validation * double(a) + test * double(b)) / double(a + b)};
}

inline std::vector<std::string> loss_row(const std::string& name, std::size_t numbers, const HeldOut& loss) {
  return {name,
          std::to_string(numbers),
          fixed(loss.validation, 4),
          fixed(loss.test, 4),
          fixed(loss.both, 4),
          fixed(std::exp(loss.both), 2)};
}

// Loss over `count` places from `first` on when the network and a table vote, the network with the given weight.
inline double mixture_loss(const std::vector<double>& network_log_p, const Ngram& table, double weight,
                           const Corpus& corpus, std::size_t first) {
  double sum = 0;
  for (std::size_t i = 0; i < network_log_p.size(); ++i)
    sum -= std::log(weight * std::exp(network_log_p[i]) +
                    (1 - weight) * table.probability(std::span(corpus.text).first(first + i), corpus.text[first + i]));
  return sum / double(network_log_p.size());
}

// Losses on test: each alone, half the weight each, and with the network's weight that was best on validation.
struct Mixture {
  double table = 0, network = 0, half = 0, weight = 0, mixed = HUGE_VAL;
};
inline Mixture mix(Session& session, const Ngram& table) {
  const Corpus& corpus = session.corpus;
  const std::size_t v = corpus.train_end(), t = corpus.validation_end();
  const auto log_p = [&](std::size_t first, std::size_t count) {
    return log_probabilities(session.model(), corpus.text, first, count, session.pool);
  };
  const std::vector<double> on_validation = log_p(v, corpus.part.validation.size());
  const std::vector<double> on_test = log_p(t, corpus.part.test.size());
  Mixture m;
  double lowest = HUGE_VAL;
  for (int tenths = 0; tenths <= 10; ++tenths)
    if (const double loss = mixture_loss(on_validation, table, tenths / 10.0, corpus, v); loss < lowest)
      lowest = loss, m.weight = tenths / 10.0;
  m.table = mixture_loss(on_test, table, 0, corpus, t);
  m.network = mixture_loss(on_test, table, 1, corpus, t);
  m.half = mixture_loss(on_test, table, 0.5, corpus, t);
  m.mixed = mixture_loss(on_test, table, m.weight, corpus, t);
  return m;
}

// A network of the given context and hidden units, d = 8, trained in short; its size, its loss on the last tenth, and on the text it
// was trained on.
struct Trained {
  std::size_t numbers = 0;
  double loss = 0, train_loss = 0;
};
inline Trained train_small(const Corpus& corpus, std::size_t context, std::size_t hidden, long steps,
                           std::uint64_t seed) {
  Pool alone(1);
  Random random(seed);
  TrainingSettings settings;
  settings.steps = steps;
  Bengio<float> model({corpus.vocab(), context, 8, hidden}, random);
  train(model, corpus.part.train, settings, alone, Random(seed, 1));
  return {numbers_in(model), held_out(model, corpus, alone).both,
          mean_loss(model, corpus.text, 0, corpus.train_end(), alone)};
}
