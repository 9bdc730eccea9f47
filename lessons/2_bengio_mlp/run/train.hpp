// Lesson 2: training. A batch is cut into fixed shards, each shard's gradients are found on whatever thread is free,
// and they are added up in the order of the shards: so a run gives the same numbers with any number of threads.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "common/optimizer.hpp"
#include "common/support/parallel.hpp"
#include "lessons/2_bengio_mlp/model/2_bengio.hpp"

namespace lesson2 {

struct TrainingSettings {
  long steps = 2000;
  std::size_t batch = 128;
  double rate = 1e-2;     // the peak; half a cosine takes it to 0
  double warm_up = 0.02;  // the part of the steps in which it climbs
  AdamWSettings adam{0.9, 0.99, 1e-8, 0.01};
};

// Throws Diverged for a loss from which no model of so many symbols comes back.
void check_loss(double loss, std::size_t vocab, long step);

// Returns ln p(symbol | the symbols before it) for `count` places of the text, from place `first` on.
std::vector<double> log_probabilities(const Bengio<float>& model, std::span<const std::uint32_t> text,
                                      std::size_t first, std::size_t count, Pool& pool);

// Returns the mean cross-entropy in nats over the same places.
double mean_loss(const Bengio<float>& model, std::span<const std::uint32_t> text, std::size_t first, std::size_t count,
                 Pool& pool);

// Model: a Bengio, or an Overwriting of floats.
template <class Model>
class Trainer {
 public:
  // Trains `model` in place on windows drawn from `text`; both must outlive the trainer.
  Trainer(Model& model, std::span<const std::uint32_t> text, const TrainingSettings& settings, Pool& pool,
          Random random);

  // Takes one step: draw a batch, forward, backward, AdamW. Returns the loss of the batch before the step. Throws
  // Diverged, see check_loss.
  double step();

  // Returns the gradients of the last step: those of the mean loss over the whole batch.
  const Model& gradients() const { return shards_[0].g.d; }

 private:
  struct Shard {
    Windows windows;
    typename Model::Trace trace;
    Gradients<Model> g;
    double loss;  // the shard's part of the mean over the batch
  };

  void find_gradients(Shard& s) const;

  Model& model_;
  std::span<const std::uint32_t> text_;
  TrainingSettings settings_;
  Pool& pool_;
  Random random_;
  AdamW<typename Model::Number> adam_;
  std::vector<Shard> shards_;
  long steps_ = 0;
};

using Watch = std::function<void(long step, double loss)>;

// Runs all steps and calls `watch`, where there is one, after each. Throws Diverged, see check_loss.
template <class Model>
void train(Model& model, std::span<const std::uint32_t> text, const TrainingSettings& settings, Pool& pool,
           Random random, const Watch& watch = {});

}  // namespace lesson2
