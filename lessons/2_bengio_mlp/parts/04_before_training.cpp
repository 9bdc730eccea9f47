// Lesson 2, part 4: the loss that must be there before training, and what a bad last layer costs.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "common/support/ngram.hpp"
#include "lessons/2_bengio_mlp/session.hpp"

// Loss at every step of a short run whose last layer starts with the given deviation.
inline std::vector<double> short_run(Session& session, double last_deviation, long steps, std::uint64_t seed) {
  Random random(seed);
  Bengio<float> model({session.corpus.vocab(), 3, 2, 64}, random, last_deviation);
  TrainingSettings settings;
  settings.steps = steps, settings.rate = 5e-3;
  std::vector<double> losses;
  train(model, session.corpus.part.train, settings, session.pool, Random(seed, 1),
        [&](long, double loss) { losses.push_back(loss); });
  return losses;
}

inline void part4(Lesson& lesson, Session& session) {
  const Corpus& corpus = session.corpus;
  const double chance = std::log(double(corpus.vocab()));
  const std::size_t count = std::min<std::size_t>(corpus.part.train.size(), 20'000);
  lesson.say("A model that knows nothing gives each of ", corpus.vocab(),
             " symbols the same probability: its loss is ln ", corpus.vocab(), " = ", fixed(chance, 4),
             ". It starts there when the last layer is small.");
  Table table{{"std of W2", "loss before training"}, {}};
  std::vector<double> starts;
  for (const double deviation : {0.0, 0.01, 0.1, 1.0, 3.0}) {
    Random random(lesson.options().seed);
    const Bengio<float> model({corpus.vocab(), 3, 2, 64}, random, deviation);
    starts.push_back(mean_loss(model, corpus.text, 0, count, session.pool));
    table.rows.push_back({significant(deviation), fixed(starts.back(), 4)});
  }
  lesson.show(table);
  lesson.claim("std 0: distance from ln vocab", std::abs(starts[0] - chance), at_most(1e-5));  // float rounding
  // Means and spreads over 200 seeds. The logits are not quite 0, and frequent symbols may have drawn a high one.
  lesson.claim_trained("std 0.01: above ln vocab by", starts[1] - chance, within(0.001, 4.5 * 0.0034));
  lesson.claim_trained("std 3: so many times worse than knowing nothing", starts[4] / chance, within(8, 4.5 * 0.67));

  Random random(lesson.options().seed);
  Bengio<float> model({corpus.vocab(), 3, 2, 64}, random, 0);
  const Ngram unigram = Ngram::interpolated(corpus.part.train, corpus.vocab(), 1, 0);
  for (std::uint32_t s = 0; s < corpus.vocab(); ++s)
    model.b2(0, s) = float(std::log(std::max(unigram.probability({}, s), 1e-9)));
  const double entropy = unigram.loss(corpus.part.train);
  lesson.say(
      "Better still, give the output bias the logarithm of each symbol's frequency, and W2 zeros: the model starts ",
      "at the unigram entropy ", fixed(entropy, 4), " and need not spend steps on learning who is frequent.");
  lesson.claim("start minus unigram entropy",
               std::abs(mean_loss(model, corpus.part.train, 0, corpus.part.train.size(), session.pool) - entropy),
               at_most(1e-5));

  const long steps = lesson.steps(300, 30);
  const std::vector<double> small = short_run(session, 0.01, steps, lesson.options().seed);
  const std::vector<double> middle = short_run(session, 1, steps, lesson.options().seed);
  const std::vector<double> large = short_run(session, 3, steps, lesson.options().seed);
  plot::Chart chart;
  chart.title = "The hockey stick: loss of the batch, last layer small or large";
  chart.x.title = "step";
  chart.y = {"nats a symbol", true, {}, {}};
  for (const auto& [name, losses] : {std::pair("std 3", &large), std::pair("std 0.01", &small)}) {
    plot::Series line{name, {}, {}};
    for (std::size_t k = 0; k < losses->size(); ++k) line.x.push_back(double(k + 1)), line.y.push_back((*losses)[k]);
    chart.series.push_back(line);
  }
  chart.levels = {{"ln vocab", chance}};
  lesson.picture("hockey_stick", chart);
  const auto tail = [](const std::vector<double>& losses) {
    const std::size_t tenth = std::max<std::size_t>(1, losses.size() / 10);
    return std::accumulate(losses.end() - std::ptrdiff_t(tenth), losses.end(), 0.0) / double(tenth);
  };
  lesson.say("Mean loss over the last tenth of ", steps, " steps: ", fixed(tail(small), 2), " from std 0.01, ",
             fixed(tail(large), 2), " from std 3, which first has to squeeze wrong certainty out again.");
  // The first step at which the model no longer does worse than chance; means and spreads of its logarithm over 60 seeds.
  const auto ignorant = [&](const std::vector<double>& losses) {
    return double(std::find_if(losses.begin(), losses.end(), [&](double loss) { return loss < chance; }) -
                  losses.begin());
  };
  lesson.claim_trained("std 1: steps until it does no worse than chance", ignorant(middle),
                       between(std::exp(3.90 - 4.5 * 0.12), std::exp(3.90 + 4.5 * 0.12)));
  lesson.claim_trained("std 3: steps until it does no worse than chance", ignorant(large),
                       between(std::exp(4.99 - 4.5 * 0.19), std::exp(4.99 + 4.5 * 0.19)));
  // Its logarithm is 0.07 ± 0.25 over 200 seeds: some starts are far behind.
  lesson.claim_trained("the bad start is still behind, nats", tail(large) - tail(small),
                       between(std::exp(0.07 - 4.5 * 0.25), std::exp(0.07 + 4.5 * 0.25)));
}
