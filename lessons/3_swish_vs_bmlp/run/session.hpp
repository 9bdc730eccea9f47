// Lesson 3: what its parts share: the flags of this lesson, the threads, and the BMLP that parts 3 and 4 look at.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>

#include "bmlp.hpp"
#include "common/support/lesson.hpp"
#include "common/support/spread.hpp"
#include "train.hpp"
#include "zoo.hpp"

// The flags of lesson 3 beside those that all lessons share.
struct SwishFlags {
  std::string data, model, save, load;
  std::size_t targets = 1;
  double rate = TrainingSettings().rate;
};

inline SwishFlags swish_flags(Flags& flags) {
  SwishFlags f;
  f.data = flags.text("--data", "FILE", "", "learn this table instead (CSV: header row, numbers)");
  f.targets = flags.count<std::size_t>("--targets", f.targets, 1, 1000, "how many of its last columns are targets (1)");
  f.model = flags.text("--model", "NAME", "product2", "the model of part 9 and of --save (product2)");
  f.rate = flags.real("--lr", f.rate, 0, 100, "peak learning rate (0.005)");
  f.save = flags.text("--save", "FILE", "", "store that model once it is trained (safetensors)");
  f.load = flags.text("--load", "FILE", "", "use a stored model instead of training one");
  if (flags.given("--targets") && f.data.empty()) throw UserError("--targets needs --data");
  if (!f.save.empty() && !f.load.empty()) throw UserError("--save: with --load nothing is trained that could be saved");
  if (!visit_model(f.model, 1, 1, [](auto) {}))
    throw UserError("--model: '" + f.model + "' is none of " + model_keys());
  if (flags.given("--model") && !f.load.empty()) throw UserError("--model: the file of --load names its own");
  return f;
}

// What the flags ask for together. Throws UserError when --data, --save or --load would have no effect, or --save could not be
// kept.
inline void check_flags(const SwishFlags& f, const Options& options) {
  if (!f.data.empty() && options.part) throw UserError("--part: with --data the lesson's parts are not run");
  const bool keeps = !f.data.empty() || !options.part || *options.part == 9;
  if (!keeps && !f.save.empty()) throw UserError("--save: it is part 9 that trains this model");
  if (!keeps && !f.load.empty()) throw UserError("--load: it is part 9 that uses this model");
  check_save(f.save, options, {f.data});
}

class Session {
 public:
  Session(const SwishFlags& f, const Options& o) : flags(f), options(o), pool(pool_of(o)) {}

  // How the models of this run are trained: 3,000 steps, 60 under --quick.
  TrainingSettings training() const {
    TrainingSettings settings;
    settings.steps = options.steps_or(settings.steps, 60);
    settings.rate = flags.rate;
    return settings;
  }

  bool is_standard() const { return flags.rate == TrainingSettings().rate; }

  // How many rows each part of a suite has; few for the tests.
  std::size_t rows() const { return options.quick ? 512 : 4096; }

  // How often an experiment is repeated.
  std::size_t runs(std::size_t standard) const { return options.quick ? 2 : standard; }

  // job(0) .. job(count - 1) on all threads, with a line of progress at a terminal.
  template <class Job>
  void run(const std::string& what, std::size_t count, const Job& job) {
    run_with_progress(pool, what, count, job);
  }

  // The BMLP, trained on suite A with the seed of the run: by the first part that asks.
  const Bmlp<float>& bmlp() {
    if (!bmlp_) {
      Random random(options.seed, 31);
      bmlp_.emplace(Sizes{suite_inputs, 64, suite_outputs}, random);
      bmlp_curve = train_and_watch(*bmlp_, suite().train, training(), Random(options.seed, 32));
    }
    return *bmlp_;
  }

  // Suite A with the seed of the run.
  const Split& suite() {
    if (!suite_) suite_ = draw_suite(suites[0], options.seed, rows());
    return *suite_;
  }

  SwishFlags flags;
  Options options;
  Pool pool;
  Curve bmlp_curve;  // of bmlp(), once it is trained

 private:
  std::optional<Bmlp<float>> bmlp_;
  std::optional<Split> suite_;
};
