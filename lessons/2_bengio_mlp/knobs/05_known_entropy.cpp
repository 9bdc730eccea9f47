// Lesson 2, part 5: a source whose entropy can be turned, and a network that sees more or less of it.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include "lessons/2_bengio_mlp/knobs/shared.hpp"
#include "lessons/2_bengio_mlp/model/4_markov.hpp"

namespace lesson2 {
namespace {

constexpr knob::Whole symbols{"vocab", "distinct symbols of the source", 5, {2, 8, 1}};
constexpr knob::Real sharpness{
    "sharpness", "power k of its table, 0.01 + u^k with u uniform; 0 is a fair die", 2, {0, 12, 0.25}};
constexpr knob::Whole context{"see", "c, the symbols that the network sees; the source looks at two", 2, {1, 4, 1}};
constexpr knob::Whole units{"units", "h, the hidden units", 32, {1, 64, 1}};
constexpr knob::Whole length{"train-steps", "steps of training", 300, {5, 1000, 5}};

MarkovChain chain_at(const knob::Settings& at, Random& random) {
  const std::size_t n = at[symbols];
  Matrix<double> next(n * n, n);
  for (std::size_t pair = 0; pair < next.rows(); ++pair) {
    double sum = 0;
    for (double& p : next.row(pair)) sum += p = 0.01 + std::pow(random.uniform(), at[sharpness]);
    for (double& p : next.row(pair)) p /= sum;
  }
  return MarkovChain(next);
}

void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  constexpr std::size_t train_size = 40'000, test_size = 10'000;
  Random random(lesson.options().seed, 505);
  const MarkovChain chain = chain_at(at, random);
  const std::vector<std::uint32_t> text = chain.draw(train_size + test_size, random);
  const std::span<const std::uint32_t> test = std::span(text).last(test_size);
  const double entropy = chain.entropy_rate(), best = chain.loss(test), uniform = std::log(double(at[symbols]));
  Bengio<float> model({at[symbols], at[context], 4, at[units]}, random);
  TrainingSettings settings;
  settings.steps = steps_now(lesson.options(), at[length]);
  settings.adam.decay = 0;
  plot::Series line{"loss of the batch", {}, {}};
  train(model, std::span(text).first(train_size), settings, session.pool, random,
        [&](long step, double loss) { line.add(double(step), loss); });
  const double reached = mean_loss(model, test, 2, test_size - 2, session.pool);
  plot::Chart chart{.title = join("A source of ", at[symbols], " symbols, and a network that sees ", at[context])};
  chart.x = {.title = "step", .low = 0, .high = double(settings.steps)};
  chart.y = {.title = "nats a symbol", .low = 0, .high = 2.5};
  chart.series = {line};
  chart.levels = {{"uniform", uniform}, {"entropy rate", entropy}};
  lesson.picture("turned_source", chart);
  lesson.show(Table{{"nats a symbol", "loss"},
                    {{"uniform", fixed(uniform, 4)},
                     {"entropy rate, from the table", fixed(entropy, 4)},
                     {"the chain itself, on the test text", fixed(best, 4)},
                     {"the network, on the same text", fixed(reached, 4)}}});
  lesson.say(at[context] == 1
                 ? "The network sees one symbol of the two that decide: what the other would say stays dark."
                 : "The network sees all that decides; what is left above the chain is a matter of training.");
  // Of a text that p has drawn, q/p has the mean 1 in all, so by Markov's inequality q is better by more than 20 nats in
  // all with a probability of at most e^-20.
  lesson.claim("the network is below the chain by luck alone: difference", reached - best,
               at_least(-20 / double(test_size)));
  lesson.claim("no entropy rate is above ln of the symbols: difference", uniform - entropy, at_least(-1e-12));
  // Mean and spread over 24 seeds; so few steps do not learn all.
  lesson.claim_trained("above the chain by", reached - best, at_most(0.042 + 4.5 * 0.0191));
}

}  // namespace

Bench<Session> bench5() {
  return {"How near does a network come to what can be known of a source?",
          {&symbols, &sharpness, &context, &units, &length},
          run};
}

}  // namespace lesson2
