// Lesson 6, part 7: patches of a side that can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/parts.hpp"
#include "lessons/6_bma/run/session.hpp"

namespace lesson6 {
namespace {

constexpr knob::Choice side{"side", "rows and columns of a patch", {"3", "2", "4", "6", "12"}};
constexpr knob::Choice read{"read", "what the class is read off", {"mean", "token"}};
constexpr knob::Choice gate{"gate", "the variant", {"standard", "half", "bma", "attending", "post"}};
constexpr knob::Whole updates{"updates", "training steps of 16 images", 400, {0, 600, 20}};

// A few images with gaps between their patches.
plot::Sheet sheet_of(const Images& images, const PatchGrid& grid) {
  plot::Sheet sheet{.title = join("What the model sees: ", grid.count(), " tokens of ", grid.pixels(), " numbers")};
  sheet.rows = grid.rows + grid.rows / grid.patch - 1;
  sheet.cols = grid.cols + grid.cols / grid.patch - 1;
  sheet.low = 0;
  sheet.high = 1;
  for (std::size_t k = 0; k < 2; ++k) {
    std::vector<double> pixels(sheet.rows * sheet.cols);
    for (std::size_t i = 0; i < grid.rows; ++i)
      for (std::size_t j = 0; j < grid.cols; ++j)
        pixels[(i + i / grid.patch) * sheet.cols + j + j / grid.patch] =
            std::clamp(double(images.X.row(k)[i * grid.cols + j]), 0.0, 1.0);
    sheet.images.push_back({std::to_string(images.labels[k]), std::move(pixels)});
  }
  return sheet;
}

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const std::uint64_t seed = lesson.options().seed;
  Random random(seed, 507);
  const Images train_images = draw_digits(1000, {}, random), tests = draw_digits(500, {}, random);
  VisionForm form;
  form.grid = {digits::side, digits::side, std::size_t(std::stoi(at.name_of(side)))};
  form.pooling = at[read] == 0 ? Pooling::mean : Pooling::class_token;
  form.transformer = {.gate = gate_named(at.name_of(gate)), .layers = 1, .heads = 4, .width = 32};
  lesson.picture("turned_patches", sheet_of(train_images, form.grid));
  VisionModel<float> model = fresh_vision(form, seed_of_run(seed, 507));
  RunSettings settings = vision_run();
  settings.steps = long(std::min(at[updates], lesson.options().quick_or<std::size_t>(20, at[updates])));
  settings.batch = 16;
  settings.warm_up = warm_up_of(settings.steps);
  settings.seed = seed_of_run(seed, 507);
  train(model, train_images, settings);
  const Score found = score(model, tests);
  lesson.say(parameters_of(model), " parameters; after ", settings.steps, " steps ", fixed(100 * found.right, 1),
             " % of 500 other images are right, at a loss of ", fixed(found.loss, 3),
             " (knowing nothing: ", fixed(std::log(10.0), 3), ").");
  Matrix<float> patches, back;
  cut_patches(tests.X, form.grid, patches);
  cut_patches_back(patches, form.grid, back);
  lesson.claim_same("cut into patches and put together again, the images are the same",
                    max_abs_difference(back, tests.X));
}

}  // namespace

Bench<Session> bench7() {
  return {"How large should a patch be, and what should the class be read off?", {&side, &read, &gate, &updates}, run};
}

}  // namespace lesson6
