// Lesson 2, part 8: the next symbol's distribution at any temperature, and what is written at it.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "lessons/2_bengio_mlp/knobs/shared.hpp"
#include "lessons/2_bengio_mlp/model/5_sample.hpp"

namespace lesson2 {
namespace {

constexpr knob::Real heat{"heat", "the temperature: below 1 safer, above 1 wilder", 1, {0.1, 5, 0.05}};
constexpr knob::Whole place{"place", "where in the test text the prompt begins", 0, {0, 2000, 1}};
constexpr knob::Whole count{"written", "how many are written", 160, {0, 320, 10}};
constexpr knob::Whole length{"train-steps", "steps of training, where no model is loaded", 400, {5, 2000, 5}};
constexpr knob::TextFile own{"text", "a text of your own"};

constexpr std::size_t shown = 16, prompt_length = 8;

// The likeliest symbols at this temperature as bars, and at temperature 1 as points.
plot::Chart chart_of(const std::vector<float>& p, const std::vector<float>& at_one, const Vocabulary& vocabulary) {
  std::vector<std::size_t> best(p.size());
  std::iota(best.begin(), best.end(), std::size_t(0));
  std::stable_sort(best.begin(), best.end(), [&](std::size_t a, std::size_t b) { return at_one[a] > at_one[b]; });
  best.resize(std::min(best.size(), shown));
  plot::Chart chart{.title = "The next symbol: the sixteen likeliest"};
  chart.x = {.title = "symbol", .low = 0, .high = double(best.size() + 1)};
  chart.y = {.title = "probability", .low = 0, .high = 1};
  plot::Series bars{"at this temperature", {}, {}}, points{"at 1", {}, {}, true};
  for (std::size_t k = 0; k < best.size(); ++k) {
    const double x = double(k + 1), y = double(p[best[k]]);
    for (const auto& [side, height] : {std::pair(-0.4, 0.0), {-0.4, y}, {0.4, y}, {0.4, 0.0}})
      bars.add(x + side, height);
    points.add(x, double(at_one[best[k]]));
    chart.x.names.push_back(label_of_symbol(vocabulary, best[k]));
  }
  chart.series = {bars, points};
  return chart;
}

void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Corpus& corpus = session.corpus;
  const std::uint64_t seed = lesson.options().seed;
  const long steps = steps_now(lesson.options(), at[length]);
  const Bengio<float> model =
      session.loaded() ? session.model() : trained_now(session, {corpus.vocab(), 4, 8, 64}, steps, seed, 508);
  const std::span<const std::uint32_t> test = corpus.part.test;
  const std::size_t size = std::min(test.size(), prompt_length), first = std::min(at[place], test.size() - size);
  const std::vector<std::uint32_t> prompt(test.begin() + std::ptrdiff_t(first),
                                          test.begin() + std::ptrdiff_t(first + size));
  const std::vector<float> one = next_distribution(model, prompt, 1), p = next_distribution(model, prompt, at[heat]);
  lesson.picture("turned_next", chart_of(p, one, corpus.vocabulary));
  Random random(seed, 608);
  std::string named;
  for (const std::uint32_t s : prompt) named += label_of_symbol(corpus.vocabulary, s);
  lesson.say("After \"", named, "\", at temperature ", at[heat], ":");
  std::string written;
  for (const char c :
       corpus.vocabulary.decode(prompt) + corpus.vocabulary.decode(sample(model, prompt, at[count], at[heat], random)))
    written += c == '\n' ? std::string("↵ ") : std::string(1, c);
  lesson.show(fold(printable(written), 76) + "\n");
  double powers = 0, entropy = 0, apart = 0;
  const double top = double(*std::max_element(one.begin(), one.end()));
  const auto power = [&](float q) { return std::pow(double(q) / top, 1 / at[heat]); };
  for (const float q : one) powers += power(q);
  for (std::size_t s = 0; s < p.size(); ++s) {
    apart = std::max(apart, std::abs(double(p[s]) - power(one[s]) / powers));
    if (p[s] > 0) entropy -= double(p[s]) * std::log(double(p[s]));
  }
  lesson.say("The entropy of the next symbol is ", entropy, " nats of at most ", std::log(double(p.size())), ".");
  // Float: a logit of some 20, divided by at least .1, is rounded by 2e-5, and p by as large a part of itself.
  lesson.claim("probabilities are those at 1 to the power of 1/temperature, made to sum to 1: max |diff|", apart,
               at_most(5e-5));
}

}  // namespace

Bench<Session> bench8() {
  return {"What does temperature do to the next symbol, and to what is written?",
          {&heat, &place, &count, &length, &own},
          run};
}

}  // namespace lesson2
