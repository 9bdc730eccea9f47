// Lesson 3: what its parts share: its flags, the threads, the data, and how gradients are checked.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <deque>
#include <string>

#include "common/lesson/part.hpp"
#include "common/model_losses.hpp"
#include "lessons/3_swish_vs_bmlp/protocol.hpp"

namespace lesson3 {

// The lesson's own flag.
constexpr knob::Real rate_flag{"rate", "peak learning rate", 0.005, {1e-9, 100, 0}};

class Session {
 public:
  explicit Session(const Options& o) : options(o), pool(pool_of(o)) {}

  // Returns how the models of this run are trained: 3,000 steps, 60 under --quick.
  TrainingSettings training() const {
    return {.steps = options.steps_or(TrainingSettings().steps, 60),
            .rate = options.own[rate_flag]};
  }

  // Returns how many rows each part of a suite has; few for the tests.
  std::size_t rows() const { return options.quick_or<std::size_t>(512, suite_rows); }

  // Returns how often an experiment is repeated.
  std::size_t runs(std::size_t standard) const {
    return options.quick_or<std::size_t>(2, standard);
  }

  // Runs job(0) .. job(count - 1) on all threads, with a line of progress at a terminal.
  template <class Job>
  void run(std::size_t count, const Job& job) {
    run_with_progress(pool, "training", count, job);
  }

  // Returns the rows of so many runs on suite 0, which is A, or 1, which is B.
  Splits suite(std::size_t which, std::size_t runs) {
    Splits found;
    for (std::size_t k = 0; k < runs; ++k) {
      if (drawn_[which].size() == k)
        drawn_[which].push_back(draw_suite(suites[which], seed_of_run(options.seed, k), rows()));
      found.push_back(&drawn_[which][k]);
    }
    return found;
  }
  // Returns those of the first run on suite A.
  const SplitRows& suite() { return *suite(0, 1)[0]; }

  // Returns a model of the part as it starts, and the numbers that draw its batches.
  Random start() const { return Random(options.seed, 31); }
  Random batches() const { return Random(options.seed, 32); }

  Options options;
  Pool pool;

 private:
  std::array<std::deque<SplitRows>, 2> drawn_;
};

// --------------------------------------------------------------------------- what several parts do

// What the parts that train say they train with.
inline std::string settings_of_training() {
  const TrainingSettings s;
  const AdamWSettings a;
  return join(suite_rows, " rows, batches of ", s.batch, ", ", s.steps,
              " steps of AdamW (β₁ = ", a.beta1, ", β₂ = ", a.beta2, ", decay ", a.decay,
              "), the rate falling from the first step along half a cosine from ");
}

// And what those say that choose a rate.
inline std::string settings_of_runs(std::size_t runs) {
  return join("rates ", rate_step, " times apart, chosen on ", suite_rows / kept_back, " of the ",
              suite_rows, " rows by ", runs, " runs, and ", runs, " runs at the best");
}

// The rates that a contender was tried at on suite A, and at the best of them its scores on suite
// A, and on B.
struct Judged {
  RateSweep sweep;
  std::array<std::vector<double>, 2> r2;
};

// Lets every contender find its rate, and then run so often on each of `count` suites.
std::vector<Judged> judge(Session& session, const std::vector<Contender>& all, std::size_t count,
                          std::size_t runs);

// Says how many runs diverged, where any did.
inline void say_diverged(Lesson& lesson, std::size_t count) {
  if (count > 0) lesson.say("Runs that diverged, and count as R² 0: ", count, ".");
}

// Draws a model anew and checks it through its mean squared error.
template <class Model>
GradientReport check_through_loss(Model model, Random& random) {
  fill_normal(model.tensors(), random,
              0.5);  // larger numbers, squared twice, would round by more than 1e-7
  Matrix<double> X = normal_matrix<double>(6, model.form.in, 1, random);
  return check_model(model, X, squared_error(normal_matrix<double>(6, model.form.out, 1, random)));
}

extern const Part<Session> part0, part1, part2, part3, part4, part5, part6, part7;

}  // namespace lesson3
