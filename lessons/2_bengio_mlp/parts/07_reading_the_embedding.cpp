// Lesson 2, part 7: what an embedding of two numbers has learned, as a picture and as a count.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/2_bengio_mlp/session.hpp"

inline bool is_vowel(char c) { return std::string("aeiou").find(c) != std::string::npos; }
inline bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

inline double squared_distance(const Matrix<float>& C, std::size_t a, std::size_t b) {
  double sum = 0;
  for (std::size_t k = 0; k < C.cols(); ++k)
    sum += (double(C(a, k)) - double(C(b, k))) * (double(C(a, k)) - double(C(b, k)));
  return sum;
}

// The nearest other symbol among those that `wanted` accepts; `self` when there is none.
template <class Wanted>
std::size_t nearest(const Matrix<float>& C, const Vocabulary& vocabulary, std::size_t self, Wanted wanted) {
  std::size_t best = self;
  for (std::size_t s = 0; s < vocabulary.size(); ++s)
    if (s != self && wanted(vocabulary.symbols()[s]) &&
        (best == self || squared_distance(C, self, s) < squared_distance(C, self, best)))
      best = s;
  return best;
}

inline plot::Scatter embedding_picture(const std::string& title, const Matrix<float>& C, double reach,
                                       const Vocabulary& vocabulary) {
  plot::Scatter picture;
  picture.title = title;
  picture.x = {"first number", false, -reach, reach};
  picture.y = {"second number", false, -reach, reach};
  picture.groups = {"vowels", "other lower case", "capitals", "the rest"};
  for (std::size_t s = 0; s < vocabulary.size(); ++s) {
    const char c = vocabulary.symbols()[s];
    const std::size_t group = is_vowel(c) ? 0 : is_lower(c) ? 1 : c >= 'A' && c <= 'Z' ? 2 : 3;
    const std::string label = c == ' ' ? "␣" : c == '\n' ? "⏎" : vocabulary.name(s);
    picture.points.push_back({double(C(s, 0)), double(C(s, 1)), label, group});
  }
  return picture;
}

// The share of lower-case vowels whose nearest lower-case neighbour is a vowel.
inline double vowels_together(const Matrix<float>& C, const Vocabulary& vocabulary) {
  double vowels = 0, together = 0;
  for (std::size_t s = 0; s < vocabulary.size(); ++s) {
    if (!is_vowel(vocabulary.symbols()[s])) continue;
    ++vowels;
    together += is_vowel(vocabulary.symbols()[nearest(C, vocabulary, s, is_lower)]);
  }
  return vowels > 0 ? together / vowels : 0;
}

// How far each symbol has moved from where it was drawn, in order.
inline std::vector<double> ways(const Matrix<float>& before, const Matrix<float>& after, std::size_t symbols) {
  std::vector<double> way(symbols);
  for (std::size_t s = 0; s < symbols; ++s)
    way[s] = std::hypot(double(after(s, 0)) - double(before(s, 0)), double(after(s, 1)) - double(before(s, 1)));
  return way;
}

// `$` occurs once: how far it moves, summed over the runs, in terms of the median symbol.
inline void claim_rare(Lesson& lesson, const Vocabulary& vocabulary, const std::vector<Matrix<float>>& started,
                       const std::vector<Matrix<float>>& learned) {
  const std::size_t rare = vocabulary.symbols().find('$');
  if (rare == std::string::npos) return;
  double moved = 0, median = 0;
  for (std::size_t k = 0; k < started.size(); ++k) {
    std::vector<double> way = ways(started[k], learned[k], vocabulary.size());
    moved += way[rare];
    std::nth_element(way.begin(), way.begin() + std::ptrdiff_t(way.size() / 2), way.end());
    median += way[way.size() / 2];
  }
  // Mean and standard deviation of one run over 40, by the mean of the medians.
  lesson.claim_trained("`$`, which occurs once, moves only so much of the way of the median symbol", moved / median,
                       at_most(0.344 + 4.5 * 0.22 / std::sqrt(double(started.size()))));
}

inline void part7(Lesson& lesson, Session& session) {
  constexpr std::size_t seeds = 8;
  const Corpus& corpus = session.corpus;
  TrainingSettings settings;
  settings.steps = lesson.steps(4000, 100);
  std::vector<Matrix<float>> learned(seeds), started(seeds);
  session.pool.run(seeds, [&](std::size_t k) {
    const std::uint64_t seed = seed_of_run(lesson.options().seed, k);
    Pool alone(1);
    Random random(seed);
    Bengio<float> model({corpus.vocab(), 3, 2, 64}, random);
    started[k] = model.C;
    train(model, corpus.part.train, settings, alone, Random(seed, 1));
    learned[k] = model.C;
  });
  double reach = 0;  // one scale for both pictures
  for (const auto& C : {started[0], learned[0]})
    for (const float x : C.values()) reach = std::max(reach, 1.05 * std::abs(double(x)));
  lesson.say("With d = 2 every symbol is a point. At the start the points are drawn at random:");
  lesson.picture("embedding_before",
                 embedding_picture("Embedding before training", started[0], reach, corpus.vocabulary));
  lesson.say("And after ", settings.steps,
             " steps, for the same network. Nobody told it what a vowel is: which symbols have ",
             "moved together, because they can stand for each other?");
  lesson.picture("embedding_after",
                 embedding_picture("Embedding after training", learned[0], reach, corpus.vocabulary));

  Table table{{"symbol", "nearest of all", "nearest lower case"}, {}};
  for (const char c : std::string("aeioubt,.;!?")) {
    const std::size_t s = corpus.vocabulary.symbols().find(c);
    if (s == std::string::npos) continue;
    const auto name = [&](auto wanted) {
      return corpus.vocabulary.name(nearest(learned[0], corpus.vocabulary, s, wanted));
    };
    table.rows.push_back({corpus.vocabulary.name(s), name([](char) { return true; }), name(is_lower)});
  }
  if (!table.rows.empty()) lesson.show(table);
  claim_rare(lesson, corpus.vocabulary, started, learned);
  double before = 0, after = 0;
  for (std::size_t k = 0; k < seeds; ++k) {
    before += vowels_together(started[k], corpus.vocabulary) / seeds;
    after += vowels_together(learned[k], corpus.vocabulary) / seeds;
  }
  double vowels = 0, letters = 0;
  for (const char c : corpus.vocabulary.symbols()) vowels += is_vowel(c), letters += is_lower(c);
  if (vowels < 2) return;
  lesson.say("How often is a vowel's nearest lower-case neighbour a vowel? By chance ", vowels - 1, " in ", letters - 1,
             " = ", fixed((vowels - 1) / (letters - 1), 2), ". Mean over ", seeds, " seeds: before training ",
             fixed(before, 2), ", after ", fixed(after, 2), ".");
  // Mean and spread of this mean over 24 seeds.
  lesson.claim_trained("vowels beside vowels: more often than before by", after - before, within(0.53, 4.5 * 0.073));
}
