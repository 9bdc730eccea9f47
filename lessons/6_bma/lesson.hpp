// What the parts share.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include "common/frame/lesson/part.hpp"
#include "lessons/6_bma/pairs.hpp"

namespace lesson6 {

inline constexpr knob::StaticList<knob::Text> gate_names = [] {
  knob::StaticList<knob::Text> names;
  for (const Variant<double>& variant : variants<double>) names.items[names.count++] = variant.name;
  return names;
}();

inline constexpr knob::StaticList<knob::Text> bend_names = [] {
  knob::StaticList<knob::Text> names;
  for (const Bend<double>& bend : bends<double>) names.items[names.count++] = bend.name;
  return names;
}();

namespace flag {

inline constexpr knob::TextFile text{"text", "learn this text; any bytes (the course's own play)"};
inline constexpr knob::Choice symbols{
    "symbols", "bytes, or words, of which rare ones are spelled in bytes", {"bytes", "words"}};
inline constexpr knob::Choice config{"config", "what part 5 compares", {"C", "A", "B", "nanogpt"}};
inline constexpr knob::Choice recipe{
    "recipe", "train one model of that name, and stop", {"C", "A", "B", "nanogpt"}};
inline constexpr knob::Choice attention{"attention", "the variant of a model trained alone",
                                        gate_names, std::size_t(Gate::bma)};
inline constexpr knob::Choice feed_forward{"feedforward", "what bends or multiplies in each block",
                                           bend_names};
inline constexpr knob::Whole layers{"layers", "blocks of the transformer", 1, {1, most_layers, 1}};
inline constexpr knob::Whole heads{"heads", "heads of each attention", 4, {1, most_width, 1}};
inline constexpr knob::Whole width{"width", "numbers for each token", 32, {1, most_width, 1}};
inline constexpr knob::Whole context{
    "context", "symbols that the model sees at once", 32, {1, most_context, 1}};
inline constexpr knob::Whole batch{"batch", "windows in a training step", 16, {1, 4096, 1}};
inline constexpr knob::Real rate{"rate", "peak learning rate", 0.005, {1e-9, 100, 1e-9}};
inline constexpr knob::Real others{
    "others", "rate of all but the blocks' matrices, as a multiple of theirs", 1, {0.1, 32, 0.1}};
inline constexpr knob::Real dropout{
    "dropout", "probability with which numbers are dropped", 0, {0, 0.9, 0.01}};
inline constexpr knob::Choice head{
    "head", "the read-out: its own weights, or tied to the embedding table", {"own", "tied"}};
inline constexpr knob::Choice start{
    "start", "how the weights start", {"own", "large", "small", "published"}};
inline constexpr knob::Whole seeds{
    "seeds", "pairs of runs in a comparison (with A: 5)", 3, {1, 100, 1}};
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
inline constexpr knob::TextFile load{"load", "a stored model for part 8 and --sample"};
inline constexpr knob::TextFile resume{"resume", "train a stored model further, as it was trained"};

}  // namespace flag

struct Outcome {
  Run run;
  std::vector<double> losses;
  double seconds = 0;
};

class Session {
 public:
  // Reads the text and the stored run. Throws UserError.
  explicit Session(const Options& o);

  bool is_standard() const;

  Recipe recipe(Gate gate) const;
  Gate gate() const;
  std::size_t seeds() const;

  Run fresh(const Recipe& r) const;

  // Trains a run; watch(steps, loss) follows each step, and says whether there is another.
  Outcome train(Run run, Pool& threads, const Watch& watch = {}) const;

  // Trains with all threads and, under --save, stores the run, after a Ctrl-C as it is then, which
  // ends the program.
  Outcome train_and_keep(Run run, const Watch& watch = {});

  double loss_on(Symbols part, const LanguageModel<float>& model, Pool& threads,
                 std::size_t each = 0) const;

  // Returns the last tenth of the text; or at most `count` of its symbols, from `from` on.
  Symbols held_out() const { return Symbols(corpus.text).subspan(corpus.train_end()); }
  Symbols window(std::size_t from, std::size_t count) const;

  // With two rates trains only the variants.
  Compared compare(const Recipe& recipe, const std::string& what);

  // Made once.
  const Compared& comparison();

  // Returns part 8's run: that of --load or --attention, or the first of bma.
  const Run& shown();

  // Loaded, or else trained once and, under --save, stored.
  const Run& model();

  std::string answer;  // part 5's, in a sentence
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
