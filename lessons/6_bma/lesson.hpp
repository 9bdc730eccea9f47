// Lesson 6: what its parts share: the flags, the text, the threads, the trained models, and the
// variants side by side.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include "common/lesson/part.hpp"
#include "common/spread.hpp"
#include "lessons/6_bma/store.hpp"

namespace lesson6 {

// The names of the variants, for knobs.
inline constexpr knob::StaticList<knob::Text> gate_names = [] {
  knob::StaticList<knob::Text> names;
  for (const Variant<double>& variant : variants<double>) names.items[names.count++] = variant.name;
  return names;
}();

namespace flag {

inline constexpr knob::TextFile text{"text", "learn this text; any bytes (the course's own play)"};
inline constexpr knob::Choice symbols{
    "symbols", "bytes, or words spelled in bytes where rare", {"bytes", "words"}};
inline constexpr knob::Choice config{"config", "what part 5 compares", {"C", "A", "B", "nanogpt"}};
inline constexpr knob::Choice recipe{
    "recipe", "train one model of that name, and stop", {"C", "A", "B", "nanogpt"}};
inline constexpr knob::Choice attention{"attention", "of one model", gate_names,
                                        std::size_t(Gate::bma)};
inline constexpr knob::Whole layers{"layers", "blocks of the transformer", 1, {1, most_layers, 1}};
inline constexpr knob::Whole heads{"heads", "heads of each attention", 4, {1, most_width, 1}};
inline constexpr knob::Whole width{"width", "numbers for each token", 32, {1, most_width, 1}};
inline constexpr knob::Whole context{
    "context", "symbols that the model sees", 32, {1, most_context, 1}};
inline constexpr knob::Whole batch{"batch", "windows a step", 16, {1, 4096, 1}};
inline constexpr knob::Real rate{"rate", "peak learning rate", 0.005, {1e-9, 100, 1e-9}};
inline constexpr knob::Real dropout{
    "dropout", "probability with which numbers are dropped", 0, {0, 0.9, 0.01}};
inline constexpr knob::Choice head{
    "head", "tied to the embedding table, or its own", {"own", "tied"}};
inline constexpr knob::Choice start{
    "start", "how the weights start", {"own", "large", "small", "published"}};
inline constexpr knob::Whole seeds{"seeds", "seeds of the comparisons (of A: 5)", 3, {1, 100, 1}};
inline constexpr knob::TextFile images{
    "images", "part 9: images in IDX form; a batch of CIFAR-10 alone (drawn digits)"};
inline constexpr knob::TextFile labels{"labels", "part 9: the labels of images in IDX form"};
inline constexpr knob::Choice pool{
    "pool",
    "part 9: the read-out sees the mean of the tokens, or a class token",
    {"mean", "class"}};
inline constexpr knob::Whole sample{
    "sample", "write this many symbols and stop", 0, {0, 10'000'000, 1}};
inline constexpr knob::Words prompt{"prompt", "what the writing continues"};
inline constexpr knob::Real temperature{
    "temperature", "below 1 safer, above 1 wilder", 1, {1e-6, 100, 1e-6}};
inline constexpr knob::TextFile save{"save", "store the trained model (safetensors)"};
inline constexpr knob::TextFile load{"load", "part 8 and --sample take a stored model"};
inline constexpr knob::TextFile resume{"resume", "train a stored model further, as it was trained"};

}  // namespace flag

// Returns whether the mean of these differences is beyond luck: it would be chance no more than one
// time in twenty.
inline bool beyond_luck(const Spread& differences) {
  return std::abs(differences.mean) > differences.half_width_95();
}

// One run and what was seen of it.
struct Outcome {
  Run run;
  std::vector<double> losses;  // of each step
  double seconds = 0;
};

// Who is compared: the variants, by their Gate, and standard attention with a Wo that starts at
// half its size, or that has half the rate.
enum Contender : std::size_t { starts_at_half = all_gates.size(), moves_by_half };

// Runs with the same seeds: the k-th of each contender shares its start and its windows with the
// k-th of the others.
struct Compared {
  std::vector<std::vector<double>> losses;  // on the last tenth, by contender, then by seed
  std::vector<std::vector<double>> first;   // of each step of the first run, by contender
  std::optional<Run> bma;                   // its first run

  const std::vector<double>& of(auto gate_or_contender) const {
    return losses.at(std::size_t(gate_or_contender));
  }

  // Seed by seed, the loss of one minus that of the other.
  Spread difference(auto one, Gate other) const {
    std::vector<double> found = of(one);
    for (std::size_t k = 0; k < found.size(); ++k) found[k] -= of(other)[k];
    return spread_of(found);
  }
};

class Session {
 public:
  // Reads the text and, under --load or --resume, the stored run. Throws UserError.
  Session(const Options& o, const char* program);

  bool is_standard() const;

  // Returns the recipe of the flags with another gate.
  Recipe recipe(Gate gate) const;
  Gate gate() const;
  std::size_t seeds() const;

  // Returns a run before its first step.
  Run fresh(const Recipe& r) const;

  // Trains a run; `watch(step, loss)` is called after each step.
  Outcome train(Run run, Pool& threads, const Watch& watch = {}) const;

  // Returns the loss on a part of the text (mean_loss).
  double loss_on(Symbols part, const LanguageModel<float>& model, Pool& threads,
                 std::size_t each = 0) const;

  // Returns the last tenth of the text; and `count` symbols of it, from place `from` on, or fewer
  // where the text ends.
  Symbols held_out() const { return Symbols(corpus.text).subspan(corpus.train_end()); }
  Symbols window(std::size_t from, std::size_t count) const;

  // Trains so many runs of each contender, all as `recipe` says but for what makes them differ, and
  // the seed; with two rates only the variants.
  Compared compare(const Recipe& recipe, const std::string& what);

  // Returns the comparison of part 5, made once, by whichever part needs it first.
  const Compared& comparison();

  // Returns the run that part 8 writes with: the one of --load or --attention, or the first of bma.
  const Run& shown();

  // Returns the run of --load or --resume, or else trains one, once, and stores it under --save.
  const Run& model();
  void keep(Run run);

  std::string answer;  // what part 5 found, in a sentence
  Options options;
  const knob::Settings& own;  // the lesson's flags
  Corpus corpus;
  std::optional<Images> images;  // those of --images
  Pool pool;

 private:
  std::optional<Run> run_;
  std::optional<Compared> comparison_;
};

extern const Part<Session> part1, part2, part3, part4, part5, part6, part7, part8, part9;

}  // namespace lesson6
