// Lesson 2: the training loop, and the loss of a model on a text.
// SPDX-License-Identifier: MIT
#include "lessons/2_bengio_mlp/run/train.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lessons/2_bengio_mlp/model/3_overwriting.hpp"

namespace lesson2 {

// Bad starts cost up to ten times ln vocab, the loss of knowing nothing. At a hundred times it the units are saturated,
// their slopes are 0, and the loss stays finite but does not come back.
void check_loss(double loss, std::size_t vocab, long step) { check_below(100 * std::log(double(vocab)), loss, step); }

std::vector<double> log_probabilities(const Bengio<float>& model, std::span<const std::uint32_t> text,
                                      std::size_t first, std::size_t count, Pool& pool) {
  constexpr std::size_t chunk = 1024;
  std::vector<double> found(count);
  pool.run((count + chunk - 1) / chunk, [&](std::size_t k) {
    const std::size_t begin = k * chunk, size = std::min(chunk, count - begin);
    const Windows windows = windows_of(text, first + begin, size, model.form.context, padding_of(model.form));
    Matrix<float> logits = output(model, windows);
    for (std::size_t i = 0; i < size; ++i) {
      const double logit = double(logits(i, windows.targets[i]));
      found[begin + i] = logit - softmax(logits.row(i));
    }
  });
  return found;
}

double mean_loss(const Bengio<float>& model, std::span<const std::uint32_t> text, std::size_t first, std::size_t count,
                 Pool& pool) {
  double sum = 0;
  for (const double log_p : log_probabilities(model, text, first, count, pool)) sum -= log_p;
  return sum / double(count);
}

template <class Model>
Trainer<Model>::Trainer(Model& model, std::span<const std::uint32_t> text, const TrainingSettings& settings, Pool& pool,
                        Random random)
    : model_(model), text_(text), settings_(settings), pool_(pool), random_(random), adam_(settings.adam) {
  const std::size_t rows = settings.batch > 128 ? 128 : 64;  // many for a fast product, few enough to share
  shards_.resize((settings.batch + rows - 1) / rows, Shard{{}, {}, Gradients<Model>(model), 0});
}

template <class Model>
double Trainer<Model>::step() {
  using T = typename Model::Number;
  for (std::size_t s = 0; s < shards_.size(); ++s)
    shards_[s].windows = draw_windows(text_, shard(settings_.batch, shards_.size(), s).count, model_.form.context,
                                      padding_of(model_.form), random_);
  pool_.run(shards_.size(), [&](std::size_t s) { find_gradients(shards_[s]); });
  double loss = shards_[0].loss;
  const Tensors<T> total = shards_[0].g.d.tensors();
  for (std::size_t s = 1; s < shards_.size(); ++s) {
    loss += shards_[s].loss;
    const Tensors<T> part = shards_[s].g.d.tensors();
    for (std::size_t t = 0; t < total.size(); ++t) total[t].tensor += part[t].tensor;  // a sum of shards: (2.6) back
  }
  check_loss(loss, model_.form.vocab, steps_);
  const long warm_up = long(settings_.warm_up * double(settings_.steps));
  const double rate = cosine_rate(steps_, settings_.steps, settings_.rate, warm_up);
  adam_.step(model_.tensors(), total, rate);
  ++steps_;
  return loss;
}

template <class Model>
void Trainer<Model>::find_gradients(Shard& s) const {
  using T = typename Model::Number;
  const double part = double(s.windows.size()) / double(settings_.batch);  // of the mean, back
  model_.forward(s.windows, s.trace);
  Loss<T> loss = loss_of(s.windows)(s.trace.Y);
  s.loss = part * loss.value;
  const Matrix<T> dY = T(part) * std::move(loss.gradient);  // a mean over the batch: (2.6) back
  model_.backward(s.windows, s.trace, dY, s.g);             // back
}

template <class Model>
void train(Model& model, std::span<const std::uint32_t> text, const TrainingSettings& settings, Pool& pool,
           Random random, const Watch& watch) {
  Trainer<Model> trainer(model, text, settings, pool, random);
  for (long step = 0; step < settings.steps; ++step) {
    const double loss = trainer.step();
    if (watch) watch(step, loss);
  }
}

template class Trainer<Bengio<float>>;
template class Trainer<Bengio<double>>;  // for the tests
template class Trainer<Overwriting<float>>;
template void train(Bengio<float>&, std::span<const std::uint32_t>, const TrainingSettings&, Pool&, Random,
                    const Watch&);
template void train(Overwriting<float>&, std::span<const std::uint32_t>, const TrainingSettings&, Pool&, Random,
                    const Watch&);

}  // namespace lesson2
