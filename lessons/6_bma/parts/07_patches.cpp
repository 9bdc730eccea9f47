// Lesson 6, part 7: patches of an image as tokens, and the variants side by side once more.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "lessons/6_bma/lesson.hpp"

namespace lesson6 {

static constexpr knob::Choice side{"side", "rows and columns of a patch", {"3", "2", "4", "6", "12"}};
static constexpr knob::Choice gate_knob{"gate", "the variant", gate_names};
static constexpr knob::Whole steps{"steps", "training steps of 16 images", 400, {20, 600, 20}};

static VisionModel<float> fresh(VisionForm form, Gate gate, std::uint64_t seed) {
  form.transformer.gate = gate;
  VisionModel<float> model(form);
  draw_start(model.tensors(), Start(), form.transformer.layers, seed);
  return model;
}

// The first image with gaps between its patches, without its colours.
static plot::Sheet patches_of_first(const Images& images, const PatchGrid& grid) {
  plot::Sheet sheet{.title = join("What the model sees of a ", grid.planes == 1 ? "" : "picture of class ",
                                  images.labels[0], ": ", grid.count(), " tokens")};
  sheet.rows = grid.rows + grid.rows / grid.patch - 1;
  sheet.cols = grid.cols + grid.cols / grid.patch - 1;
  sheet.low = 0;
  sheet.high = 1;
  std::vector<double> pixels(sheet.rows * sheet.cols);
  for (std::size_t i = 0; i < grid.rows; ++i)
    for (std::size_t j = 0; j < grid.cols; ++j)
      for (std::size_t plane = 0; plane < grid.planes; ++plane)
        pixels[(i + i / grid.patch) * sheet.cols + j + j / grid.patch] +=
            double(images.X.row(0)[(plane * grid.rows + i) * grid.cols + j]) / double(grid.planes);
  sheet.images.push_back({"", std::move(pixels)});
  return sheet;
}

// The images and the form that the flags ask for: drawn digits, 6,000 and 3,000, or four of five of the images in the
// files, at random. Throws UserError.
static std::pair<TrainTest, VisionForm> task_of(const Session& session) {
  constexpr std::size_t most_patches = 256;
  const knob::Settings& own = session.own;
  Random random(session.options.seed, 72);
  TrainTest images =
      read_or_draw(own[flag::images], own[flag::labels], session.options.quick_or<std::size_t>(300, 3000), random);
  const Images& first = images.train;
  const std::size_t usual = first.planes == 3 ? 8 : first.rows == 28 && first.cols == 28 ? 7 : 3;
  VisionForm form;
  form.grid = {first.rows, first.cols, own.given(flag::patch) ? own[flag::patch] : usual, first.planes};
  form.transformer = {.layers = 1, .heads = 4, .width = 32};
  blame("--patch", [&] { form.grid.check(); });
  if (form.grid.count() > most_patches)
    throw UserError(join("--patch: ", form.grid.count(), " patches, more than ", most_patches));
  return {std::move(images), form};
}

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  const auto [images, form] = task_of(session);
  const std::size_t seeds = session.own.given(flag::seeds) ? session.seeds() : session.options.quick ? 1 : 3;
  RunSettings settings = vision_run();
  settings.steps = lesson.steps(settings.steps, 30);
  settings.warm_up = warm_up_of(settings.steps);
  lesson.say("Does a gate help where tokens are patches of images? ", images.train.labels.size(),
             " images to learn from, ", images.test.labels.size(), " others to be judged by; one layer, width ",
             form.transformer.width, ", ", form.transformer.heads,
             " heads, the class read off the mean of all tokens, ", settings.steps, " steps of ", settings.batch,
             " images, ", seeds, " paired runs.");
  if (form.grid.cols <= 32) lesson.figure("patches", patches_of_first(images.train, form.grid));
  // By variant, then by seed: the share that is right. Both of a pair start from the same numbers and see the same batches.
  std::array<std::vector<double>, all_gates.size()> right;
  right.fill(std::vector<double>(seeds));
  std::vector<double> first_loss(seeds);
  run_with_progress(session.pool, "training", all_gates.size() * seeds,
                    [&, &images = images, &form = form](std::size_t job) {
                      const std::size_t g = job / seeds, k = job % seeds;
                      RunSettings own = settings;
                      own.seed = seed_of_run(lesson.options().seed, k);
                      VisionModel<float> model = fresh(form, all_gates[g], own.seed);
                      if (g == 0) first_loss[k] = score(model, images.test).loss;
                      train_vision(model, images.train, own);
                      right[g][k] = score(model, images.test).right;
                    });
  Table table{{"attention", "parameters", "right", "minus standard", "beyond luck"}, {}};
  std::vector<double> means;
  for (std::size_t g = 0; g < all_gates.size(); ++g) {
    std::vector<double> differences = right[g];
    for (std::size_t k = 0; k < seeds; ++k) differences[k] -= right[0][k];
    const Spread difference = spread_of(differences);
    means.push_back(spread_of(right[g]).mean);
    table.rows.push_back({name_of(all_gates[g]), std::to_string(parameters_of(fresh(form, all_gates[g], 1))),
                          spread_of(right[g]).text(), g == 0 ? "-" : difference.text(),
                          g == 0                    ? "-"
                          : seeds < 2               ? "unknown"
                          : beyond_luck(difference) ? "yes"
                                                    : "no"});
  }
  const auto [least, most] = std::minmax_element(means.begin(), means.end());
  lesson.predict("How far apart are the best and the worst of them in the share of images that are right, from 0 to 1?",
                 *most - *least);
  lesson.show(table);
  lesson.note(
      "Beyond luck is asked for each, so up to one run in five has a \"yes\" with nothing behind it: "
      "a reason to run more seeds (--seeds 20), not a result.");
  // Before training each logit is a sum of d products of weights, variance 1/(4d), with numbers of mean square 1 at
  // most: its variance v is at most 1/4, and the loss is about v/2 above that of knowing nothing.
  lesson.claim_trained(join("before training, the loss above ln 10 = ", fixed(std::log(10.0), 4)),
                       spread_of(first_loss).mean - std::log(10.0), between(-0.05, 0.25));
  lesson.claim_trained("all of them see the digits: the least share that is right", *least, at_least(0.95));
  lesson.claim_trained("and are level: best minus worst", *most - *least, at_most(0.02));
}

// One model on fewer images, while one waits.
static void scene(Lesson& lesson, Session&, const knob::Settings& at) {
  const std::uint64_t seed = lesson.options().seed;
  Random random(seed, 507);
  const Images images = draw_digits(1000, {}, random), tests = draw_digits(500, {}, random);
  VisionForm form;
  form.grid = {digits::side, digits::side, std::size_t(std::stoi(at.name_of(side)))};
  form.transformer = {.layers = 1, .heads = 4, .width = 32};
  lesson.picture("patches", patches_of_first(images, form.grid));
  RunSettings settings = vision_run();
  settings.steps = long(std::min(at[steps], lesson.options().quick_or<std::size_t>(20, at[steps])));
  settings.batch = 16;
  settings.warm_up = warm_up_of(settings.steps);
  settings.seed = seed_of_run(seed, 507);
  VisionModel<float> model = fresh(form, Gate(at[gate_knob]), settings.seed);
  train_vision(model, images, settings);
  const Score found = score(model, tests);
  lesson.say(parameters_of(model), " parameters; after ", settings.steps, " steps ", fixed(100 * found.right, 1),
             " % of 500 other images are right, at a loss of ", fixed(found.loss, 3),
             " (knowing nothing: ", fixed(std::log(10.0), 3), ").");
}

extern const Part<Session> part7{.number = 7,
                                 .title = "Patches",
                                 .run = run,
                                 .question = "How large should a patch be?",
                                 .knobs = {&side, &gate_knob, &steps},
                                 .kind = PartKind::further,
                                 .scene = scene};

}  // namespace lesson6
