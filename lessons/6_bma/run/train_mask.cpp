// Lesson 6, part 4: trains an attention layer on the mask task.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/run/train_mask.hpp"

namespace lesson6::mask_task {

RunSettings run_settings() {
  return {.steps = 600, .batch = 32, .rate = 3e-2, .last_rate = 0, .warm_up = 0, .decay = 0, .clip = HUGE_VAL};
}

template <class T>
double Pass<T>::run(const GatedAttention<T>& layer, const Batch<T>& batch) {
  layer.forward(batch.X, trace);
  const Loss<T> loss = loss_of(trace.Y, batch.target);
  layer.backward(batch.X, trace, loss.gradient, g);  // back
  return loss.value;
}

GatedAttention<float> trained(Gate gate, std::size_t heads, const RunSettings& settings) {
  Random start(settings.seed, 64), examples(settings.seed, 65);
  GatedAttention<float> layer = fresh<float>(gate, heads, start);
  AdamW<float> adam({0.9, 0.999, 1e-8, settings.decay});
  Pass<float> pass(layer);
  Batch<float> batch;
  const Tensors<float> parameters = layer.tensors(), gradients = pass.g.d.tensors();
  for (long step = 0; step < settings.steps; ++step) {
    draw(settings.batch, examples, batch);
    pass.run(layer, batch);
    adam.step(parameters, gradients, settings.rate_at(step));
  }
  return layer;
}

template struct Pass<float>;
template struct Pass<double>;

}  // namespace lesson6::mask_task
