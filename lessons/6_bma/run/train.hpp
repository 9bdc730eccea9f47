// Lesson 6: training the language model. A batch is cut into fixed shards of whole sequences; each shard's gradients
// are found on whatever thread is free and added up in the order of the shards, so a run gives the same numbers with
// any number of threads. All that a step draws comes from the seed and the step's number, so a stopped run can go on to
// the bit.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "common/optimizer.hpp"
#include "common/support/parallel.hpp"
#include "lessons/6_bma/model/5_language_model.hpp"

namespace lesson6 {

struct RunSettings {
  long steps = 300;
  std::size_t batch = 16;  // sequences a step, each as long as the context
  double rate = 5e-3;      // the peak
  double last_rate = 0.1;  // where the cosine ends, as a part of the peak
  long warm_up = 30;       // steps in which the rate climbs
  double decay = 0.1;      // of matrices; biases, gains and shifts do not decay
  double clip = 1;         // the largest norm of all gradients together
  std::uint64_t seed = 1;

  double rate_at(long step) const;  // up over the warm-up, then down a cosine
};

// What a run needs to go on: the averages of the optimizer, for matrices and for rows. The count of steps is in them,
// and with the seed it is also all that the random numbers depend on.
template <class T>
struct RunState {
  typename AdamW<T>::State matrices, rows;

  long steps() const { return matrices.steps; }
};

// AdamW, with decay for matrices and without it for what is a single row.
template <class T>
class DecayedAdamW {
 public:
  explicit DecayedAdamW(const Tensors<T>& parameters, const Tensors<T>& gradients, double decay, RunState<T> state);

  void step(double rate);

  RunState<T> state() const { return {matrices_.state(), rows_.state()}; }

 private:
  AdamW<T> matrices_, rows_;
  Tensors<T> matrix_parameters_, matrix_gradients_, row_parameters_, row_gradients_;
};

template <class T>
class LanguageTrainer {
 public:
  // Trains `model` in place on windows drawn from `text`, from the given state on; both must outlive the trainer, and
  // the model must stay where it is. Throws std::invalid_argument for a batch of 0 and a text no longer than the
  // context.
  LanguageTrainer(LanguageModel<T>& model, Symbols text, const RunSettings& settings, Pool& pool,
                  RunState<T> state = {});
  LanguageTrainer(const LanguageTrainer&) = delete;
  LanguageTrainer& operator=(const LanguageTrainer&) = delete;

  // Takes one step: draw windows, forward, backward, clip, AdamW. Returns the loss before the step. Throws Diverged.
  double step();

  long steps() const { return steps_; }
  const LanguageModel<T>& model() const { return model_; }
  const Tensors<T>& gradients() const { return gradients_[0]; }  // those of the last step, clipped
  RunState<T> state() const { return adam_->state(); }

 private:
  static constexpr std::size_t most_shards = 4;  // more would share the work of more threads, and cost more adding up

  struct Shard {
    explicit Shard(const LanguageModel<T>& model) : g(model) { g.with_dX = false; }

    std::vector<std::uint32_t> inputs, targets;
    typename LanguageModel<T>::Trace trace;
    Gradients<LanguageModel<T>> g;
    double loss = 0;  // the shard's part of the mean over the batch
  };

  Random random_of(std::size_t use) const;
  void draw_windows();
  void find_gradients(std::size_t index);
  void merge_and_clip();

  LanguageModel<T>& model_;
  Symbols text_;
  RunSettings settings_;
  Pool& pool_;
  long steps_;
  std::vector<Shard> shards_;
  std::vector<Tensors<T>> gradients_;    // of each shard, in the order of the model's tensors
  std::optional<DecayedAdamW<T>> adam_;  // made when all gradients have their place
  std::vector<double> norms_;            // the square of each tensor's gradient
};

}  // namespace lesson6
