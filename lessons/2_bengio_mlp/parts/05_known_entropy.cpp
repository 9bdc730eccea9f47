// Lesson 2, part 5: a source whose entropy is known ends all argument about whether a loss is good.
// SPDX-License-Identifier: MIT
#include <cmath>

#include "common/support/lesson.hpp"
#include "lessons/2_bengio_mlp/model/4_markov.hpp"
#include "lessons/2_bengio_mlp/run/session.hpp"

namespace lesson2 {

void part5(Lesson& lesson, Session& session) {
  constexpr std::size_t symbols = 5, train_size = 200'000, test_size = 50'000;
  Random random(lesson.options().seed, 5);
  const MarkovChain chain(symbols, random);
  const std::vector<std::uint32_t> text = chain.draw(train_size + test_size, random);
  const std::span<const std::uint32_t> train_text = std::span(text).first(train_size);
  const std::span<const std::uint32_t> test_text = std::span(text).last(test_size);
  const double entropy = chain.entropy_rate(), best = chain.loss(test_text);

  Bengio<float> model({symbols, 2, 4, 48}, random);
  TrainingSettings settings;
  settings.steps = lesson.steps(3000, 100);
  settings.batch = 256;
  settings.adam.decay = 0;
  train(model, train_text, settings, session.pool, Random(lesson.options().seed, 6));
  const double reached = mean_loss(model, test_text, 2, test_size - 2, session.pool);

  lesson.say("Does the model learn all there is to learn of a chain over ", symbols, " symbols?");
  lesson.predict("The entropy rate is " + fixed(entropy, 4) + " nats. Which loss does the trained model reach?",
                 reached);
  lesson.show(Table{{"nats a symbol", "loss"},
                    {{"uniform, ln 5", fixed(std::log(5.0), 4)},
                     {"entropy rate, from the table", fixed(entropy, 4)},
                     {"the chain itself, on the test text", fixed(best, 4)},
                     {"the model, on the same text", fixed(reached, 4)}}});
  // 0.0032: the standard deviation over 100 seeds.
  lesson.claim("the chain's own loss is its entropy rate, but for luck", best - entropy, within(0, 4.5 * 0.0032));
  // Mean and spread over 24 seeds.
  lesson.claim_trained("the model has learned all there is: above the chain by", reached - best,
                       at_most(0.00063 + 4.5 * 0.00016));
  // Both on the same text: the difference is a relative entropy KL >= 0 with an error of √(2·KL/N), here 0.00016.
  lesson.claim("and not below it by more than luck", reached - best, at_least(-4.5 * 0.00016));
}

}  // namespace lesson2
