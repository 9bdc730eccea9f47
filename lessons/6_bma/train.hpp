// Lesson 6: training. Where the weights start, and the loop of the language model, whose batch is
// cut into fixed shards of whole sequences, so that a run gives the same numbers with any number of
// threads.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/fast/parallel.hpp"
#include "common/optimizer.hpp"
#include "common/text/words.hpp"
#include "common/training.hpp"
#include "lessons/6_bma/transformer.hpp"

namespace lesson6 {

// ------------------------------------------------------------------------- where the weights start

// Standard deviations.
struct Start {
  double embeddings = 0.05;  // of symbols and places
  double weights = 0;        // 0: 1/√fan-in for each
  double head = 0.5;         // a factor on the read-out's
  double gates = 0.02;       // of Wg and Wp, so that the gates start near their `start`
  bool shrinks = true;       // the outputs of branches by √(2·layers)
  const char* name = "own";
  double outputs = 1;  // a factor on those of Wo
};

// The lesson's own; its own with embeddings ten times as large; all at .02, as GPT-2 and nanoGPT
// start; and the same with branches as they are, as the code that was published with bma starts.
inline constexpr std::array<Start, 4> starts{{{},
                                              {0.5, 0, 0.5, 0.02, true, "large"},
                                              {0.02, 0.02, 1, 0.02, true, "small"},
                                              {0.02, 0.02, 1, 0.02, false, "published"}}};

// Draws all tensors of a model of so many layers anew: gains 1, biases and shifts 0, the outputs of
// the two branches (Wo, W2) smaller by √(2·layers) where the start says so, since so many are added
// up (Radford et al. 2019). The gates are drawn from numbers of their own, so that the variants of
// one seed share all that they have in common: only then can they be compared pair by pair.
template <class T>
void draw_start(const Tensors<T>& tensors, const Start& start, std::size_t layers,
                std::uint64_t seed) {
  Random shared(seed, 1), gates(seed, 2);
  for (const auto& [name, tensor] : tensors) {
    const std::string last = name.substr(name.rfind('.') + 1);
    const Shape shape = tensor.shape();
    const bool embeds = name == "tok" || name == "pos", gate = last == "Wg" || last == "Wp";
    if (!embeds && (last == "weight" || last.starts_with('b'))) {  // gains; biases and shifts
      tensor = Matrix<T>(shape.rows, shape.cols, last == "weight" ? T(1) : T(0));
      continue;
    }
    double deviation = start.weights > 0 ? start.weights : 1 / std::sqrt(double(shape.rows));
    if (embeds) deviation = start.embeddings;
    if (gate) deviation = start.gates;
    if (start.shrinks && (last == "Wo" || last == "W2")) deviation /= std::sqrt(2 * double(layers));
    if (name == "head.W") deviation *= start.head;
    if (last == "Wo") deviation *= start.outputs;
    tensor = normal_matrix<T>(shape.rows, shape.cols, deviation, gate ? gates : shared);
  }
}

// ---------------------------------------------------------------------------- how a run is trained

struct RunSettings {
  long steps = 300;
  std::size_t batch = 16;  // sequences a step, each as long as the context; or pairs of tokens
  double rate = 5e-3;      // the peak
  double others = 1;   // of all but the matrices of the blocks the rate is so many times as large,
  double outputs = 1;  // and of Wo so many times
  double last_rate = 0.1;  // where the cosine ends, as a part of the peak
  long warm_up = 30;       // steps in which the rate climbs
  double decay = 0.1;      // of matrices; biases, gains and shifts do not decay
  double clip = 1;         // the largest norm of all gradients together
  double square = 0.99;    // AdamW's average of squares keeps this, that of gradients .9
  std::uint64_t seed = 1;

  // The rate climbs in a tenth of so many steps, but in no more than a hundred.
  void set_steps(long so_many) {
    steps = so_many;
    warm_up = std::min(100L, steps / 10);
  }

  Schedule schedule() const { return {steps, rate, warm_up, last_rate}; }
  AdamWSettings adam() const { return {0.9, square, 1e-8, decay, false}; }

  // In words, for README and for whoever runs it.
  std::string text(const char* examples) const {
    return join(steps, " steps of ", batch, " ", examples, ", rate ", rate,
                warm_up > 0 ? join(", warm-up ", warm_up) : "", ", cosine to ", last_rate,
                " of it, β₁ ", adam().beta1, ", β₂ ", square, ", decay ", decay,
                clip < HUGE_VAL ? join(", clip ", clip) : "");
  }
};

// ------------------------------------------------------------------------------ the language model

template <class T>
class LanguageTrainer {
 public:
  // Trains `model` in place on windows drawn from `text`; both must outlive the trainer, and the
  // model must stay where it is. Throws std::invalid_argument for a batch of 0 and a text no longer
  // than the context.
  LanguageTrainer(LanguageModel<T>& model, Symbols text, const RunSettings& settings, Pool& pool)
      : model_(model),
        text_(text),
        settings_(settings),
        pool_(pool),
        pass_(model, std::min(settings.batch, most_shards)),
        batches_(pass_.shards()),
        adam_{AdamW<T>(settings.adam()), AdamW<T>(settings.adam()), AdamW<T>(settings.adam())} {
    if (settings.batch == 0) throw std::invalid_argument("a batch of 0 windows");
    if (text.size() <= model.form.context)
      throw std::invalid_argument("the text is no longer than the context");
    const Tensors<T> all = model.tensors();
    for (std::size_t t = 0; t < all.size(); ++t) {
      const bool other = !all[t].name.starts_with("blocks.") || all[t].tensor.rows() == 1;
      const std::size_t group = all[t].name.ends_with(".Wo") ? 2 : other;
      parameters_[group].push_back(all[t]);
      gradients_[group].push_back(gradients()[t]);
    }
  }
  LanguageTrainer(const LanguageTrainer&) = delete;

  // Takes one step: draw windows, forward, backward, clip, AdamW. Returns the loss before the step.
  // Throws Diverged.
  double step() {
    draw_windows();
    const double loss =
        pass_.run(pool_, [&](std::size_t s, auto& pass) { return find_gradients(s, pass); });
    check_below(10 * std::log(double(model_.form.vocab)), loss,
                steps_);  // ten times that of knowing nothing
    clip_global_norm(gradients(), settings_.clip);
    const double rate = settings_.schedule().at(steps_),
                 times[] = {1, settings_.others, settings_.outputs};
    for (std::size_t group = 0; group < adam_.size(); ++group)
      adam_[group].step(parameters_[group], gradients_[group], times[group] * rate);
    ++steps_;
    return loss;
  }

  long steps() const { return steps_; }
  const Tensors<T>& gradients() const {
    return pass_.gradients();
  }  // those of the last step, clipped

 private:
  static constexpr std::size_t most_shards =
      4;  // more would share the work of more threads, and cost more adding up

  struct Batch {
    std::vector<std::uint32_t> inputs, targets;
  };

  // Numbers of its own for every step, and in it for the windows (0) and the dropout of each shard
  // (1, 2, ...).
  Random random_of(std::size_t use) const {
    return Random(settings_.seed, 1000 + std::uint64_t(steps_) * (most_shards + 1) + use);
  }

  // Windows that begin anywhere; shard by shard, so that the batch does not depend on the shards.
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

  // Returns a shard's part of the mean over the batch. The logits' place takes their gradient, so
  // that no step asks for memory.
  double find_gradients(std::size_t s, Pass<LanguageModel<T>>& pass) const {
    const auto& [inputs, targets] = batches_[s];
    const std::size_t tokens = model_.form.context;
    const double part =
        double(inputs.size()) / double(settings_.batch * tokens);  // of the mean, back
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
  std::vector<Batch> batches_;                        // of each shard
  std::array<Tensors<T>, 3> parameters_, gradients_;  // matrices of blocks, all else, and Wo
  std::array<AdamW<T>, 3> adam_;                      // the like
};

extern template class LanguageTrainer<float>;
extern template void draw_start(const Tensors<float>&, const Start&, std::size_t, std::uint64_t);

}  // namespace lesson6
