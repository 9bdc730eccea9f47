// Lesson 2, part 8: the model writes.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/2_bengio_mlp/sample.hpp"
#include "lessons/2_bengio_mlp/session.hpp"

inline std::string write_text(const Session& session, const std::string& prompt, std::size_t count, double temperature,
                              std::uint64_t seed) {
  Random random(seed, 8);
  const Vocabulary& vocabulary = session.corpus.vocabulary;
  return prompt + vocabulary.decode(sample(session.model(), vocabulary.encode(prompt), count, temperature, random));
}

// What (2.9) says of the law after the first symbols of the text.
inline void claims_about_temperature(Lesson& lesson, const Session& session) {
  const std::vector<std::uint32_t> context(session.corpus.text.begin(), session.corpus.text.begin() + 8);
  const auto law = [&](double temperature) { return next_symbol_law(session.model(), context, temperature); };
  std::vector<float> own = law(1), half = law(0.5);
  double sum = 0, squares = 0, apart = 0;
  for (const float p : own) sum += double(p), squares += double(p) * double(p);
  for (std::size_t s = 0; s < own.size(); ++s)
    apart = std::max(apart, std::abs(double(half[s]) - double(own[s]) * double(own[s]) / squares));
  // Float: softmax adds up in 16 parts, so that vocab/16 + 16 roundings follow each other, and rounds each p three times.
  lesson.claim("probabilities sum to 1, off by", std::abs(sum - 1), at_most((double(own.size()) / 16 + 19) * 6e-8));
  lesson.claim("temperature 1/2 squares them and makes them sum to 1 again, max |diff|", apart, at_most(1e-6));
  std::sort(own.begin(), own.end(), std::greater());
  const double distance = std::log(double(own[0]) / double(own[1]));  // of the two largest logits
  const std::vector<float> cold = law(distance / 10);
  lesson.claim("towards 0 the likeliest symbol wins: its probability where the next is e^10 times less likely",
               double(*std::max_element(cold.begin(), cold.end())), at_least(1 - double(own.size()) * std::exp(-10)));
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
  claims_about_temperature(lesson, session);
}
