// Lesson 2, part 8: the model writes.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/2_bengio_mlp/model/5_sample.hpp"
#include "lessons/2_bengio_mlp/run/session.hpp"

namespace lesson2 {
namespace {

// max |diff| between the distribution at temperature 1/2 and the squares of the distribution at 1, made to sum to 1.
double apart_from_squares(const std::vector<float>& half, const std::vector<float>& own) {
  double squares = 0, apart = 0;
  for (const float p : own) squares += double(p) * double(p);
  for (std::size_t s = 0; s < own.size(); ++s)
    apart = std::max(apart, std::abs(double(half[s]) - double(own[s]) * double(own[s]) / squares));
  return apart;
}

// What (2.9) says of the distribution after the first symbols of the text.
void claims_about_temperature(Lesson& lesson, const Session& session) {
  const std::vector<std::uint32_t> context(session.corpus.text.begin(), session.corpus.text.begin() + 8);
  const auto distribution = [&](double temperature) {
    return next_distribution(session.model(), context, temperature);
  };
  std::vector<float> own = distribution(1);
  double sum = 0;
  for (const float p : own) sum += double(p);
  // Float: softmax adds up in 16 parts, so that vocab/16 + 16 roundings follow each other, and rounds each p three
  // times.
  lesson.claim("probabilities sum to 1, off by", std::abs(sum - 1), at_most((double(own.size()) / 16 + 19) * 6e-8));
  // Float: a logit of some 5, doubled, is rounded by 6e-7, and p by as large a part of itself, which is at most 1.
  lesson.claim("temperature 1/2 squares them and makes them sum to 1 again, max |diff|",
               apart_from_squares(distribution(0.5), own), at_most(1e-6));
  std::sort(own.begin(), own.end(), std::greater());
  const double distance = std::log(double(own[0]) / double(own[1]));  // of the two largest logits
  const std::vector<float> cold = distribution(distance / 10);
  lesson.claim("towards 0 the likeliest symbol wins: its probability where the next is e^10 times less likely",
               double(*std::max_element(cold.begin(), cold.end())), at_least(1 - double(own.size()) * std::exp(-10)));
}

}  // namespace

void part8(Lesson& lesson, Session& session) {
  session.ensure_model(lesson.options());
  const Corpus& corpus = session.corpus;
  const std::string prompt =
      corpus.vocabulary.decode(corpus.part.test.first(std::min(corpus.part.test.size(), session.form().context)));
  lesson.say("What does the trained model write?");
  for (const double temperature : {0.3, 1.0, 2.0}) {
    const std::string written = session.write(prompt, 160, temperature, lesson.options().seed) + "\n";
    if (temperature == 1.0) {
      lesson.say("Temperature ", temperature, ":");
      lesson.show(written);
    } else {
      lesson.note("Temperature ", temperature, ":");
      lesson.detail(written);
    }
  }
  claims_about_temperature(lesson, session);
}

}  // namespace lesson2
