// Trains the language model. Batches are cut into fixed shards, so the numbers do not
// depend on the threads.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/fast/parallel.hpp"
#include "common/frame/text/words.hpp"
#include "common/optimizer.hpp"
#include "common/training.hpp"
#include "lessons/6_bma/transformer.hpp"

namespace lesson6 {

// ---------------------------------------------------------------------------- how a run is trained

struct RunSettings {
  long steps = 300;
  std::size_t batch = 16;  // sequences of a context's length, or pairs of tokens
  double rate = 5e-3;      // the peak
  double others = 1;       // times the rate, for all but the blocks' matrices
  double outputs = 1;      // the same for Wo
  double last_rate = 0.1;  // where the cosine ends, as a part of the peak
  long warm_up = 30;       // steps in which the rate climbs
  double decay = 0.1;      // of matrices only
  double clip = 1;         // the largest norm of all gradients together
  double square = 0.99;    // AdamW's average of squares keeps this, that of gradients .9
  std::uint64_t seed = 1;

  void set_steps(long count) {
    steps = count;
    warm_up = std::min(100L, steps / 10);
  }

  Schedule schedule() const { return {steps, rate, warm_up, last_rate}; }
  AdamWSettings adam() const { return {.beta2 = square, .decay = decay, .rows_decay = false}; }

  // The same for a model, whose matrices in blocks step at the rate itself.
  template <class T>
  AdamWSettings adam(const Tensors<T>& tensors) const {
    AdamWSettings all = adam();
    for (const auto& [name, tensor] : tensors) {
      const bool in_block = name.starts_with("blocks.") && tensor.rows() > 1;
      all.factors.push_back(name.ends_with(".Wo") ? outputs : in_block ? 1 : others);
    }
    return all;
  }

  // Says what the trainer is given.
  std::string text(const char* examples) const {
    const Schedule rates = schedule();
    const AdamWSettings by = adam();
    return join(rates.steps, " steps of ", batch, " ", examples, ", rate ", rates.rate,
                rates.warm_up > 0 ? join(", warm-up ", rates.warm_up) : "", ", cosine to ",
                rates.last, " of it, β₁ ", by.beta1, ", β₂ ", by.beta2, ", decay ", by.decay,
                clip < HUGE_VAL ? join(", clip ", clip) : "");
  }
};

// ------------------------------------------------------------------------------ the language model

template <class T>
class LanguageTrainer {
 public:
  // Trains `model` in place on windows of `text`; both must outlive the trainer. Throws
  // std::invalid_argument for a batch of 0 or a text no longer than the context.
  LanguageTrainer(LanguageModel<T>& model, Symbols text, const RunSettings& settings, Pool& pool)
      : model_(model),
        text_(text),
        settings_(settings),
        pool_(pool),
        pass_(model, std::min(settings.batch, most_shards)),
        batches_(pass_.shards()),
        adam_(settings.adam(model.tensors())) {
    if (settings.batch == 0) throw std::invalid_argument("a batch of 0 windows");
    if (text.size() <= model.form.context)
      throw std::invalid_argument("the text is no longer than the context");
  }
  LanguageTrainer(const LanguageTrainer&) = delete;

  // Takes a step and returns the loss before it. Throws Diverged.
  double step() {
    draw_windows();
    double loss = 0;
    const auto run = [&](long) {
      loss = pass_.run(pool_, [&](std::size_t s, auto& pass) { return find_gradients(s, pass); });
      clip_global_norm(gradients(), settings_.clip);
      return loss;
    };
    const double of_knowing_nothing = std::log(double(model_.form.vocab));
    training_step(steps_, model_, pass_, adam_, settings_.schedule(), 10 * of_knowing_nothing, run);
    ++steps_;
    return loss;
  }

  long steps() const { return steps_; }
  // Of the last step, clipped.
  const Tensors<T>& gradients() const { return pass_.gradients(); }

 private:
  // More would serve more threads, but cost more adding up.
  static constexpr std::size_t most_shards = 4;

  struct Batch {
    std::vector<std::uint32_t> inputs, targets;
  };

  // Each step has its own streams: windows (0), each shard's dropout (1, 2, ...).
  Random random_of(std::size_t use) const {
    return Random(settings_.seed, 1000 + std::uint64_t(steps_) * (most_shards + 1) + use);
  }

  // Windows begin anywhere, in an order independent of the shards.
  void draw_windows() {
    Random random = random_of(0);
    const std::size_t tokens = model_.form.context;
    for (std::size_t s = 0; s < batches_.size(); ++s) {
      auto& [inputs, targets] = batches_[s];
      inputs.clear();
      targets.clear();
      for (std::size_t k = 0; k < shard(settings_.batch, batches_.size(), s).count; ++k) {
        const Symbols window =
            text_.subspan(std::size_t(random.below(text_.size() - tokens)), tokens + 1);
        inputs.insert(inputs.end(), window.begin(), window.end() - 1);
        targets.insert(targets.end(), window.begin() + 1, window.end());
      }
    }
  }

  // A shard's part of the mean. The gradient overwrites the logits: no step makes a matrix.
  double find_gradients(std::size_t s, Pass<LanguageModel<T>>& pass) const {
    const auto& [inputs, targets] = batches_[s];
    const std::size_t tokens = model_.form.context;
    const auto all = double(settings_.batch * tokens);
    const double part = double(inputs.size()) / all;  // of the mean, back
    const Texts texts{inputs, tokens, random_of(1 + s)};
    model_.forward(texts, pass.trace);
    Loss<T> loss = softmax_cross_entropy<T>(std::move(pass.trace.Y), targets);
    pass.trace.Y = T(part) * std::move(loss.gradient);         // back
    model_.backward(texts, pass.trace, pass.trace.Y, pass.g);  // back
    return part * loss.value;
  }

  LanguageModel<T>& model_;
  Symbols text_;
  RunSettings settings_;
  Pool& pool_;
  long steps_ = 0;
  ShardedPass<LanguageModel<T>> pass_;
  std::vector<Batch> batches_;
  AdamW<T> adam_;
};

extern template class LanguageTrainer<float>;
extern template void draw_start(LanguageModel<float>&, const Start&, std::uint64_t);

}  // namespace lesson6
