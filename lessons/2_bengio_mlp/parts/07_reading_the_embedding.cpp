// Lesson 2, part 7: what an embedding of two numbers has learned.
// SPDX-License-Identifier: MIT
#include "lessons/2_bengio_mlp/lesson.hpp"

namespace lesson2::p7 {

static bool is_vowel(char c) { return std::string("aeiou").find(c) != std::string::npos; }
static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

const std::vector<std::string> groups{"vowels", "other small letters", ". ! ?", "the rest"};
static std::size_t group_of(char c) {
  if (is_vowel(c)) return 0;
  if (is_lower(c)) return 1;
  return std::string(".!?").find(c) != std::string::npos ? 2 : 3;
}

static std::vector<std::size_t> those(const Vocabulary& vocabulary, bool (*is)(char)) {
  std::vector<std::size_t> symbols;
  for (std::size_t s = 0; s < vocabulary.size(); ++s)
    if (is(vocabulary.symbol(s)[0])) symbols.push_back(s);
  return symbols;
}

static std::size_t nearest(const Matrix<float>& C, std::vector<std::size_t> symbols,
                           std::size_t self) {
  const auto distance = [&](std::size_t s) {
    return std::hypot(C(self, 0) - C(s, 0), C(self, 1) - C(s, 1));
  };
  const auto is_nearer = [&](std::size_t a, std::size_t b) { return distance(a) < distance(b); };
  std::erase(symbols, self);
  return *std::min_element(symbols.begin(), symbols.end(), is_nearer);
}

// The plane is wide enough for all tables, so that two pictures can be compared.
static plot::Chart plane(const std::string& title, const Matrix<float>& C,
                         const std::vector<Matrix<float>>& tables, const Vocabulary& vocabulary) {
  double limit = 0;
  for (const Matrix<float>& table : tables)
    limit = std::max(limit, 1.05 * double(largest_entry(table)));
  plot::Chart picture{.title = title,
                      .x = {.title = "first number", .low = -limit, .high = limit},
                      .y = {.title = "second number", .low = -limit, .high = limit}};
  for (const std::string& group : groups) picture.series.push_back({.name = group, .points = true});
  for (std::size_t s = 0; s < vocabulary.size(); ++s) {
    plot::Series& group = picture.series[group_of(vocabulary.symbol(s)[0])];
    group.add(double(C(s, 0)), double(C(s, 1)));
    group.labels.push_back(vocabulary.label(s));
  }
  return picture;
}

// Embeddings by seed.
struct Embeddings {
  std::vector<Matrix<float>> started, learned;
};

constexpr long standard_length = 4000;
constexpr std::size_t networks = 8;
static Embeddings train_embeddings(Session& session, long steps, std::uint64_t seed) {
  Embeddings C;
  C.started.resize(networks);
  C.learned.resize(networks);
  session.pool.run(networks, [&](std::size_t k) {
    const std::uint64_t own_seed = seed_of_run(seed, k);
    Pool alone(1);
    Random random(own_seed);
    Bengio<float> model(plane_form(session.corpus.vocab()), random);
    C.started[k] = model.C;
    train(model, session.corpus.part.train, {.steps = steps}, alone, Random(own_seed, 1));
    C.learned[k] = model.C;
  });
  return C;
}

// Returns the share of lower-case vowels whose nearest lower-case neighbour is a vowel.
static double vowels_together(const std::vector<Matrix<float>>& tables,
                              const Vocabulary& vocabulary) {
  const auto letters = those(vocabulary, is_lower), vowels = those(vocabulary, is_vowel);
  std::size_t together = 0;
  for (const Matrix<float>& C : tables)
    for (const std::size_t s : vowels)
      if (is_vowel(vocabulary.symbol(nearest(C, letters, s))[0])) ++together;
  return double(together) / double(vowels.size() * tables.size());
}

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  const Vocabulary& vocabulary = session.corpus.vocabulary;
  if (vocabulary.has_words())
    return lesson.say("Only bytes can be sorted into vowels and others, not words.");
  const long steps = lesson.steps(standard_length, 100);
  const Embeddings C = train_embeddings(session, steps, lesson.options().seed);
  const auto draw = [&](const char* name, const std::string& title, const Matrix<float>& points) {
    lesson.figure(name, plane(title, points, {C.started[0], C.learned[0]}, vocabulary));
  };
  draw("embedding_before", "The embedding before training", C.started[0]);
  draw("embedding", join("The embedding after ", steps, " steps"), C.learned[0]);
  const double vowels = double(those(vocabulary, is_vowel).size());
  const double letters = double(those(vocabulary, is_lower).size());
  if (vowels < 2) return;
  const double before = vowels_together(C.started, vocabulary),
               after = vowels_together(C.learned, vocabulary);
  lesson.say("Is a vowel's nearest small letter a vowel?");
  lesson.show(Table{{"vowels beside vowels", "share"},
                    {{"before training", fixed(before, 3)},
                     {"after training", fixed(after, 3)},
                     {"by chance", fixed((vowels - 1) / (letters - 1), 3)}}});
  // 31 seeds: .28 to .73, to .55 to .85; standard deviations .10 and .066. An untrained table has
  // 0, and by chance the share is .16.
  lesson.claim_trained("vowels stand beside vowels, more often than before training by",
                       after - before, between(0.1, 0.95));
  lesson.claim_trained("and after training in a share of", after, between(0.42, 0.96));
}

static std::string settings() {
  return join(networks, " networks, ", settings_of(plane_form(0), {.steps = standard_length}));
}

}  // namespace lesson2::p7

const Part<lesson2::Session> lesson2::part7{.number = 7,
                                            .title = "Reading the embedding",
                                            .question = "",
                                            .run = p7::run,
                                            .settings = p7::settings};
