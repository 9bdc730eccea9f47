// Lesson 2: what its parts share: the flags of this lesson, the text, the threads, and the model once it is trained.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "bengio.hpp"
#include "common/support/corpus.hpp"
#include "common/support/lesson.hpp"
#include "model_file.hpp"
#include "train.hpp"

inline constexpr long standard_steps = 6000;  // of the model that parts 6 and 8 share

// The flags of lesson 2 beside those that all lessons share.
struct BengioFlags {
  std::string text, save, load, prompt;
  std::size_t context = 3, dim = 8, hidden = 128, sample = 0;
  TrainingSettings training;
  double temperature = 1;
  bool direct = false, own_model = false;  // own_model: a flag changes what is trained
};

inline BengioFlags bengio_flags(Flags& flags) {
  constexpr std::size_t most = 4096;
  BengioFlags f;
  f.text = flags.text("--text", "FILE", "", "learn this text; any bytes (the course's own play)");
  f.context = flags.count<std::size_t>("--context", f.context, 1, 64, "symbols that the model sees (3)");
  f.dim = flags.count<std::size_t>("--dim", f.dim, 1, most, "numbers for each symbol (8)");
  f.hidden = flags.count<std::size_t>("--hidden", f.hidden, 1, most, "hidden units (128)");
  f.direct = flags.toggle("--direct", "connections from the embeddings straight to the logits");
  f.training.batch = flags.count<std::size_t>("--batch", f.training.batch, 1, 65536, "windows a step (128)");
  f.training.rate = flags.real("--lr", f.training.rate, 0, 100, "peak learning rate (0.01)");
  f.sample = flags.count<std::size_t>("--sample", 0, 1, 10'000'000, "write this many symbols and stop");
  f.prompt = flags.text("--prompt", "TEXT", "", "what the writing continues");
  f.temperature = flags.real("--temperature", 1, 1e-6, 100, "below 1 safer, above 1 wilder (1)");
  f.save = flags.text("--save", "FILE", "", "store the trained model (safetensors)");
  f.load = flags.text("--load", "FILE", "", "use a stored model instead of training one");
  for (const char* name : {"--prompt", "--temperature"})
    if (flags.given(name) && f.sample == 0) throw UserError(std::string(name) + " needs --sample");
  if (!f.save.empty() && !f.load.empty()) throw UserError("--save: with --load nothing is trained that could be saved");
  for (const char* name : {"--context", "--dim", "--hidden", "--direct", "--batch", "--lr"})
    if (flags.given(name)) {
      if (!f.load.empty()) throw UserError(std::string(name) + ": the model of --load has its own");
      f.own_model = true;
    }
  return f;
}

// Throws UserError when training what the flags describe would not fit. Weights are kept twelve times at most (the model,
// two averages, the gradients of a step and of two shards at work, a copy with its file) and once more for each further shard.
inline void check_memory(const BengioFlags& f, std::size_t threads) {
  const double vocab = 256, d = double(f.dim), in = double(f.context) * d, h = double(f.hidden);
  const double weights = vocab * d + in * h + h * vocab + (f.direct ? in * vocab : 0);
  const double rows = std::max(double(f.training.batch), 1024 * double(threads));
  check_memory("--context, --dim, --hidden, --batch, --threads",
               4 * ((12 + double(f.training.batch) / 64) * weights + rows * (3 * in + 4 * h + 3 * vocab)));
}

class Session {
 public:
  // Reads the text and, under --load, the model. Throws UserError when either cannot be used, when the text lacks a
  // symbol of the prompt, and when the model could not be saved once it is trained.
  Session(const BengioFlags& f, const Options& options, const char* program)
      : flags(f), corpus(read_corpus(f.text, program, f.context)), pool(pool_of(options)) {
    blame("--prompt", [&] { return corpus.vocabulary.encode(f.prompt); });
    if (!f.load.empty()) model_ = load_model(f.load, corpus.vocabulary);
    check_save(f.save, options, {f.text});
  }

  BengioSizes sizes() const {
    if (model_) return model_->sizes;
    return {corpus.vocab(), flags.context, flags.dim, flags.hidden, flags.direct};
  }

  // Is the model the one, and the text the text, that the claims about training are made for?
  bool is_standard() const { return corpus.shipped() && !flags.own_model && flags.load.empty(); }

  bool loaded() const { return !flags.load.empty(); }
  bool has_model() const { return model_.has_value(); }
  const Bengio<float>& model() const { return *model_; }

  // Trains the model that the flags describe and saves it under --save; `watch(step, loss, model)` is called after each step.
  template <class Watch>
  void train_model(std::uint64_t seed, long steps, Watch watch) {
    TrainingSettings settings = flags.training;
    settings.steps = steps;
    Random random(seed);
    Bengio<float> model(sizes(), random);
    train(model, corpus.part.train, settings, pool, Random(seed, 1),
          [&](long step, double loss) { watch(step, loss, model); });
    model_ = std::move(model);
    if (!flags.save.empty()) save_model(flags.save, *model_, corpus.vocabulary);
  }

  BengioFlags flags;
  Corpus corpus;
  Pool pool;

 private:
  std::optional<Bengio<float>> model_;
};
