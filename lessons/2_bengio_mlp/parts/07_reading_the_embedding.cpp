// Lesson 2, part 7: what an embedding of two numbers has learned, as a picture and as a count.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>
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
    if (s != self && wanted(vocabulary.symbol(s)[0]) &&
        (best == self || squared_distance(C, self, s) < squared_distance(C, self, best)))
      best = s;
  return best;
}

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool ends_a_sentence(char c) { return c == '.' || c == '!' || c == '?'; }

// Limits for one of the two numbers of the symbols that `wanted` accepts, over several tables.
template <class Wanted>
plot::Axis axis(const std::string& title, const std::vector<Matrix<float>>& tables, std::size_t number,
                const Vocabulary& vocabulary, Wanted wanted) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const Matrix<float>& C : tables)
    for (std::size_t s = 0; s < vocabulary.size(); ++s) {
      if (!wanted(vocabulary.symbol(s)[0])) continue;
      low = std::min(low, double(C(s, number)));
      high = std::max(high, double(C(s, number)));
    }
  if (low > high) return {.title = title, .low = -1, .high = 1};
  const double margin = 0.05 * (high - low) + 0.05;
  return {.title = title, .low = low - margin, .high = high + margin};
}

// An empty picture, wide enough for the symbols that `wanted` accepts in all of these tables.
template <class Wanted>
plot::Scatter plane_of(const std::string& title, const std::vector<Matrix<float>>& tables, const Vocabulary& vocabulary,
                       Wanted wanted) {
  return {.title = title,
          .x = axis("first number", tables, 0, vocabulary, wanted),
          .y = axis("second number", tables, 1, vocabulary, wanted)};
}

// Adds a point with its name for each symbol that `wanted` accepts.
template <class Wanted>
plot::Scatter with_names(plot::Scatter picture, const Matrix<float>& C, const Vocabulary& vocabulary, Wanted wanted) {
  for (std::size_t s = 0; s < vocabulary.size(); ++s) {
    const char c = vocabulary.symbol(s)[0];
    if (!wanted(c)) continue;
    const std::size_t group = picture.groups.empty() || is_vowel(c) ? 0 : is_lower(c) ? 1 : 2;
    picture.points.push_back({double(C(s, 0)), double(C(s, 1)), vocabulary.label(s), group});
  }
  return picture;
}

// The share of lower-case vowels whose nearest lower-case neighbour is a vowel.
double vowels_together(const Matrix<float>& C, const Vocabulary& vocabulary) {
  double vowels = 0, together = 0;
  for (std::size_t s = 0; s < vocabulary.size(); ++s) {
    if (!is_vowel(vocabulary.symbol(s)[0])) continue;
    vowels += 1;
    together += is_vowel(vocabulary.symbol(nearest(C, vocabulary, s, is_lower))[0]);
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

constexpr int frames = 16;

// The embeddings of some networks that differ in their seed alone, as they were drawn and as they were learned; and
// those of the first on the way, with the steps.
struct Embeddings {
  std::vector<Matrix<float>> started, learned, on_the_way;
  std::vector<long> steps;
};

// Frame k of the film shows this step: many early ones, when the symbols move most.
long step_of_frame(long steps, int k) { return steps * k * k / (frames * frames); }

Embeddings train_embeddings(Session& session, std::size_t seeds, long steps, std::uint64_t seed) {
  const Corpus& corpus = session.corpus;
  TrainingSettings settings;
  settings.steps = steps;
  Embeddings C{std::vector<Matrix<float>>(seeds), std::vector<Matrix<float>>(seeds), {}, {}};
  session.pool.run(seeds, [&](std::size_t k) {
    const std::uint64_t own = seed_of_run(seed, k);
    Pool alone(1);
    Random random(own);
    Bengio<float> model({corpus.vocab(), 3, 2, 64}, random);
    C.started[k] = model.C;
    const auto keep = [&](long step, double) {
      while (C.steps.size() <= frames && step_of_frame(steps, int(C.steps.size())) <= step + 1) {
        C.steps.push_back(step_of_frame(steps, int(C.steps.size())));
        C.on_the_way.push_back(C.steps.back() == 0 ? C.started[0] : model.C);
      }
    };
    train(model, corpus.part.train, settings, alone, Random(own, 1), k == 0 ? Watch(keep) : Watch());
    C.learned[k] = model.C;
  });
  return C;
}

// The first network's points during training; only those have names that one is to follow.
plot::Film<plot::Scatter> film_of_training(const Embeddings& C, const Vocabulary& vocabulary) {
  plot::Film<plot::Scatter> film{.parameter = "step"};
  for (std::size_t f = 0; f < C.steps.size(); ++f) {
    plot::Scatter frame = plane_of(join("The embedding after ", C.steps[f], " steps"), C.on_the_way, vocabulary,
                                   [](char) { return true; });
    frame.groups = {"vowels", "other small letters", ". ! ?", "the rest"};
    for (std::size_t s = 0; s < vocabulary.size(); ++s) {
      const char c = vocabulary.symbol(s)[0];
      const std::size_t group = is_vowel(c) ? 0 : is_lower(c) ? 1 : ends_a_sentence(c) ? 2 : 3;
      const std::string label = group == 0 || group == 2 ? vocabulary.label(s) : "";
      frame.points.push_back({double(C.on_the_way[f](s, 0)), double(C.on_the_way[f](s, 1)), label, group});
    }
    film.add(std::to_string(C.steps[f]), frame);
  }
  return film;
}

void show_pictures(Lesson& lesson, const Vocabulary& vocabulary, const Embeddings& C) {
  const Matrix<float>&started = C.started[0], &learned = C.learned[0];
  const auto no_capital = [](char c) { return !is_capital(c); };
  plot::Scatter plane = plane_of("Small letters and signs before training", {started, learned}, vocabulary, no_capital);
  plane.groups = {"vowels", "other small letters", "the rest"};
  lesson.figure("embedding_before", with_names(plane, started, vocabulary, no_capital));
  plane.title = "Small letters and signs after training";
  lesson.figure("embedding_after", with_names(plane, learned, vocabulary, no_capital));
  plane = plane_of("Capitals after training", {learned}, vocabulary, is_capital);
  lesson.figure("embedding_capitals", with_names(plane, learned, vocabulary, is_capital));
  lesson.film("embedding", film_of_training(C, vocabulary));
}

void show_neighbours(Lesson& lesson, const Vocabulary& vocabulary, const Matrix<float>& learned) {
  Table table{{"symbol", "nearest of all", "nearest lower case"}, {}};
  for (const char c : std::string("aeioubt,.;!?")) {
    const std::optional<std::size_t> s = vocabulary.find(std::string(1, c));
    if (!s) continue;
    const auto name = [&](auto wanted) { return vocabulary.name(nearest(learned, vocabulary, *s, wanted)); };
    table.rows.push_back({vocabulary.name(*s), name([](char) { return true; }), name(is_lower)});
  }
  if (!table.rows.empty()) lesson.detail(table);
}

// `$` occurs once: how far it moves, summed over the runs, in terms of the median symbol.
void claim_rare(Lesson& lesson, const Vocabulary& vocabulary, const Embeddings& C) {
  const std::optional<std::size_t> rare = vocabulary.find("$");
  if (!rare) return;
  double moved = 0, median = 0;
  for (std::size_t k = 0; k < C.started.size(); ++k) {
    std::vector<double> way = ways(C.started[k], C.learned[k], vocabulary.size());
    moved += way[*rare];
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
  const std::string symbols = vocabulary.joined();
  const auto vowels = double(std::count_if(symbols.begin(), symbols.end(), is_vowel));
  const auto letters = double(std::count_if(symbols.begin(), symbols.end(), is_lower));
  if (vowels < 2) return;
  lesson.say("Is a vowel's nearest small letter a vowel? Over ", seeds, " seeds:");
  lesson.show(Table{{"when", "share of the vowels"},
                    {{"by chance", fixed((vowels - 1) / (letters - 1), 2)},
                     {"before training", fixed(before, 2)},
                     {"after training", fixed(after, 2)}}});
  // Mean and spread of this mean over 24 seeds.
  lesson.claim_trained("vowels beside vowels: more often than before by", after - before, within(0.53, 4.5 * 0.073));
}

// What is nearest to the most frequent words in the model's own embedding.
void words_beside_words(Lesson& lesson, Session& session) {
  session.ensure_model(lesson.options());
  const Vocabulary& vocabulary = session.corpus.vocabulary;
  const Matrix<float>& C = session.model().C;
  lesson.say("Which words lie beside the most frequent ones, in ", C.cols(), " numbers?");
  Table table{{"word", "nearest", "next", "next"}, {}};
  std::vector<std::size_t> words;
  for (std::size_t s = 0; s < vocabulary.size(); ++s)
    if (vocabulary.symbol(s).size() > 1 && words.size() < 60) words.push_back(s);
  for (std::size_t k = 0; k < std::min<std::size_t>(words.size(), 12); ++k) {
    std::vector<std::size_t> others = words;
    const std::size_t self = words[k];
    others.erase(others.begin() + std::ptrdiff_t(k));
    std::sort(others.begin(), others.end(), [&](std::size_t a, std::size_t b) {
      return squared_distance(C, self, a) < squared_distance(C, self, b);
    });
    table.rows.push_back({vocabulary.name(self)});
    for (std::size_t n = 0; n < 3; ++n)
      table.rows.back().push_back(n < others.size() ? vocabulary.name(others[n]) : "-");
  }
  lesson.show(table);
}

}  // namespace

void part7(Lesson& lesson, Session& session) {
  if (session.corpus.vocabulary.has_words()) return words_beside_words(lesson, session);
  const long steps = lesson.steps(4000, 100);
  const Vocabulary& vocabulary = session.corpus.vocabulary;
  const Embeddings C = train_embeddings(session, 8, steps, lesson.options().seed);
  show_pictures(lesson, vocabulary, C);
  show_neighbours(lesson, vocabulary, C.learned[0]);
  claim_rare(lesson, vocabulary, C);
  claim_vowels(lesson, vocabulary, C);
}

}  // namespace lesson2
