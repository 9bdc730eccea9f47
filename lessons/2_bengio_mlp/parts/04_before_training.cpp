// Lesson 2, part 4: the loss that must be there before training, and what a bad last layer costs.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "common/support/ngram.hpp"
#include "lessons/2_bengio_mlp/run/session.hpp"

namespace lesson2 {
namespace {

// A network with d = 2 and 64 hidden units; the same numbers for every deviation of W2, but for their scale.
Bengio<float> network(const Lesson& lesson, const Corpus& corpus, double last_deviation) {
  Random random(lesson.options().seed);
  return {{corpus.vocab(), 3, 2, 64}, random, last_deviation};
}

double chance(const Corpus& corpus) { return std::log(double(corpus.vocab())); }

void first_losses(Lesson& lesson, Session& session) {
  const Corpus& corpus = session.corpus;
  const std::size_t count = std::min<std::size_t>(corpus.part.train.size(), 20'000);
  Table table{{"std of W2", "loss before training"}, {}};
  std::vector<double> starts;
  for (const double deviation : {0.0, 0.01, 0.1, 1.0, 3.0}) {
    starts.push_back(mean_loss(network(lesson, corpus, deviation), corpus.text, 0, count, session.pool));
    table.rows.push_back({significant(deviation), fixed(starts.back(), 4)});
  }
  lesson.say("Which loss must stand there before the first step? ln ", corpus.vocab(), " = ", fixed(chance(corpus), 4),
             " where nothing is known. By the standard deviation of W2:");
  lesson.show(table);
  lesson.claim("std 0: distance from ln vocab", std::abs(starts[0] - chance(corpus)), at_most(1e-5));  // float rounding
  // Means and spreads over 200 seeds. The logits are not quite 0, and frequent symbols may have drawn a high one.
  lesson.claim_trained("std 0.01: above ln vocab by", starts[1] - chance(corpus), within(0.001, 4.5 * 0.0034));
  lesson.claim_trained("std 3: so many times worse than knowing nothing", starts[4] / chance(corpus),
                       within(8, 4.5 * 0.67));
}

void start_from_frequencies(Lesson& lesson, Session& session) {
  const Corpus& corpus = session.corpus;
  const Ngram unigram = Ngram::interpolated(corpus.part.train, corpus.vocab(), 1, 0);
  Bengio<float> model = network(lesson, corpus, 0);
  for (std::uint32_t s = 0; s < corpus.vocab(); ++s)
    model.b2(0, s) = float(std::log(std::max(unigram.probability({}, s), 1e-9)));
  const double entropy = unigram.loss(corpus.part.train);
  const double start = mean_loss(model, corpus.part.train, 0, corpus.part.train.size(), session.pool);
  lesson.note("W2 = 0 and b2 = ln of each symbol's frequency start at ", fixed(start, 4), "; the unigram entropy is ",
              fixed(entropy, 4), ".");
  // Float: a logit of some 5 is rounded by 3e-7, and the softmax adds a few such errors.
  lesson.claim("start minus unigram entropy", std::abs(start - entropy), at_most(1e-5));
}

// Loss at every step of a short run whose last layer starts with the given deviation.
std::vector<double> short_run(const Lesson& lesson, Session& session, double last_deviation) {
  Bengio<float> model = network(lesson, session.corpus, last_deviation);
  TrainingSettings settings;
  settings.steps = lesson.steps(300, 30);
  settings.rate = 5e-3;
  std::vector<double> losses;
  train(model, session.corpus.part.train, settings, session.pool, Random(lesson.options().seed, 1),
        [&](long, double loss) { losses.push_back(loss); });
  return losses;
}

plot::Series line_of(const std::string& name, const std::vector<double>& losses) {
  plot::Series line{name, {}, losses};
  for (std::size_t k = 0; k < losses.size(); ++k) line.x.push_back(double(k + 1));
  return line;
}

// Mean over the last tenth of the steps.
double tail(const std::vector<double>& losses) {
  const std::size_t tenth = std::max<std::size_t>(1, losses.size() / 10);
  return std::accumulate(losses.end() - std::ptrdiff_t(tenth), losses.end(), 0.0) / double(tenth);
}

void hockey_stick(Lesson& lesson, Session& session) {
  const std::vector<double> small = short_run(lesson, session, 0.01), middle = short_run(lesson, session, 1),
                            large = short_run(lesson, session, 3);
  const double ignorance = chance(session.corpus);
  plot::Chart chart{.title = "The hockey stick: loss of the batch, last layer small or large",
                    .x = {.title = "step"},
                    .y = {.title = "nats a symbol", .log = true}};
  chart.series = {line_of("std 3", large), line_of("std 0.01", small)};
  chart.levels = {{"ln vocab", ignorance}};
  lesson.figure("hockey_stick", chart);
  lesson.say("Mean loss of the last tenth of the ", small.size(), " steps: ", fixed(tail(small), 2), " from std 0.01, ",
             fixed(tail(large), 2), " from std 3.");
  // Means and spreads of the logarithm over 60 seeds.
  lesson.claim_trained("std 1: steps until it does no worse than chance", first_below(ignorance, middle),
                       within_in_logarithm(3.90, 4.5 * 0.12));
  lesson.claim_trained("std 3: steps until it does no worse than chance", first_below(ignorance, large),
                       within_in_logarithm(4.99, 4.5 * 0.19));
  // Its logarithm is 0.07 ± 0.25 over 200 seeds: some starts are far behind.
  lesson.claim_trained("the bad start is still behind, nats", tail(large) - tail(small),
                       within_in_logarithm(0.07, 4.5 * 0.25));
}

}  // namespace

void part4(Lesson& lesson, Session& session) {
  first_losses(lesson, session);
  start_from_frequencies(lesson, session);
  hockey_stick(lesson, session);
}

}  // namespace lesson2
