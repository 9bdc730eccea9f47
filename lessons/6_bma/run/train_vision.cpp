// Lesson 6, part 7: trains the vision model on images, and counts what it gets right.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/run/train_vision.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "common/loss.hpp"
#include "lessons/6_bma/run/start.hpp"

namespace lesson6 {

RunSettings vision_run() { return {.steps = 1500, .batch = 32, .rate = 5e-3, .warm_up = 100}; }

VisionModel<float> fresh_vision(const VisionForm& form, std::uint64_t seed) {
  VisionModel<float> model(form);
  draw_start(model.tensors(), Start{}, form.transformer.layers, seed);
  return model;
}

template <class T>
double vision_pass(Pass<VisionModel<T>>& pass, const VisionModel<T>& model, const Pictures<T>& pictures,
                   std::span<const std::uint32_t> labels, double clip) {
  const auto loss_of = [&](const Matrix<T>& Y) { return softmax_cross_entropy<T>(Y, labels); };
  const double loss = pass.run(model, pictures, loss_of);
  clip_global_norm(pass.g.d.tensors(), clip);  // back
  return loss;
}

// Copies the rows with these numbers, in this order.
template <class T>
static void copy_rows(const Matrix<float>& from, std::span<const std::size_t> numbers, Matrix<T>& to) {
  make_room(to, numbers.size(), from.cols());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    std::copy(from.row(numbers[i]).begin(), from.row(numbers[i]).end(), to.row(i).begin());
}

void train(VisionModel<float>& model, const Images& images, const RunSettings& settings) {
  Random batches(settings.seed, 62);
  Pass<VisionModel<float>> pass(model);
  DecayedAdamW<float> adam(model.tensors(), pass.g.d.tensors(), settings.decay, {});
  std::vector<std::size_t> numbers(settings.batch);
  std::vector<std::uint32_t> labels(settings.batch);
  Pictures<float> pictures;
  for (long step = 0; step < settings.steps; ++step) {
    for (std::size_t i = 0; i < settings.batch; ++i) {
      numbers[i] = std::size_t(batches.below(images.labels.size()));
      labels[i] = images.labels[numbers[i]];
    }
    copy_rows(images.X, numbers, pictures.X);
    pictures.dropout = Random(settings.seed, 1000 + std::uint64_t(step));
    const double loss = vision_pass(pass, model, pictures, labels, settings.clip);
    check_below(10 * std::log(double(model.form.classes)), loss, step);
    adam.step(settings.rate_at(step));
  }
}

template <class T>
Score score(const VisionModel<T>& model, const Images& images, std::size_t chunk) {
  typename VisionModel<T>::Trace trace;
  const std::size_t n = images.labels.size();
  std::vector<std::size_t> numbers;
  Pictures<T> pictures;
  Score sum;
  for (std::size_t first = 0; first < n; first += chunk) {
    numbers.resize(std::min(chunk, n - first));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = first + i;
    copy_rows(images.X, numbers, pictures.X);
    model.forward(pictures, trace);
    const std::span labels = std::span(images.labels).subspan(first, numbers.size());
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const std::span<const T> logits = std::as_const(trace.Y).row(i);
      sum.right += std::uint32_t(std::max_element(logits.begin(), logits.end()) - logits.begin()) == labels[i];
    }
    sum.loss += double(labels.size()) * softmax_cross_entropy<T>(trace.Y, labels).value;
  }
  return {sum.loss / double(n), sum.right / double(n)};
}

template double vision_pass(Pass<VisionModel<float>>&, const VisionModel<float>&, const Pictures<float>&,
                            std::span<const std::uint32_t>, double);
template double vision_pass(Pass<VisionModel<double>>&, const VisionModel<double>&, const Pictures<double>&,
                            std::span<const std::uint32_t>, double);
template Score score(const VisionModel<float>&, const Images&, std::size_t);
template Score score(const VisionModel<double>&, const Images&, std::size_t);

}  // namespace lesson6
