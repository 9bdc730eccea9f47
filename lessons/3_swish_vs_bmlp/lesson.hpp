// Lesson 3: what its parts share.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <deque>
#include <string>

#include "common/frame/lesson/part.hpp"
#include "common/model_losses.hpp"
#include "lessons/3_swish_vs_bmlp/own_table.hpp"
#include "lessons/3_swish_vs_bmlp/protocol.hpp"

namespace lesson3 {

constexpr knob::Real rate_flag{"rate", "peak learning rate", 0.005, {1e-9, 100, 0}};

constexpr knob::TextFile data_flag{
    "data", "learn a table of numbers (CSV): a row for each example, targets in the last columns"};
constexpr knob::Whole targets_flag{
    "targets", "how many of its last columns are targets", 1, {1, 100}};
constexpr int own_table = 8;  // the part for it
constexpr knob::TextFile save_flag{"save", "store the best network of --data (safetensors)"};
constexpr knob::TextFile load_flag{"load", "judge a stored network on --data; trains none"};

class Session {
 public:
  // Reads the table and the network of the flags. Throws UserError.
  explicit Session(const Options& o);

  TrainingSettings training() const {
    return {.steps = options.steps_or(TrainingSettings().steps, 60),
            .rate = options.own[rate_flag]};
  }

  // Of each part of a suite.
  std::size_t rows() const { return options.quick_or<std::size_t>(512, suite_rows); }

  std::size_t runs(std::size_t standard) const {
    return options.quick_or<std::size_t>(2, standard);
  }

  // Returns the rows of each run; suite 0 is A, 1 is B.
  Splits suite(std::size_t which, std::size_t runs) {
    Splits splits;
    for (std::size_t k = 0; k < runs; ++k) {
      if (drawn_[which].size() == k)
        drawn_[which].push_back(draw_suite(suites[which], seed_of_run(options.seed, k), rows()));
      splits.push_back(&drawn_[which][k]);
    }
    return splits;
  }
  const SplitRows& suite() { return *suite(0, 1)[0]; }

  Random start() const { return Random(options.seed, 31); }

  // A training on suite A; returns its losses by step.
  using Watched = std::function<plot::Series()>;
  template <class Model>
  Watched watched(const std::string& name, Model& model, const TrainingSettings& settings) {
    return [=, &model, &rows = suite().train, batches = Random(options.seed, 32)] {
      return train_and_watch(name, model, rows, settings, batches);
    };
  }

  std::vector<plot::Series> side_by_side(const std::vector<Watched>& trainings) {
    std::vector<plot::Series> losses(trainings.size());
    run_grid(pool, "training", {losses.size()}, [&](std::size_t k) { losses[k] = trainings[k](); });
    return losses;
  }

  Options options;
  Pool pool;
  std::optional<OwnTable> table;  // of --data
  std::optional<Stored> stored;   // of --load

 private:
  std::array<std::deque<SplitRows>, 2> drawn_;
};

// --------------------------------------------------------------------------- what several parts do

inline std::string settings_of_training() {
  const TrainingSettings s;
  return join(suite_rows, " rows in batches of ", s.batch, ", and ", s.steps,
              " steps of AdamW (β₁ = ", s.adam.beta1, ", β₂ = ", s.adam.beta2, ", decay ",
              s.adam.decay, "). The rate starts at ", s.rate);
}

inline std::string settings_of_runs(std::size_t runs) {
  return join("rates a factor of ", rate_step, " apart. Each rate gets ", runs, " runs, scored on ",
              suite_rows / kept_back, " of the ", suite_rows, " rows, and the best rate then gets ",
              runs, " more");
}

// A contender's rates on suite A, and its scores at the best on both.
struct Judged {
  RateSweep sweep;
  std::vector<std::vector<double>> r2;  // by task
};

// Lets every contender find its rate on the first task, then run on all; a task has rows for each
// run.
std::vector<Judged> judge(Session& session, const std::vector<Contender>& all,
                          const std::vector<Splits>& tasks, const TrainingSettings& settings);

// Returns whose validation loss is least, from `first` on: test rows judge, and do not choose.
inline std::size_t chosen_of(const std::vector<Judged>& judged, std::size_t first) {
  const auto loss = [&](std::size_t k) { return judged[k].sweep.losses[judged[k].sweep.best]; };
  std::size_t chosen = first;
  for (std::size_t k = first; k < judged.size(); ++k)
    if (loss(k) < loss(chosen)) chosen = k;
  return chosen;
}

inline void say_diverged(Lesson& lesson, std::size_t count) {
  if (count > 0) lesson.say("Runs that diverged and so count as R² 0: ", count, ".");
}

// Draws a model anew and claims its gradients: a right derivation leaves 1e-8 (lesson 1, part 4).
template <class Model>
void claim_gradients(Lesson& lesson, const std::string& statement, Model model, Random& random) {
  fill_normal(model.tensors(), random, 0.5);  // larger numbers, squared twice, would round more
  Rows rows = normal_rows(6, model.form, random);
  try {
    const GradientReport report = check_model(model, rows.X, squared_error(rows.T));
    lesson.claim(statement, report.worst(), at_most(1e-7));
  } catch (const std::invalid_argument& error) {  // two shapes that do not fit
    throw std::invalid_argument(statement + ": " + error.what());
  }
}

extern const Part<Session> part0, part1, part2, part3, part4, part5, part6, part7, part8, part9;

}  // namespace lesson3
