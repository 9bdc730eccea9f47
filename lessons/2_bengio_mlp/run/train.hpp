// Lesson 2: training. A batch is cut into fixed shards, each shard's gradients are found on whatever thread is free, and
// they are added up in the order of the shards: so a run gives the same numbers with any number of threads.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bengio.hpp"
#include "common/loss.hpp"
#include "common/optimizer.hpp"
#include "common/support/parallel.hpp"

struct TrainingSettings {
  long steps = 2000;
  std::size_t batch = 128;
  double rate = 1e-2;     // the peak; half a cosine takes it to 0
  double warm_up = 0.02;  // the part of the steps in which it climbs
  AdamWSettings adam{0.9, 0.99, 1e-8, 0.01};
};

// Bad starts cost up to ten times ln vocab, the loss of knowing nothing. At a hundred times it the units are saturated,
// their slopes are 0, and the loss stays finite but does not come back.
inline void check_loss(double loss, std::size_t vocab, long step) {
  check_below(100 * std::log(double(vocab)), loss, step);
}

// ln p(symbol | the symbols before it) for `count` places of the text, from place `first` on.
template <class T>
std::vector<double> log_probabilities(const Bengio<T>& model, std::span<const std::uint32_t> text, std::size_t first,
                                      std::size_t count, Pool& pool) {
  constexpr std::size_t chunk = 1024;
  std::vector<double> found(count);
  pool.run((count + chunk - 1) / chunk, [&](std::size_t k) {
    const std::size_t begin = k * chunk, size = std::min(chunk, count - begin);
    const Windows windows = windows_of(text, first + begin, size, model.sizes.context, padding_of(model.sizes));
    Matrix<T> logits = model.forward(windows).logits;
    for (std::size_t i = 0; i < size; ++i) {
      const double logit = double(logits(i, windows.targets[i]));
      found[begin + i] = logit - softmax(logits.row(i));
    }
  });
  return found;
}

// Mean cross-entropy in nats over the same places.
template <class T>
double mean_loss(const Bengio<T>& model, std::span<const std::uint32_t> text, std::size_t first, std::size_t count,
                 Pool& pool) {
  double sum = 0;
  for (const double log_p : log_probabilities(model, text, first, count, pool)) sum -= log_p;
  return sum / double(count);
}

// Model: Bengio<T>, or one that differs from it in its backward pass.
template <class T, class Model = Bengio<T>>
class Trainer {
 public:
  // Trains `model` in place on windows drawn from `text`; both must outlive the trainer.
  Trainer(Model& model, std::span<const std::uint32_t> text, TrainingSettings settings, Pool& pool, Random random)
      : model_(model), text_(text), settings_(settings), pool_(pool), random_(random), adam_(settings.adam) {
    const std::size_t rows = settings.batch > 128 ? 128 : 64;  // many for a fast product, few enough to share
    shards_.resize((settings.batch + rows - 1) / rows, Shard{{}, Bengio<T>(model.sizes), 0});
  }

  // One step: draw a batch, forward, backward, AdamW. Returns the loss of the batch before the step.
  double step() {
    for (std::size_t s = 0; s < shards_.size(); ++s)
      shards_[s].windows = draw_windows(text_, shard(settings_.batch, shards_.size(), s).count, model_.sizes.context,
                                        padding_of(model_.sizes), random_);
    pool_.run(shards_.size(), [&](std::size_t s) { find_gradients(shards_[s]); });
    double loss = shards_[0].loss;
    const Tensors<T> total = shards_[0].gradients.tensors();
    for (std::size_t s = 1; s < shards_.size(); ++s) {
      loss += shards_[s].loss;
      const Tensors<T> part = shards_[s].gradients.tensors();
      for (std::size_t t = 0; t < total.size(); ++t) total[t].tensor += part[t].tensor;  // a sum of shards: (2.6) back
    }
    check_loss(loss, model_.sizes.vocab, steps_);
    const long warm_up = long(settings_.warm_up * double(settings_.steps));
    adam_.step(model_.tensors(), total, cosine_rate(steps_++, settings_.steps, settings_.rate, warm_up));
    return loss;
  }

  // The gradients of the last step: those of the mean loss over the whole batch.
  const Bengio<T>& gradients() const { return shards_[0].gradients; }

 private:
  struct Shard {
    Windows windows;
    Bengio<T> gradients;
    double loss;  // the shard's part of the mean over the batch
  };

  void find_gradients(Shard& s) const {
    const double part = double(s.windows.size()) / double(settings_.batch);  // of the mean, back
    const auto trace = model_.forward(s.windows);
    Loss<T> loss = softmax_cross_entropy<T>(trace.logits, s.windows.targets);
    s.loss = part * loss.value;
    const Matrix<T> dlogits = T(part) * std::move(loss.gradient);  // a mean over the batch: (2.6) back
    s.gradients = model_.backward(s.windows, trace, dlogits);      // back
  }

  Model& model_;
  std::span<const std::uint32_t> text_;
  TrainingSettings settings_;
  Pool& pool_;
  Random random_;
  AdamW<T> adam_;
  std::vector<Shard> shards_;
  long steps_ = 0;
};

// Runs all steps; `watch(step, loss)` is called after each. Throws Diverged, see check_loss.
template <class T, class Watch>
void train(Bengio<T>& model, std::span<const std::uint32_t> text, const TrainingSettings& settings, Pool& pool,
           Random random, Watch watch) {
  Trainer<T> trainer(model, text, settings, pool, random);
  for (long step = 0; step < settings.steps; ++step) watch(step, trainer.step());
}
template <class T>
void train(Bengio<T>& model, std::span<const std::uint32_t> text, const TrainingSettings& settings, Pool& pool,
           Random random) {
  train(model, text, settings, pool, random, [](long, double) {});
}
