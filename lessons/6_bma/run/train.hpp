// Lesson 6: training the language model. A batch is cut into fixed shards of whole sequences; each shard's gradients are
// found on whatever thread is free and added up in the order of the shards, so a run gives the same numbers with any number
// of threads. All that a step draws comes from the seed and the step's number, so a stopped run can go on to the bit.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/loss.hpp"
#include "common/optimizer.hpp"
#include "common/support/parallel.hpp"
#include "language_model.hpp"

struct RunSettings {
  long steps = 300;
  std::size_t batch = 16;  // sequences a step, each as long as the context
  double rate = 5e-3;      // the peak
  double last_rate = 0.1;  // where the cosine ends, as a part of the peak
  long warm_up = 30;       // steps in which the rate climbs
  double decay = 0.1;      // of matrices; biases, gains and shifts do not decay
  double clip = 1;         // the largest norm of all gradients together
  std::uint64_t seed = 1;
};

// What a run needs to go on: the averages of the optimizer, for matrices and for rows. The count of steps is in them, and with
// the seed it is also all that the random numbers depend on.
template <class T>
struct RunState {
  typename AdamW<T>::State matrices, rows;

  long steps() const { return matrices.steps; }
};

// AdamW, with decay for matrices and without it for what is a single row.
template <class T>
class DecayedAdamW {
 public:
  DecayedAdamW(const Tensors<T>& parameters, const Tensors<T>& gradients, double decay, RunState<T> state = {})
      : matrices_({0.9, 0.99, 1e-8, decay}, std::move(state.matrices)),
        rows_({0.9, 0.99, 1e-8, 0}, std::move(state.rows)) {
    for (std::size_t t = 0; t < parameters.size(); ++t) {
      const bool is_row = parameters[t].tensor.rows() == 1;
      (is_row ? row_parameters_ : matrix_parameters_).push_back(parameters[t]);
      (is_row ? row_gradients_ : matrix_gradients_).push_back(gradients[t]);
    }
  }

  void step(double rate) {
    matrices_.step(matrix_parameters_, matrix_gradients_, rate);
    rows_.step(row_parameters_, row_gradients_, rate);
  }

  RunState<T> state() const { return {matrices_.state(), rows_.state()}; }

 private:
  AdamW<T> matrices_, rows_;
  Tensors<T> matrix_parameters_, matrix_gradients_, row_parameters_, row_gradients_;
};

template <class T>
class LanguageTrainer {
 public:
  // Trains `model` in place on windows drawn from `text`, from the given state on; both must outlive the trainer, and the
  // model must stay where it is. Throws std::invalid_argument for a batch of 0 and a text no longer than the context.
  LanguageTrainer(LanguageModel<T>& model, Symbols text, const RunSettings& settings, Pool& pool,
                  RunState<T> state = {})
      : model_(model),
        text_(text),
        settings_(settings),
        pool_(pool),
        steps_(state.steps()),
        shards_(std::min(settings.batch, most_shards), Shard(model.form)),
        norms_(model.tensors().size()) {
    if (settings.batch == 0) throw std::invalid_argument("a batch of 0 windows");
    if (text.size() <= model.form.context) throw std::invalid_argument("the text is no longer than the context");
    for (Shard& s : shards_) gradients_.push_back(s.gradients.tensors());
    adam_.emplace(model.tensors(), gradients_[0], settings.decay, std::move(state));
  }
  LanguageTrainer(const LanguageTrainer&) = delete;
  LanguageTrainer& operator=(const LanguageTrainer&) = delete;

  // One step: draw windows, forward, backward, clip, AdamW. Returns the loss before the step. Throws Diverged.
  double step() {
    draw_windows();
    pool_.run(shards_.size(), [&](std::size_t s) { find_gradients(s); });
    double loss = 0;
    for (const Shard& s : shards_) loss += s.loss;
    check_below(10 * std::log(double(model_.form.vocab)), loss, steps_);  // ten times that of knowing nothing
    merge_and_clip();
    adam_->step(cosine_rate(steps_, settings_.steps, settings_.rate, settings_.warm_up, settings_.last_rate));
    ++steps_;
    return loss;
  }

  long steps() const { return steps_; }
  const LanguageModel<T>& model() const { return model_; }
  const Tensors<T>& gradients() const { return gradients_[0]; }  // those of the last step, clipped
  RunState<T> state() const { return adam_->state(); }

 private:
  static constexpr std::size_t most_shards = 4;  // more would share the work of more threads, and cost more adding up

  struct Shard {
    explicit Shard(const LanguageForm& form) : gradients(form) {}

    LanguageModel<T> gradients;
    std::vector<std::uint32_t> inputs, targets;
    typename LanguageModel<T>::Trace trace, room;
    double loss = 0;  // the shard's part of the mean over the batch
  };

  // Numbers of its own for every step, and in it for the windows (0) and the dropout of each shard (1, 2, ...).
  Random random_of(std::size_t use) const {
    return Random(settings_.seed, 1000 + std::uint64_t(steps_) * (most_shards + 1) + use);
  }

  // Windows that begin anywhere; shard by shard, so that the batch does not depend on the shards.
  void draw_windows() {
    Random random = random_of(0);
    const std::size_t tokens = model_.form.context;
    for (std::size_t s = 0; s < shards_.size(); ++s) {
      shards_[s].inputs.clear(), shards_[s].targets.clear();
      for (std::size_t k = 0; k < shard(settings_.batch, shards_.size(), s).count; ++k) {
        const Symbols window = text_.subspan(std::size_t(random.below(text_.size() - tokens)), tokens + 1);
        shards_[s].inputs.insert(shards_[s].inputs.end(), window.begin(), window.end() - 1);
        shards_[s].targets.insert(shards_[s].targets.end(), window.begin() + 1, window.end());
      }
    }
  }

  void find_gradients(std::size_t index) {
    Shard& s = shards_[index];
    Random random = random_of(1 + index);
    const std::size_t tokens = model_.form.context;
    const double part = double(s.inputs.size()) / double(settings_.batch * tokens);  // of the mean, back
    model_.forward(s.inputs, tokens, s.trace, &random);
    Loss<T> loss = softmax_cross_entropy<T>(std::move(s.trace.logits), s.targets);
    s.loss = part * loss.value;
    s.trace.logits = T(part) * std::move(loss.gradient);                              // back
    model_.backward(s.inputs, tokens, s.trace, s.trace.logits, s.room, s.gradients);  // back
  }

  // Adds the shards' gradients up in the first, and makes their common norm at most `clip`.
  void merge_and_clip() {
    pool_.run(norms_.size(), [&](std::size_t t) {
      Matrix<T>& sum = gradients_[0][t].tensor;
      for (std::size_t s = 1; s < shards_.size(); ++s) sum += gradients_[s][t].tensor;  // all shards, back
      norms_[t] = dot(sum, sum);                                                        // back
    });
    double square = 0;
    for (const double norm : norms_) square += norm;  // back
    if (square <= settings_.clip * settings_.clip) return;
    const T factor = T(settings_.clip / std::sqrt(square));  // back
    pool_.run(norms_.size(), [&](std::size_t t) {
      Matrix<T>& sum = gradients_[0][t].tensor;
      sum = factor * std::move(sum);  // back
    });
  }

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
