// Lesson 2: measures the network and its rivals.
// SPDX-License-Identifier: MIT
#include "lessons/2_bengio_mlp/run/rivals.hpp"

#include <vector>

namespace lesson2 {

Ngram interpolated(const Corpus& corpus, std::size_t order) {
  return Ngram::interpolated(corpus.part.train, corpus.vocab(), order, pseudo_counts);
}

Ngram kneser_ney(const Corpus& corpus, std::size_t order) {
  return Ngram::kneser_ney(corpus.part.train, corpus.vocab(), order);
}

static HeldOut together(double validation, double test, const Corpus& corpus) {
  const double a = double(corpus.part.validation.size()), b = double(corpus.part.test.size());
  return {validation, test, (validation * a + test * b) / (a + b)};
}

HeldOut held_out(const Bengio<float>& model, const Corpus& corpus, Pool& pool) {
  const Split& part = corpus.part;
  return together(mean_loss(model, corpus.text, corpus.train_end(), part.validation.size(), pool),
                  mean_loss(model, corpus.text, corpus.validation_end(), part.test.size(), pool), corpus);
}

HeldOut held_out(const Ngram& table, const Corpus& corpus) {
  return together(table.loss(std::span(corpus.text).first(corpus.validation_end()), corpus.train_end()),
                  table.loss(corpus.text, corpus.validation_end()), corpus);
}

// Returns the loss from place `first` on, over as many places as the network has spoken of.
static double mixture_loss(const std::vector<double>& network_log_p, const Ngram& table, double weight,
                           const Corpus& corpus, std::size_t first) {
  double sum = 0;
  for (std::size_t i = 0; i < network_log_p.size(); ++i)
    sum -= std::log(weight * std::exp(network_log_p[i]) +
                    (1 - weight) * table.probability(std::span(corpus.text).first(first + i), corpus.text[first + i]));
  return sum / double(network_log_p.size());
}

Mixture mix(Session& session, const Ngram& table) {
  const Corpus& corpus = session.corpus;
  const std::size_t v = corpus.train_end(), t = corpus.validation_end();
  const auto log_p = [&](std::size_t first, std::size_t count) {
    return log_probabilities(session.model(), corpus.text, first, count, session.pool);
  };
  const std::vector<double> on_validation = log_p(v, corpus.part.validation.size());
  const std::vector<double> on_test = log_p(t, corpus.part.test.size());
  Mixture m;
  double lowest = HUGE_VAL;
  for (int tenths = 0; tenths <= 10; ++tenths) {
    const double loss = mixture_loss(on_validation, table, tenths / 10.0, corpus, v);
    if (!(loss < lowest)) continue;
    lowest = loss;
    m.weight = tenths / 10.0;
  }
  m.table = mixture_loss(on_test, table, 0, corpus, t);
  m.network = mixture_loss(on_test, table, 1, corpus, t);
  m.half = mixture_loss(on_test, table, 0.5, corpus, t);
  m.mixed = mixture_loss(on_test, table, m.weight, corpus, t);
  return m;
}

Trained train_small(const Corpus& corpus, std::size_t context, std::size_t hidden, long steps, std::uint64_t seed) {
  Pool alone(1);
  Random random(seed);
  TrainingSettings settings;
  settings.steps = steps;
  Bengio<float> model({corpus.vocab(), context, 8, hidden}, random);
  train(model, corpus.part.train, settings, alone, Random(seed, 1));
  return {parameters_of(model), held_out(model, corpus, alone).both,
          mean_loss(model, corpus.text, 0, corpus.train_end(), alone)};
}

}  // namespace lesson2
