// Lesson 2, part 7: two numbers for each symbol after any number of steps, and the neighbours of one of them.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "lessons/2_bengio_mlp/knobs/shared.hpp"

namespace lesson2 {
namespace {

constexpr knob::Choice symbol{
    "symbol", "whose neighbours are looked for", {"a", "e", "i", "o", "u", "b", "c", "d", "f", "g", "h", "j", "k",
                                                  "l", "m", "n", "p", "q", "r", "s", "t", "v", "w", "x", "y", "z"}};
constexpr knob::Whole count{"neighbours", "how many of them", 5, {1, 12, 1}};
constexpr knob::Whole length{"train-steps", "steps of training", 500, {0, 2000, 10}};
constexpr knob::TextFile own{"text", "a text of your own"};

// The other symbols with their distances from one, nearest first.
std::vector<std::pair<double, std::size_t>> by_distance(const Matrix<float>& C, std::size_t self, std::size_t symbols) {
  std::vector<std::pair<double, std::size_t>> found;
  for (std::size_t s = 0; s < symbols; ++s)
    if (s != self)
      found.emplace_back(std::hypot(double(C(s, 0)) - double(C(self, 0)), double(C(s, 1)) - double(C(self, 1))), s);
  std::sort(found.begin(), found.end());
  return found;
}

void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Vocabulary& vocabulary = session.corpus.vocabulary;
  const long steps = steps_now(lesson.options(), at[length]);
  const std::uint64_t seed = lesson.options().seed;
  const Bengio<float> model = trained_now(session, {session.corpus.vocab(), 3, 2, 64}, steps, seed, 507);
  const std::optional<std::size_t> wanted = vocabulary.find(at.name_of(symbol));
  const std::size_t self = wanted.value_or(0);
  auto near = by_distance(model.C, self, vocabulary.size());
  near.resize(std::min(near.size(), at[count]));
  plot::Scatter plane{
      .title = join("The embedding after ", steps, " steps, and what is near ", label_of_symbol(vocabulary, self)),
      .x = {.title = "first number", .low = -4, .high = 4},
      .y = {.title = "second number", .low = -4, .high = 4}};
  plane.groups = {"itself", "its neighbours", "the rest"};
  for (std::size_t s = 0; s < vocabulary.size(); ++s) {
    const bool is_near = std::any_of(near.begin(), near.end(), [&](const auto& one) { return one.second == s; });
    const auto inside = [](float number) { return std::clamp(double(number), -4.0, 4.0); };
    plane.points.push_back({inside(model.C(s, 0)), inside(model.C(s, 1)), label_of_symbol(vocabulary, s),
                            s == self ? std::size_t(0)
                            : is_near ? std::size_t(1)
                                      : std::size_t(2)});
  }
  lesson.picture("turned_embedding", plane);
  std::string names;
  for (const auto& [distance, s] : near)
    names += (names.empty() ? "" : ", ") + label_of_symbol(vocabulary, s) + " at " + fixed(distance, 2);
  lesson.say(!wanted ? "The text has no such symbol; this is its first. " : "", "Nearest: ", names,
             ". What lies beyond 4 is drawn at the border.");
}

}  // namespace

Bench<Session> bench7() {
  return {"Which symbols come to lie together, and after how many steps?", {&symbol, &count, &length, &own}, run};
}

}  // namespace lesson2
