// Lesson 6, part 7: patches of an image as tokens, and the five variants side by side once more.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "common/support/lesson.hpp"
#include "common/support/spread.hpp"
#include "lessons/6_bma/bounds.hpp"
#include "lessons/6_bma/compare.hpp"
#include "lessons/6_bma/recipe.hpp"
#include "lessons/6_bma/session.hpp"
#include "lessons/6_bma/vision.hpp"

struct PatchSettings {
  std::size_t patch = 3;  // rows and columns of a patch
  Pooling pooling = Pooling::mean;
  std::size_t layers = 1, heads = 4, width = 32;
  std::size_t seeds = 3;           // runs of each variant
  RunSettings run = vision_run();  // its seed is not used

  VisionForm form(const Images& images, Gate gate) const {
    return {{images.rows, images.cols, patch}, 10, pooling, {gate, layers, heads, width}};
  }
};

// Images to learn from and to be judged by, and how.
struct PatchTask {
  TrainTest images;
  PatchSettings settings;
};

// What the flags ask for: drawn digits, 6,000 and 3,000, or four of five of the images in the files, at random. Throws
// UserError.
inline PatchTask patch_task(const BmaFlags& flags, const Options& options) {
  constexpr std::size_t most_patches = 256;
  PatchTask task;
  Random random(options.seed, 72);
  if (flags.images.empty()) {
    const std::size_t part = options.quick ? 300 : 3000;
    task.images.train = draw_digits(2 * part, {}, random);
    task.images.test = draw_digits(part, {}, random);
  } else {
    const Images all = blame("--images", [&] { return read_idx(flags.images, flags.labels); });
    if (all.labels.size() < 100) throw UserError("--images: at least 100 images are needed");
    task.images = split(all, all.labels.size() * 4 / 5, random);
  }
  PatchSettings& settings = task.settings;
  const Images& images = task.images.train;
  settings.patch = flags.patch > 0 ? flags.patch : images.rows == 28 && images.cols == 28 ? 7 : 3;
  settings.pooling = flags.class_token ? Pooling::class_token : Pooling::mean;
  settings.seeds = flags.seeds > 0 ? flags.seeds : options.quick ? 1 : 3;
  const PatchGrid grid = settings.form(images, Gate::standard).grid;
  blame("--patch", [&] { grid.check(); });
  if (grid.count() > most_patches)
    throw UserError("--patch: " + std::to_string(grid.count()) + " patches, more than " + std::to_string(most_patches));
  return task;
}

// What each variant reached on the test images, by seed, and the loss of the first before training.
struct PatchScores {
  std::array<std::vector<double>, all_gates.size()> right;
  std::vector<double> first_loss;

  // Of one variant minus another, seed by seed: both start from the same numbers and see the same batches.
  Spread difference(Gate a, Gate b) const {
    std::vector<double> differences(first_loss.size());
    for (std::size_t k = 0; k < differences.size(); ++k)
      differences[k] = right[std::size_t(a)][k] - right[std::size_t(b)][k];
    return spread_of(differences);
  }
};

inline PatchScores patch_scores(Pool& pool, const TrainTest& images, const PatchSettings& settings,
                                std::uint64_t seed) {
  PatchScores found;
  found.right.fill(std::vector<double>(settings.seeds));
  found.first_loss.resize(settings.seeds);
  run_with_progress(pool, "training", all_gates.size() * settings.seeds, [&](std::size_t job) {
    const std::size_t g = job / settings.seeds, k = job % settings.seeds;
    RunSettings run = settings.run;
    run.seed = seed_of_run(seed, k);
    VisionModel<float> model = fresh_vision<float>(settings.form(images.train, all_gates[g]), run.seed);
    if (g == 0) found.first_loss[k] = score(model, images.test).loss;
    train(model, images.train, run);
    found.right[g][k] = accuracy(model, images.test);
  });
  return found;
}

// The first image with gaps between its patches.
inline plot::Sheet patches_of_first(const Images& images, const PatchGrid& grid) {
  plot::Sheet sheet;
  sheet.title = join("What the model sees of a ", images.labels[0], ": ", grid.count(), " tokens");
  sheet.rows = grid.rows + grid.rows / grid.patch - 1, sheet.cols = grid.cols + grid.cols / grid.patch - 1;
  sheet.low = 0, sheet.high = 1;
  std::vector<double> pixels(sheet.rows * sheet.cols);
  for (std::size_t i = 0; i < grid.rows; ++i)
    for (std::size_t j = 0; j < grid.cols; ++j)
      pixels[(i + i / grid.patch) * sheet.cols + j + j / grid.patch] = double(images.X.row(0)[i * grid.cols + j]);
  sheet.images.push_back({"", std::move(pixels)});
  return sheet;
}

inline Table patch_table(const PatchScores& found, const Images& images, const PatchSettings& settings) {
  Table table{{"attention", "parameters", "right", "minus standard", "beyond luck"}, {}};
  for (const Gate gate : all_gates) {
    const std::size_t size = parameters_of(VisionModel<float>(settings.form(images, gate)));
    const Spread difference = found.difference(gate, Gate::standard);
    const char* beyond = difference.count < 2 ? "unknown" : beyond_luck(difference) ? "yes" : "no";
    const bool itself = gate == Gate::standard;
    table.rows.push_back({name_of(gate), std::to_string(size), spread_of(found.right[std::size_t(gate)]).text(),
                          itself ? "-" : difference.text(), itself ? "-" : beyond});
  }
  return table;
}

// Means and deviations over 20 runs. That the differences lie above 0 takes more runs than three.
inline void claim_patches(Lesson& lesson, const PatchScores& found, std::size_t runs) {
  struct Pair {
    Gate one, other;
    double mean, deviation;
  };
  lesson.claim_trained("standard: right", spread_of(found.right[std::size_t(Gate::standard)]).mean,
                       near_mean(0.9786, 0.0029, runs));
  for (const Pair& p : {Pair{Gate::half, Gate::standard, 0.0021, 0.0032},
                        {Gate::bma, Gate::standard, 0.0031, 0.0034},
                        {Gate::attending, Gate::standard, 0.0019, 0.0035},
                        {Gate::post, Gate::standard, 0.0018, 0.0042}})
    lesson.claim_trained(join(name_of(p.one), " minus ", name_of(p.other)), found.difference(p.one, p.other).mean,
                         near_mean(p.mean, p.deviation, runs));
}

inline void part7(Lesson& lesson, Pool& pool, const PatchTask& task) {
  const TrainTest& images = task.images;
  PatchSettings settings = task.settings;
  settings.run.steps = lesson.steps(settings.run.steps, 30);
  settings.run.warm_up = warm_up_of(settings.run.steps);
  const PatchGrid grid = settings.form(images.train, Gate::standard).grid;
  lesson.say(
      "Nothing in attention knows that its tokens are letters. Cut an image into patches, make each patch a token with "
      "one linear layer, add a row for its place, let every token see every other, and read the class off ",
      settings.pooling == Pooling::mean ? "the mean of all tokens" : "a token of its own that has no patch", ". ",
      images.train.labels.size(), " images to learn from, ", images.test.labels.size(), " others to be judged by.");
  if (grid.cols <= 28) lesson.picture("patches", patches_of_first(images.train, grid));
  lesson.say(
      "Does a gate help here? Predict before you read on, with part 6 in mind: which of the five differ, and from "
      "what? One layer, width ",
      settings.width, ", ", settings.heads, " heads, ", settings.run.steps, " steps of ", settings.run.batch,
      " images, ", settings.seeds,
      " seeds; the variants of one seed start from the same numbers and see the same batches.");
  const PatchScores found = patch_scores(pool, images, settings, lesson.options().seed);
  // Before training each logit is a sum of d products of weights, variance 1/(4d), with numbers of mean square 1 at most: its
  // variance v is at most 1/4, and the loss is about v/2 above that of knowing nothing. 20 seeds: .049 ± .021 above. Of other
  // images, patches of another size and a class token, which is nearly the same for all images, nothing is claimed.
  lesson.claim_trained(join("before training, loss near ln 10 = ", fixed(std::log(10.0), 4)),
                       spread_of(found.first_loss).mean, near_mean(std::log(10.0) + 0.049, 0.021, settings.seeds));
  lesson.show(patch_table(found, images.train, settings));
  lesson.say(
      "\"Beyond luck\" asks whether the mean difference is larger than chance alone makes it in nineteen cases of "
      "twenty. It is asked four times, so up to one run in five has a \"yes\" with nothing behind it: a \"yes\" here "
      "is a "
      "reason to run more seeds (--seeds 20), not a result.");
  claim_patches(lesson, found, settings.seeds);
}
