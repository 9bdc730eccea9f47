// Lesson 2, part 8: the model writes.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "common/support/lesson.hpp"
#include "lessons/2_bengio_mlp/sample.hpp"
#include "lessons/2_bengio_mlp/session.hpp"

inline std::string write_text(const Session& session, const std::string& prompt, std::size_t count, double temperature,
                              std::uint64_t seed) {
  Random random(seed, 8);
  const Vocabulary& vocabulary = session.corpus.vocabulary;
  return prompt + vocabulary.decode(sample(session.model(), vocabulary.encode(prompt), count, temperature, random));
}

inline void part8(Lesson& lesson, const Session& session) {
  const std::string prompt = session.corpus.vocabulary.decode(
      session.corpus.part.test.first(std::min(session.corpus.part.test.size(), session.sizes().context)));
  lesson.say(
      "A symbol is drawn from the model's law, appended, and the window moves on. The temperature divides the ",
      "logits: towards 0 the likeliest symbol always wins, at 1 the model's own law is drawn from, above 1 chance ",
      "takes over. The same model at three temperatures:");
  for (const double temperature : {0.3, 1.0, 2.0}) {
    lesson.say("Temperature ", temperature, ":");
    lesson.show(write_text(session, prompt, 240, temperature, lesson.options().seed) + "\n");
  }
  const std::vector<std::uint32_t> context(session.corpus.text.begin(), session.corpus.text.begin() + 8);
  const auto cold = next_symbol_law(session.model(), context, 1e-3),
             own = next_symbol_law(session.model(), context, 1.0);
  double sum = 0;
  for (const float p : own) sum += double(p);
  lesson.claim("probabilities sum to 1, off by", std::abs(sum - 1), at_most(1e-6));  // float: vocab·ε/2
  lesson.claim_trained("temperature 0.001: the likeliest symbol's probability",
                       double(*std::max_element(cold.begin(), cold.end())), at_least(0.999));
  lesson.claim("at both it is the same symbol", std::max_element(cold.begin(), cold.end()) - cold.begin() ==
                                                    std::max_element(own.begin(), own.end()) - own.begin());
}
