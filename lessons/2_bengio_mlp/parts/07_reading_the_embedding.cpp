// Lesson 2, part 7: what an embedding of two numbers has learned.
// SPDX-License-Identifier: MIT
#include "common/frame/plot/scene.hpp"
#include "lessons/2_bengio_mlp/lesson.hpp"

namespace lesson2::p7 {

static bool is_vowel(char c) { return std::string("aeiou").find(c) != std::string::npos; }
static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

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

constexpr long standard_length = 4000;
constexpr std::size_t networks = 8;
constexpr knob::Whole frame{
    "frame", "steps that the film shows", standard_length, {0, standard_length, 50}};
constexpr std::size_t every = 50;  // steps between two frames

// The first network's table, frame by frame.
using Film = std::vector<Matrix<float>>;

// Trains in place, and keeps the table at each frame.
static Film filmed(Bengio<float>& model, Session& session, long steps, std::uint64_t seed) {
  Film film;
  Pool alone(1);
  const auto seen = [&](long step, double) {
    if (step % long(every) == 0) film.push_back(model.C);
    return true;
  };
  train(model, session.corpus.part.train, {.steps = steps}, alone, Random(seed, 1), seen);
  film.push_back(model.C);
  return film;
}

using plot::Scene, plot::Spot, plot::Tone;

// The square that holds all ways of the film.
class View {
 public:
  static constexpr double side = 448, left = 16, top = 22;

  View(const Film& film, const std::vector<std::size_t>& symbols) {
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (const Matrix<float>& C : film)
      for (const std::size_t s : symbols)
        for (const std::size_t k : {0u, 1u}) {
          low[k] = std::min(low[k], double(C(s, k)));
          high[k] = std::max(high[k], double(C(s, k)));
        }
    middle_ = {(low[0] + high[0]) / 2, (low[1] + high[1]) / 2};
    scale_ = 0.88 * side / std::max({high[0] - low[0], high[1] - low[1], 0.1});
  }

  Spot at(const Matrix<float>& C, std::size_t s) const {
    return {left + side / 2 + scale_ * (double(C(s, 0)) - middle_.x),
            top + side / 2 - scale_ * (double(C(s, 1)) - middle_.y)};
  }
  static bool holds(Spot at) {
    return at.x > left && at.x < left + side && at.y > top && at.y < top + side;
  }

 private:
  Spot middle_{};
  double scale_;
};

// A full stop alone would be a dot.
static std::string name_of(const Vocabulary& vocabulary, std::size_t symbol) {
  const std::string label = vocabulary.label(symbol);
  return label == "." ? "“.”" : label;
}

// Returns places for labels on the outer side of these ends, on the left above them.
static std::vector<Spot> beside(const std::vector<Spot>& ends) {
  std::vector<Spot> places(ends.size());
  for (const bool left : {true, false}) {
    std::vector<std::size_t> of_side;
    std::vector<double> heights;
    for (std::size_t k = 0; k < ends.size(); ++k)
      if ((ends[k].x < View::left + View::side / 2) == left) {
        of_side.push_back(k);
        heights.push_back(ends[k].y - (left ? 58 : 0));
      }
    heights = plot::pushed_apart(heights, 22, View::top + 12, View::top + View::side - 12);
    for (std::size_t k = 0; k < of_side.size(); ++k)
      places[of_side[k]] = {ends[of_side[k]].x + (left ? 0.0 : 18.0), heights[k]};
  }
  return places;
}

// The vowels and what ends a sentence leave their ways; other symbols are dots.
static void draw_film(Lesson& lesson, const Film& film, std::size_t frames,
                      const Vocabulary& vocabulary) {
  Scene scene("Symbols travel to their own kind");
  scene.frame({View::left, View::top}, {View::side, View::side}, {.width = 1});
  const plot::Type soft{.tone = Tone::soft, .anchor = "start"};
  scene.text({View::left, 6}, "place of each symbol: the two numbers of its row in C", soft);
  std::vector<std::size_t> travellers;
  for (std::size_t s = 0; s < vocabulary.size(); ++s)
    if (std::string("aeiou.!?").find(vocabulary.symbol(s)) != std::string::npos)
      travellers.push_back(s);
  if (travellers.empty()) return;
  const View view(film, travellers);
  const std::size_t last = std::min(frames, film.size() - 1);
  for (std::size_t s = 0; s < vocabulary.size(); ++s)
    if (const Spot at = view.at(film[last], s);
        View::holds(at) && std::find(travellers.begin(), travellers.end(), s) == travellers.end())
      scene.dot(at, 2, Tone::soft);
  const auto tone = [&](std::size_t s) {
    return is_vowel(vocabulary.symbol(s)[0]) ? Tone::value : Tone::ink;
  };
  std::vector<Spot> ends;
  for (const std::size_t s : travellers) {
    plot::Path way;
    for (std::size_t k = 0; k <= last; ++k) way.push_back(view.at(film[k], s));
    scene.curve(way, {tone(s), 1.3});
    scene.dot(way.front(), 3.5, tone(s));
    ends.push_back(way.back());
  }
  const std::vector<Spot> labels = beside(ends);
  for (std::size_t k = 0; k < travellers.size(); ++k) {
    const std::size_t s = travellers[k];
    scene.line(ends[k], labels[k], {tone(s), 1});
    scene.chip(labels[k], name_of(vocabulary, s), {.tone = tone(s), .strong = true});
  }
  const double below = View::top + View::side + 24;
  scene.label({View::left, below}, {{"vowels", {.tone = Tone::value, .strong = true}},
                                    {" and ", {.tone = Tone::soft}},
                                    {"what ends a sentence", {.strong = true}},
                                    {", from dot to letter", {.tone = Tone::soft}}});
  scene.text({View::left, below + 22},
             join("grey: other symbols; ", every * last, " steps of training"), soft);
  scene.end(below + 30);
  lesson.figure("travel", scene);
}

// Embeddings by seed.
struct Embeddings {
  std::vector<Matrix<float>> started, learned;
  Film film;  // of the first
};

static Embeddings train_embeddings(Session& session, long steps, std::uint64_t seed) {
  Embeddings C;
  C.started.resize(networks);
  C.learned.resize(networks);
  session.pool.run(networks, [&](std::size_t k) {
    const std::uint64_t own_seed = seed_of_run(seed, k);
    Random random(own_seed);
    Bengio<float> model(plane_form(session.corpus.vocab()), random);
    C.started[k] = model.C;
    const Film film = filmed(model, session, steps, own_seed);
    if (k == 0) C.film = film;
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
  draw_film(lesson, C.film, C.film.size(), vocabulary);
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

// Films the first network, and shows the film up to a frame.
static void scene(Lesson& lesson, Session& session, const knob::Settings& at) {
  if (session.corpus.vocabulary.has_words()) return run(lesson, session, at);
  const std::uint64_t seed = seed_of_run(lesson.options().seed, 0);
  Random random(seed);
  Bengio<float> model(plane_form(session.corpus.vocab()), random);
  const Film film = filmed(model, session, lesson.steps(standard_length, 100), seed);
  draw_film(lesson, film, at[frame] / every, session.corpus.vocabulary);
}

static std::string settings() {
  return join(networks, " networks, ", settings_of(plane_form(0), {.steps = standard_length}));
}

}  // namespace lesson2::p7

const Part<lesson2::Session> lesson2::part7{.number = 7,
                                            .title = "Reading the embedding",
                                            .question = "Which way do the symbols go?",
                                            .run = p7::run,
                                            .scene = p7::scene,
                                            .knobs = {&p7::frame},
                                            .settings = p7::settings};
