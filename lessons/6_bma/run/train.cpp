// Lesson 6: training the language model.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/run/train.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "common/loss.hpp"

namespace lesson6 {

double RunSettings::rate_at(long step) const { return cosine_rate(step, steps, rate, warm_up, last_rate); }

template <class T>
DecayedAdamW<T>::DecayedAdamW(const Tensors<T>& parameters, const Tensors<T>& gradients, double decay,
                              RunState<T> state)
    : matrices_({0.9, 0.99, 1e-8, decay}, std::move(state.matrices)),
      rows_({0.9, 0.99, 1e-8, 0}, std::move(state.rows)) {
  for (std::size_t t = 0; t < parameters.size(); ++t) {
    const bool is_row = parameters[t].tensor.rows() == 1;
    Tensors<T>& of_parameters = is_row ? row_parameters_ : matrix_parameters_;
    Tensors<T>& of_gradients = is_row ? row_gradients_ : matrix_gradients_;
    of_parameters.push_back(parameters[t]);
    of_gradients.push_back(gradients[t]);
  }
}

template <class T>
void DecayedAdamW<T>::step(double rate) {
  matrices_.step(matrix_parameters_, matrix_gradients_, rate);
  rows_.step(row_parameters_, row_gradients_, rate);
}

template <class T>
LanguageTrainer<T>::LanguageTrainer(LanguageModel<T>& model, Symbols text, const RunSettings& settings, Pool& pool,
                                    RunState<T> state)
    : model_(model),
      text_(text),
      settings_(settings),
      pool_(pool),
      steps_(state.steps()),
      shards_(std::min(settings.batch, most_shards), Shard(model)),
      norms_(model.tensors().size()) {
  if (settings.batch == 0) throw std::invalid_argument("a batch of 0 windows");
  if (text.size() <= model.form.context) throw std::invalid_argument("the text is no longer than the context");
  for (Shard& s : shards_) gradients_.push_back(s.g.d.tensors());
  adam_.emplace(model.tensors(), gradients_[0], settings.decay, std::move(state));
}

template <class T>
double LanguageTrainer<T>::step() {
  draw_windows();
  pool_.run(shards_.size(), [&](std::size_t s) { find_gradients(s); });
  double loss = 0;
  for (const Shard& s : shards_) loss += s.loss;
  check_below(10 * std::log(double(model_.form.vocab)), loss, steps_);  // ten times that of knowing nothing
  merge_and_clip();
  adam_->step(settings_.rate_at(steps_));
  ++steps_;
  return loss;
}

// Numbers of its own for every step, and in it for the windows (0) and the dropout of each shard (1, 2, ...).
template <class T>
Random LanguageTrainer<T>::random_of(std::size_t use) const {
  return Random(settings_.seed, 1000 + std::uint64_t(steps_) * (most_shards + 1) + use);
}

// Windows that begin anywhere; shard by shard, so that the batch does not depend on the shards.
template <class T>
void LanguageTrainer<T>::draw_windows() {
  Random random = random_of(0);
  const std::size_t tokens = model_.form.context;
  for (std::size_t s = 0; s < shards_.size(); ++s) {
    std::vector<std::uint32_t>&inputs = shards_[s].inputs, &targets = shards_[s].targets;
    inputs.clear();
    targets.clear();
    for (std::size_t k = 0; k < shard(settings_.batch, shards_.size(), s).count; ++k) {
      const Symbols window = text_.subspan(std::size_t(random.below(text_.size() - tokens)), tokens + 1);
      inputs.insert(inputs.end(), window.begin(), window.end() - 1);
      targets.insert(targets.end(), window.begin() + 1, window.end());
    }
  }
}

template <class T>
void LanguageTrainer<T>::find_gradients(std::size_t index) {
  Shard& s = shards_[index];
  const std::size_t tokens = model_.form.context;
  const double part = double(s.inputs.size()) / double(settings_.batch * tokens);  // of the mean, back
  const Texts texts{s.inputs, tokens, random_of(1 + index)};
  model_.forward(texts, s.trace);
  Loss<T> loss = softmax_cross_entropy<T>(std::move(s.trace.Y), s.targets);
  s.loss = part * loss.value;
  s.trace.Y = T(part) * std::move(loss.gradient);   // back
  model_.backward(texts, s.trace, s.trace.Y, s.g);  // back
}

// Adds the shards' gradients up in the first, and makes their common norm at most `clip`.
template <class T>
void LanguageTrainer<T>::merge_and_clip() {
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

template class DecayedAdamW<float>;
template class DecayedAdamW<double>;
template class LanguageTrainer<float>;
template class LanguageTrainer<double>;

}  // namespace lesson6
