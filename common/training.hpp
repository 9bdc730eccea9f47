// The training loop: a pass over a batch, its gradients, one step of the optimizer.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

#include "common/fast/parallel.hpp"
#include "common/model.hpp"
#include "common/optimizer.hpp"

// The learning rate climbs to `rate` in `warm_up` steps, then falls along half a cosine
// to last·rate. It stays at `rate` when `last` is 1.
struct Schedule {
  long steps = 0;
  double rate = 0;
  long warm_up = 0;
  double last = 0;

  double at(long step) const { return cosine_rate(step, steps, rate, warm_up, last); }
};

// Sees each loss before its step, and says whether training goes on with that step.
using Watch = std::function<bool(long step, double loss)>;

// Takes a step: run(step) takes a batch through the pass, forward and back, and returns the loss.
// Returns false, and takes none, when `watch` does. Throws Diverged unless the loss is below
// `hopeless`.
template <class Model, class AnyPass, class Optimizer, class Run>
bool training_step(long step, Model& model, AnyPass& pass, Optimizer& optimizer,
                   const Schedule& schedule, double hopeless, const Run& run,
                   const Watch& watch = {}) {
  const double loss = run(step);
  check_below(hopeless, loss, step);
  if (watch && !watch(step, loss)) return false;
  optimizer.step(model.tensors(), pass.gradients(), schedule.at(step));
  return true;
}

// Trains a model with a Pass or a ShardedPass of it. Returns how many steps it took.
template <class Model, class AnyPass, class Optimizer, class Run>
long train(Model& model, AnyPass& pass, Optimizer& optimizer, const Schedule& schedule,
           double hopeless, const Run& run, const Watch& watch = {}) {
  long step = 0;
  while (step < schedule.steps &&
         training_step(step, model, pass, optimizer, schedule, hopeless, run, watch))
    ++step;
  return step;
}

// A pass over a batch in fixed parts, on all threads of a pool. Gradients are added in the order of
// the parts, so every number of threads gives the same bits.
template <class Model>
class ShardedPass {
 public:
  ShardedPass(const Model& model, std::size_t shards)
      : passes_(shards, Pass<Model>(model)), losses_(shards) {
    for (Pass<Model>& pass : passes_) gradients_.push_back(pass.g.parameters.tensors());
  }

  // A copy's lists would name the tensors of the original.
  ShardedPass(const ShardedPass&) = delete;
  ShardedPass& operator=(const ShardedPass&) = delete;

  std::size_t shards() const { return passes_.size(); }

  // Returns the sum of what run(shard, pass) returns. For a mean over the batch, `run` must scale
  // each part's gradients by its share.
  template <class Run>
  double run(Pool& pool, const Run& run) {
    pool.run(shards(), [&](std::size_t s) { losses_[s] = run(s, passes_[s]); });
    pool.run(gradients().size(), [&](std::size_t t) {
      for (std::size_t s = 1; s < shards(); ++s)
        gradients()[t].tensor += gradients_[s][t].tensor;  // a sum of parts, back
    });
    return std::accumulate(losses_.begin(), losses_.end(), 0.0);
  }

  const Tensors<typename Model::Number>& gradients() const { return gradients_[0]; }

 private:
  std::vector<Pass<Model>> passes_;
  std::vector<Tensors<typename Model::Number>> gradients_;
  std::vector<double> losses_;
};
