// The loop that trains: a pass over a batch, its gradients, one step of the optimizer.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include "common/fast/parallel.hpp"
#include "common/model.hpp"
#include "common/optimizer.hpp"

// How the learning rate runs: up to its peak in `warm_up` steps, then down half a cosine to
// last·rate.
struct Schedule {
  long steps = 0;
  double rate = 0;
  long warm_up = 0;
  double last = 0;

  double at(long step) const { return cosine_rate(step, steps, rate, warm_up, last); }
};

struct Unwatched {
  void operator()(long, double) const {}
};

// Trains a model. run(step, pass) takes one batch through the model, forward and back, and returns
// its loss, which watch(step, loss) may look at; a loss that is not below `hopeless` throws
// Diverged.
template <class Model, class Optimizer, class Run, class Watch = Unwatched>
void train(Model& model, Optimizer& optimizer, const Schedule& schedule, double hopeless,
           const Run& run, const Watch& watch = {}) {
  Pass<Model> pass(model);
  const auto parameters = model.tensors(), gradients = pass.g.parameters.tensors();
  for (long step = 0; step < schedule.steps; ++step) {
    const double loss = run(step, pass);
    check_below(hopeless, loss, step);
    watch(step, loss);
    optimizer.step(parameters, gradients, schedule.at(step));
  }
}

// A batch in fixed parts, on all threads of a pool, whose gradients are added up in the order of
// the parts: the same bits for every number of threads.
template <class Model>
class ShardedPass {
 public:
  ShardedPass(const Model& model, std::size_t shards)
      : passes_(shards, Pass<Model>(model)), losses_(shards) {
    for (Pass<Model>& pass : passes_) gradients_.push_back(pass.g.parameters.tensors());
  }

  ShardedPass(const ShardedPass&) = delete;  // its lists name its own tensors
  ShardedPass& operator=(const ShardedPass&) = delete;

  std::size_t shards() const { return passes_.size(); }

  // Returns the loss, the sum of what run(shard, pass) returns of each. The gradients of a mean
  // over the batch are those of the parts times their share of it, which is left to `run`.
  template <class Run>
  double run(Pool& pool, const Run& run) {
    pool.run(shards(), [&](std::size_t s) { losses_[s] = run(s, passes_[s]); });
    double loss = 0;
    for (const double part : losses_) loss += part;
    pool.run(gradients().size(), [&](std::size_t t) {
      for (std::size_t s = 1; s < shards(); ++s)
        gradients()[t].tensor += gradients_[s][t].tensor;  // a sum of parts, back
    });
    return loss;
  }

  const Tensors<typename Model::Number>& gradients() const { return gradients_[0]; }

 private:
  std::vector<Pass<Model>> passes_;
  std::vector<Tensors<typename Model::Number>> gradients_;
  std::vector<double> losses_;
};
