// Lesson 3: what its parts share: the flags of this lesson, the threads, and the BMLP that parts 3 and 4 look at.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "common/support/lesson.hpp"
#include "common/support/safetensors.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"
#include "lessons/3_swish_vs_bmlp/run/train.hpp"

namespace lesson3 {

// The flags of lesson 3 beside those that all lessons share.
struct OwnFlags {
  std::string data, model, save, load;
  std::size_t targets = 1;
  double rate = TrainingSettings().rate;
};

// Asks for them. Throws UserError.
OwnFlags own_flags(Flags& flags);

// Throws UserError when --data, --save or --load would have no effect beside the other flags, or --save not be kept.
void check_flags(const OwnFlags& own, const Options& options);

class Session {
 public:
  Session(const OwnFlags& own, const Options& o) : flags(own), options(o), pool(pool_of(o)) {}

  // Returns how the models of this run are trained: 3,000 steps, 60 under --quick.
  TrainingSettings training() const;

  bool is_standard() const { return flags.rate == TrainingSettings().rate; }

  // Returns how many rows each part of a suite has; few for the tests.
  std::size_t rows() const { return options.quick ? 512 : 4096; }

  // Returns how often an experiment is repeated.
  std::size_t runs(std::size_t standard) const { return options.quick ? 2 : standard; }

  // Runs job(0) .. job(count - 1) on all threads, with a line of progress at a terminal.
  template <class Job>
  void run(const std::string& what, std::size_t count, const Job& job) {
    run_with_progress(pool, what, count, job);
  }

  // Returns the BMLP, trained on suite A with the seed of the run by the first part that asks.
  const Bmlp<float>& bmlp();

  // Returns suite A with the seed of the run.
  const SplitRows& suite();

  OwnFlags flags;
  Options options;
  Pool pool;
  std::optional<safetensors::File> loaded;  // the file of --load
  Curve bmlp_curve;                         // of bmlp(), once it is trained

 private:
  std::optional<Bmlp<float>> bmlp_;
  std::optional<SplitRows> suite_;
};

}  // namespace lesson3
