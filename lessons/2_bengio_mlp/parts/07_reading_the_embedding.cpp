// Lesson 2, part 7: what an embedding of two numbers has learned, as a picture and as a count.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/2_bengio_mlp/run/session.hpp"

namespace lesson2 {
namespace {

bool is_vowel(char c) { return std::string("aeiou").find(c) != std::string::npos; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

double squared_distance(const Matrix<float>& C, std::size_t a, std::size_t b) {
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

plot::Scatter embedding_picture(const std::string& title, const Matrix<float>& C, double reach,
                                const Vocabulary& vocabulary) {
  plot::Scatter picture;
  picture.title = title;
  picture.x = {.title = "first number", .low = -reach, .high = reach};
  picture.y = {.title = "second number", .low = -reach, .high = reach};
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
double vowels_together(const Matrix<float>& C, const Vocabulary& vocabulary) {
  double vowels = 0, together = 0;
  for (std::size_t s = 0; s < vocabulary.size(); ++s) {
    if (!is_vowel(vocabulary.symbols()[s])) continue;
    vowels += 1;
    together += is_vowel(vocabulary.symbols()[nearest(C, vocabulary, s, is_lower)]);
  }
  return vowels > 0 ? together / vowels : 0;
}

// How far each symbol has moved from where it was drawn, in order.
std::vector<double> ways(const Matrix<float>& before, const Matrix<float>& after, std::size_t symbols) {
  std::vector<double> way(symbols);
  for (std::size_t s = 0; s < symbols; ++s)
    way[s] = std::hypot(double(after(s, 0)) - double(before(s, 0)), double(after(s, 1)) - double(before(s, 1)));
  return way;
}

// The embeddings of some networks that differ in their seed alone, as they were drawn and as they were learned.
struct Embeddings {
  std::vector<Matrix<float>> started, learned;
};

Embeddings train_embeddings(Session& session, std::size_t seeds, long steps, std::uint64_t seed) {
  const Corpus& corpus = session.corpus;
  TrainingSettings settings;
  settings.steps = steps;
  Embeddings C{std::vector<Matrix<float>>(seeds), std::vector<Matrix<float>>(seeds)};
  session.pool.run(seeds, [&](std::size_t k) {
    const std::uint64_t own = seed_of_run(seed, k);
    Pool alone(1);
    Random random(own);
    Bengio<float> model({corpus.vocab(), 3, 2, 64}, random);
    C.started[k] = model.C;
    train(model, corpus.part.train, settings, alone, Random(own, 1));
    C.learned[k] = model.C;
  });
  return C;
}

void show_pictures(Lesson& lesson, const Vocabulary& vocabulary, const Matrix<float>& started,
                   const Matrix<float>& learned, long steps) {
  const double reach = 1.05 * std::max(largest_entry(started), largest_entry(learned));  // one scale for both
  lesson.say("With d = 2 every symbol is a point. At the start the points are drawn at random:");
  lesson.picture("embedding_before", embedding_picture("Embedding before training", started, reach, vocabulary));
  lesson.say("And after ", steps,
             " steps, for the same network. Nobody told it what a vowel is: "
             "which symbols have moved together, because they can stand for each other?");
  lesson.picture("embedding_after", embedding_picture("Embedding after training", learned, reach, vocabulary));
}

void show_neighbours(Lesson& lesson, const Vocabulary& vocabulary, const Matrix<float>& learned) {
  Table table{{"symbol", "nearest of all", "nearest lower case"}, {}};
  for (const char c : std::string("aeioubt,.;!?")) {
    const std::size_t s = vocabulary.symbols().find(c);
    if (s == std::string::npos) continue;
    const auto name = [&](auto wanted) { return vocabulary.name(nearest(learned, vocabulary, s, wanted)); };
    table.rows.push_back({vocabulary.name(s), name([](char) { return true; }), name(is_lower)});
  }
  if (!table.rows.empty()) lesson.show(table);
}

// `$` occurs once: how far it moves, summed over the runs, in terms of the median symbol.
void claim_rare(Lesson& lesson, const Vocabulary& vocabulary, const Embeddings& C) {
  const std::size_t rare = vocabulary.symbols().find('$');
  if (rare == std::string::npos) return;
  double moved = 0, median = 0;
  for (std::size_t k = 0; k < C.started.size(); ++k) {
    std::vector<double> way = ways(C.started[k], C.learned[k], vocabulary.size());
    moved += way[rare];
    std::nth_element(way.begin(), way.begin() + std::ptrdiff_t(way.size() / 2), way.end());
    median += way[way.size() / 2];
  }
  // Mean and standard deviation of one run over 40, by the mean of the medians.
  lesson.claim_trained("`$`, which occurs once, moves only so much of the way of the median symbol", moved / median,
                       at_most(0.344 + 4.5 * 0.22 / std::sqrt(double(C.started.size()))));
}

void claim_vowels(Lesson& lesson, const Vocabulary& vocabulary, const Embeddings& C) {
  const std::size_t seeds = C.started.size();
  double before = 0, after = 0;
  for (std::size_t k = 0; k < seeds; ++k) {
    before += vowels_together(C.started[k], vocabulary) / double(seeds);
    after += vowels_together(C.learned[k], vocabulary) / double(seeds);
  }
  const std::string& symbols = vocabulary.symbols();
  const auto vowels = double(std::count_if(symbols.begin(), symbols.end(), is_vowel));
  const auto letters = double(std::count_if(symbols.begin(), symbols.end(), is_lower));
  if (vowels < 2) return;
  lesson.say("How often is a vowel's nearest lower-case neighbour a vowel? By chance ", vowels - 1, " in ", letters - 1,
             " = ", fixed((vowels - 1) / (letters - 1), 2), ". Mean over ", seeds, " seeds: before training ",
             fixed(before, 2), ", after ", fixed(after, 2), ".");
  // Mean and spread of this mean over 24 seeds.
  lesson.claim_trained("vowels beside vowels: more often than before by", after - before, within(0.53, 4.5 * 0.073));
}

}  // namespace

void part7(Lesson& lesson, Session& session) {
  const long steps = lesson.steps(4000, 100);
  const Vocabulary& vocabulary = session.corpus.vocabulary;
  const Embeddings C = train_embeddings(session, 8, steps, lesson.options().seed);
  show_pictures(lesson, vocabulary, C.started[0], C.learned[0], steps);
  show_neighbours(lesson, vocabulary, C.learned[0]);
  claim_rare(lesson, vocabulary, C);
  claim_vowels(lesson, vocabulary, C);
}

}  // namespace lesson2
