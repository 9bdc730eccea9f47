// Lesson 2, part 4: the loss that must be there before training, and what a bad last layer costs.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "common/support/spread.hpp"
#include "lessons/2_bengio_mlp/lesson.hpp"

namespace lesson2 {

static constexpr knob::Real deviation{"deviation", "standard deviation of W2 before training", 3, {0, 5, 0.01}};
static constexpr knob::Choice bias{"bias", "what b2 starts from", {"zero", "frequency"}};
static constexpr knob::Real rate{"rate", "peak learning rate", 0.005, {0.0005, 0.03, 0.0005}};
static constexpr knob::Whole length{"steps", "steps of training", 300, {5, 400, 5}};

// A network with d = 2 and 64 hidden units; the same numbers for every deviation of W2, but for their scale.
static Bengio<float> network(const Lesson& lesson, const Corpus& corpus, double last_deviation) {
  Random random(lesson.options().seed);
  return {{corpus.vocab(), 3, 2, 64}, random, last_deviation};
}

// Starts b2 from ln of each symbol's frequency.
static void start_from(const Ngram& unigram, Bengio<float>& model) {
  for (std::uint32_t s = 0; s < model.form.vocab; ++s)
    model.b2(0, s) = float(std::log(std::max(unigram.probability({}, s), 1e-9)));
}

// The loss on the first places of the text.
static double loss_of_start(const Bengio<float>& model, Session& session) {
  const Symbols text = session.corpus.part.train;
  return mean_loss(model, text, 0, std::min<std::size_t>(text.size(), 20'000), session.pool);
}

// The loss of the batch at each step of a short run.
static plot::Series short_run(const std::string& name, Bengio<float> model, const Lesson& lesson, Session& session,
                              const knob::Settings& at) {
  const TrainingSettings settings{.steps = lesson.steps(long(at[length]), 30), .rate = at[rate]};
  plot::Series line{name};
  train(model, session.corpus.part.train, settings, session.pool, Random(lesson.options().seed, 1),
        [&](long step, double loss) { line.add(double(step + 1), loss); });
  return line;
}

static void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Corpus& corpus = session.corpus;
  const double chance = std::log(double(corpus.vocab()));
  const Ngram unigram = Ngram::interpolated(corpus.part.train, corpus.vocab(), 1, 0);
  const double entropy = unigram.loss(corpus.part.train);
  lesson.say("Which loss must stand there before the first step? ln ", corpus.vocab(), " = ", fixed(chance, 4),
             " where nothing is known. By the standard deviation of W2:");
  Table table{{"std of W2", "loss before training"}, {}};
  for (const double std : {0.01, 0.1, 1.0, 3.0})
    table.rows.push_back({significant(std), fixed(loss_of_start(network(lesson, corpus, std), session), 4)});
  lesson.show(table);
  Bengio<float> frequencies = network(lesson, corpus, 0);
  // Float: the rounding of a logarithm of some 4.
  lesson.claim("std 0: distance from ln vocab", std::abs(loss_of_start(frequencies, session) - chance), at_most(1e-5));
  start_from(unigram, frequencies);
  const double start = mean_loss(frequencies, corpus.part.train, 0, corpus.part.train.size(), session.pool);
  lesson.note("W2 = 0 and b2 = ln of each symbol's frequency start at ", fixed(start, 4), "; the unigram entropy is ",
              fixed(entropy, 4), ".");
  // Float: a logit of some 5 is rounded by 3e-7, and the softmax adds a few such errors.
  lesson.claim("start minus unigram entropy", std::abs(start - entropy), at_most(1e-5));

  Bengio<float> turned = network(lesson, corpus, at[deviation]);
  if (at.name_of(bias) == "frequency") start_from(unigram, turned);
  plot::Chart chart{.title = "The hockey stick: loss of the batch, last layer small or large",
                    .x = {.title = "step"},
                    .y = {.title = "nats a symbol", .log = true}};
  chart.series = {short_run(join("std ", at[deviation]), turned, lesson, session, at),
                  short_run("std 0.01", network(lesson, corpus, 0.01), lesson, session, at)};
  chart.levels = {{"ln vocab", chance}};
  if (at.name_of(bias) == "frequency") chart.levels.push_back({"unigram entropy", entropy});
  lesson.figure("hockey_stick", chart);
  // Of the last tenth of the steps.
  const auto tail = [](const plot::Series& line) {
    const std::size_t tenth = std::max<std::size_t>(1, line.y.size() / 10);
    return spread_of(std::vector<double>(line.y.end() - std::ptrdiff_t(tenth), line.y.end())).mean;
  };
  const double bad = tail(chart.series[0]), good = tail(chart.series[1]);
  lesson.say("Mean loss of the last tenth of the ", chart.series[0].y.size(), " steps: ", fixed(good, 2),
             " from std 0.01, ", fixed(bad, 2), " from std ", at[deviation], ", which spends ",
             first_below(chance, chart.series[0].y), " steps on becoming ignorant.");
  lesson.claim_trained("the bad start is still behind, nats", bad - good, at_least(0));
}

extern const Part<Session> part4{.number = 4,
                                 .title = "The loss before training",
                                 .run = run,
                                 .question = "How does the last layer's start change the first steps?",
                                 .knobs = {&deviation, &bias, &rate, &length}};

}  // namespace lesson2
