// Lesson 2: trains, judges, stores and loads a model.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "common/data/corpus.hpp"
#include "common/frame/files/checkpoint.hpp"
#include "common/frame/terminal/flags.hpp"
#include "common/frame/text/words.hpp"
#include "common/training.hpp"
#include "lessons/2_bengio_mlp/models.hpp"

namespace lesson2 {

// Section 6's network, and one whose embeddings lie in a plane.
inline BengioForm standard_form(std::size_t vocab) {
  return {.vocab = vocab, .context = 3, .dim = 8, .hidden = 128};
}
inline BengioForm plane_form(std::size_t vocab) {
  return {.vocab = vocab, .context = 3, .dim = 2, .hidden = 64};
}

struct TrainingSettings {
  long steps = 2000;
  std::size_t batch = 128;
  double rate = 1e-2;     // the peak; half a cosine takes it to 0
  double warm_up = 0.02;  // the part of the steps in which it climbs
  AdamWSettings adam{.beta2 = 0.99};
};

// Returns the mean loss over a batch in shards; its gradients are in `pass`.
template <class Model>
double pass_over(const std::vector<Windows>& shards, const Model& model, ShardedPass<Model>& pass,
                 Pool& pool) {
  using T = typename Model::Number;
  std::size_t batch = 0;
  for (const Windows& windows : shards) batch += windows.size();
  return pass.run(pool, [&](std::size_t s, Pass<Model>& part) {
    const double share = double(shards[s].size()) / double(batch);  // of the mean, back
    return part.run(model, shards[s], [&](const Matrix<T>& logits) {
      Loss<T> loss = loss_of(shards[s])(logits);
      loss.value *= share;
      loss.gradient = T(share) * std::move(loss.gradient);  // a mean over the batch: (2.5) back
      return loss;
    });
  });
}

// Trains in place with any optimizer that has AdamW's step(); returns how many steps it took.
// Throws Diverged at a hundred times ln vocab, the loss of knowing nothing: bad starts cost up to
// ten times that, but here units are saturated and their slopes 0.
template <class Model, class Optimizer>
long train(Model& model, Optimizer& optimizer, Symbols text, const TrainingSettings& settings,
           Pool& pool, Random random, const Watch& watch = {}) {
  const Schedule schedule{settings.steps, settings.rate,
                          long(settings.warm_up * double(settings.steps))};
  const double hopeless = 100 * std::log(double(model.form.vocab));
  // Many rows for a fast product, few enough to share them out.
  const std::size_t rows = settings.batch > 128 ? 128 : 64;
  std::vector<Windows> shards((settings.batch + rows - 1) / rows);
  ShardedPass<Model> pass(model, shards.size());
  const auto run = [&](long) {
    for (std::size_t s = 0; s < shards.size(); ++s)
      shards[s] = draw_windows(text, shard(settings.batch, shards.size(), s).count,
                               model.form.context, model.form.padding(), random);
    return pass_over(shards, model, pass, pool);
  };
  return ::train(model, pass, optimizer, schedule, hopeless, run, watch);
}

template <class Model>
long train(Model& model, Symbols text, const TrainingSettings& settings, Pool& pool, Random random,
           const Watch& watch = {}) {
  AdamW<typename Model::Number> adam(settings.adam);
  return train(model, adam, text, settings, pool, random, watch);
}

// Returns nats per symbol, averaged over `count` places from `first` on.
template <class Model>
double mean_loss(const Model& model, Symbols text, std::size_t first, std::size_t count,
                 Pool& pool) {
  constexpr std::size_t chunk = 1024;
  std::vector<double> sums((count + chunk - 1) / chunk);
  pool.run(sums.size(), [&](std::size_t k) {
    const std::size_t begin = k * chunk, size = std::min(chunk, count - begin);
    const Windows windows =
        windows_of(text, first + begin, size, model.form.context, model.form.padding());
    sums[k] = double(size) * loss_of(windows)(output(model, windows)).value;
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0) / double(count);
}

// Returns -ln p in nats of each of `count` symbols from `first` on.
template <class Model>
std::vector<double> losses_of(const Model& model, Symbols text, std::size_t first,
                              std::size_t count) {
  constexpr std::size_t chunk = 1024;
  std::vector<double> all;
  for (std::size_t begin = 0; begin < count; begin += chunk) {
    const Windows windows = windows_of(text, first + begin, std::min(chunk, count - begin),
                                       model.form.context, model.form.padding());
    auto P = output(model, windows);
    for (std::size_t i = 0; i < windows.size(); ++i) {
      softmax(P.row(i));
      all.push_back(-std::log(double(P(i, windows.targets[i]))));
    }
  }
  return all;
}

extern template long train(Bengio<float>&, Symbols, const TrainingSettings&, Pool&, Random,
                           const Watch&);
extern template long train(Overwriting<float>&, Symbols, const TrainingSettings&, Pool&, Random,
                           const Watch&);
extern template double mean_loss(const Bengio<float>&, Symbols, std::size_t, std::size_t, Pool&);
extern template std::vector<double> losses_of(const Bengio<float>&, Symbols, std::size_t,
                                              std::size_t);

// Writes float32, with the symbols. Throws UserError.
inline void save_model(const std::string& path, const Bengio<float>& model,
                       const Vocabulary& vocabulary) {
  safetensors::File file;
  file.metadata = {
      {"lesson", "2"},
      {"model", "bengio"},
      {"symbols", vocabulary.hex()},
      {"formula", "E = rows of C side by side; H = tanh(E W1 + b1); logits = H W2 + b2 (+ E Wd)"}};
  add_tensors(file, "", model.tensors());
  blame("--save", [&] { safetensors::save(path, file); });
}

inline void check_is_ours(const safetensors::File& file) {
  if (file.entry("lesson") != "2" || file.entry("model") != "bengio")
    throw UserError("holds no model of lesson 2 (lesson: " + excerpt(file.entry("lesson")) +
                    ", model: " + excerpt(file.entry("model")) + ")");
}

// Returns the symbols on which a stored model was trained. Throws UserError.
inline Vocabulary stored_vocabulary(const std::string& path) {
  const safetensors::File file = blame("--load", [&] { return safetensors::load(path); });
  return blame("--load: '" + path + "'", [&] {
    check_is_ours(file);
    return Vocabulary::from_hex(file.entry("symbols"));
  });
}

// Throws UserError when the file cannot be read, is of another lesson or other symbols, or when a
// tensor is missing, of the wrong shape or type, or not finite.
inline Bengio<float> load_model(const std::string& path, const Vocabulary& vocabulary) {
  const safetensors::File file = blame("--load", [&] { return safetensors::load(path); });
  return blame("--load: '" + path + "'", [&] {
    check_is_ours(file);
    if (file.entry("symbols") != vocabulary.hex())
      throw UserError("was trained on other symbols than those of this text");
    const auto shape = [&](const std::string& name) {  // the file may be hostile
      const safetensors::Shape& s = file.at(name).shape;
      if (s.size() != 2 || s[0] == 0 || s[1] == 0)
        throw UserError("tensor '" + name + "' is not a matrix");
      return s;
    };
    const std::size_t dim = shape("C")[1], inputs = shape("W1")[0];
    if (inputs % dim != 0) throw UserError("the rows of W1 are not a multiple of the columns of C");
    Bengio<float> model({.vocab = vocabulary.size(),
                         .context = inputs / dim,
                         .dim = dim,
                         .hidden = shape("W1")[1],
                         .direct = file.contains("Wd")});
    read_tensors(file, model.tensors());
    check_finite(model.tensors());
    return model;
  });
}

}  // namespace lesson2
