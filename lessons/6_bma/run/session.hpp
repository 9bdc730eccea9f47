// Lesson 6: what its parts share: the flags, the text, the images, the threads, and the trained models.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "common/support/corpus.hpp"
#include "common/support/lesson.hpp"
#include "lessons/6_bma/run/compare.hpp"
#include "lessons/6_bma/run/patch_task.hpp"
#include "lessons/6_bma/run/train_score.hpp"

namespace lesson6 {

class Session {
 public:
  // Reads the text and, under --load or --resume, the stored run. Throws UserError.
  Session(const BmaFlags& f, const Options& o, const char* program);

  bool is_standard() const;

  // Returns what the flags ask for, with the largest vocabulary that a text can have.
  static Recipe wanted(const BmaFlags& f, const Options& o);

  // Returns the recipe of the flags with another gate and seed.
  Recipe recipe(Gate gate, std::uint64_t seed) const;
  Gate gate() const;
  std::size_t seeds() const;

  // Returns a run before its first step.
  Run fresh(const Recipe& r) const;

  // Trains a run to its end, or to `last` steps; `watch(step, loss, trainer)` is called after each step.
  using Watch = std::function<void(long, double, const LanguageTrainer<float>&)>;
  Outcome train(Run run, Pool& threads, long last, const Watch& watch) const;
  Outcome train(const Recipe& r, Pool& threads) const;

  // Returns the loss on the last tenth of the text.
  double held_out(const LanguageModel<float>& model, Pool& threads, const Windowing& w) const;
  double held_out(const LanguageModel<float>& model, Pool& threads) const;  // side by side

  // Returns the comparison of part 6, made once, by whichever part needs it first.
  const Compared& comparison();

  // Returns the run that parts 8 and 10 look at: the one of --load or --attention, or the first of bma.
  const Run& shown();

  // Returns the run of --load or --resume, or else trains one, once, and stores it under --save.
  const Run& model();
  void keep(Run run);

  BmaFlags flags;
  Options options;
  Corpus corpus;
  Pool pool;
  std::optional<PatchTask> patches;  // made by a program that runs the parts

 private:
  void load(const std::string& path, const std::string& flag);
  void apply_given(Recipe& r) const;

  std::optional<Run> run_;
  std::optional<Compared> comparison_;
};

}  // namespace lesson6
