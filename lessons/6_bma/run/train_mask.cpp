// Lesson 6, part 4: trains an attention layer on the mask task.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/run/train_mask.hpp"

namespace lesson6::mask_task {

RunSettings run_settings() {
  return {.steps = 600, .batch = 32, .rate = 3e-2, .last_rate = 0, .warm_up = 0, .decay = 0, .clip = HUGE_VAL};
}

GatedAttention<float> trained(Gate gate, std::size_t heads, const RunSettings& settings) {
  Random start(settings.seed, 64), examples(settings.seed, 65);
  GatedAttention<float> layer = fresh<float>(gate, heads, start);
  AdamW<float> adam({0.9, 0.999, 1e-8, settings.decay});
  Pass<GatedAttention<float>> pass(layer);
  Batch<float> batch;
  const Tensors<float> parameters = layer.tensors(), gradients = pass.g.d.tensors();
  for (long step = 0; step < settings.steps; ++step) {
    draw(settings.batch, examples, batch);
    pass.run(layer, batch.X, [&](const Matrix<float>& Y) { return loss_of(Y, batch.target); });
    adam.step(parameters, gradients, settings.rate_at(step));
  }
  return layer;
}

}  // namespace lesson6::mask_task
