// Lesson 6, part 7: which images, and what is trained on them.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/run/patch_task.hpp"

#include <string>

namespace lesson6 {

VisionForm PatchTask::form_with(Gate gate) const {
  VisionForm found = form;
  found.transformer.gate = gate;
  return found;
}

PatchTask patch_task(const BmaFlags& flags, const Options& options) {
  constexpr std::size_t most_patches = 256;
  Random random(options.seed, 72);
  PatchTask task{read_or_draw(flags.images, flags.labels, options.quick_or<std::size_t>(300, 3000), random), {}};
  const Images& images = task.images.train;
  const std::size_t usual = images.planes == 3 ? 8 : images.rows == 28 && images.cols == 28 ? 7 : 3;
  task.form.grid = {images.rows, images.cols, flags.patch > 0 ? flags.patch : usual, images.planes};
  task.form.pooling = flags.class_token ? Pooling::class_token : Pooling::mean;
  task.form.transformer = {.layers = 1, .heads = 4, .width = 32};
  task.seeds = flags.seeds > 0 ? flags.seeds : options.quick ? 1 : 3;
  const PatchGrid& grid = task.form.grid;
  blame("--patch", [&] { grid.check(); });
  if (grid.count() > most_patches)
    throw UserError("--patch: " + std::to_string(grid.count()) + " patches, more than " + std::to_string(most_patches));
  return task;
}

}  // namespace lesson6
