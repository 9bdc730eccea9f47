// Lesson 2, part 4: the first steps of training from any last layer.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include "common/support/ngram.hpp"
#include "lessons/2_bengio_mlp/knobs/shared.hpp"

namespace lesson2 {
namespace {

constexpr knob::Real deviation{"deviation", "standard deviation of W2 before training", 3, {0, 5, 0.01}};
constexpr knob::Choice bias{"bias", "what b2 starts from", {"zero", "frequency"}};
constexpr knob::Real rate{"rate", "peak learning rate", 0.005, {0, 0.03, 0.0005}};
constexpr knob::Whole length{"train-steps", "steps of training", 100, {5, 400, 5}};

void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Options& options = lesson.options();
  const std::size_t vocab = session.corpus.vocab();
  const std::span<const std::uint32_t> text = short_text(session);
  Random random(options.seed, 504);
  Bengio<float> model({vocab, 3, 8, 64}, random, at[deviation]);
  const Ngram unigram = Ngram::interpolated(text, vocab, 1, 0);
  if (at[bias] == 1)
    for (std::uint32_t s = 0; s < vocab; ++s)
      model.b2(0, s) = float(std::log(std::max(unigram.probability({}, s), 1e-9)));
  Bengio<float> without = model;
  without.W2 = Matrix<float>(model.W2.rows(), model.W2.cols());
  TrainingSettings settings;
  settings.steps = steps_now(options, at[length]);
  settings.rate = at[rate];
  const std::size_t places = std::min<std::size_t>(2000, text.size());
  const double start = mean_loss(model, text, 0, places, session.pool),
               silent = mean_loss(without, text, 0, places, session.pool);
  plot::Series line{"loss of the batch", {}, {}};
  train(model, text, settings, session.pool, random, [&](long step, double loss) { line.add(double(step), loss); });
  plot::Chart chart{.title = join("The first ", settings.steps, " steps; W2 starts with deviation ", at[deviation])};
  chart.x = {.title = "steps taken", .low = 0, .high = double(settings.steps)};
  chart.y = {.title = "nats a symbol", .log = true, .low = 1, .high = 100};
  chart.series = {line};
  chart.levels = {{"ln vocab", std::log(double(vocab))}, {"unigram entropy", unigram.loss(text)}};
  lesson.picture("turned_stick", chart);
  lesson.say("Before training the loss on ", places, " places is ", start, ", with W2 = 0 it would be ", silent,
             "; behind ", settings.steps, " steps it is ", mean_loss(model, text, 0, places, session.pool), ".");
  double direct = 0;  // the loss of the biases alone
  Matrix<double> p(without.b2.view());
  const double all = softmax(p.row(0));
  for (std::size_t k = 0; k < places; ++k) direct += all - double(without.b2(0, text[k]));
  // Float: a logit of up to 20 is rounded by 2e-6.
  lesson.claim("with W2 = 0 the biases alone decide: distance from their own loss",
               std::abs(silent - direct / double(places)), at_most(2e-5));
}

}  // namespace

Bench<Session> bench4() {
  return {"How does the last layer's start change the first steps?", {&deviation, &bias, &rate, &length}, run};
}

}  // namespace lesson2
