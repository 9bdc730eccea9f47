// Lesson 6, part 7: patches of an image as tokens, and the five variants side by side once more.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "common/support/lesson.hpp"
#include "common/support/spread.hpp"
#include "lessons/6_bma/run/bounds.hpp"
#include "lessons/6_bma/run/session.hpp"

namespace lesson6 {
namespace {

// What each variant reached on the test images, by seed, and the loss of the first before training.
struct PatchScores {
  std::array<std::vector<double>, all_gates.size()> right;
  std::vector<double> first_loss;

  // The largest mean of the five minus the smallest.
  double widest_gap() const {
    std::vector<double> means;
    for (const std::vector<double>& shares : right) means.push_back(spread_of(shares).mean);
    const auto [least, most] = std::minmax_element(means.begin(), means.end());
    return *most - *least;
  }

  // Of one variant minus another, seed by seed: both start from the same numbers and see the same batches.
  Spread difference(Gate a, Gate b) const {
    std::vector<double> differences(first_loss.size());
    for (std::size_t k = 0; k < differences.size(); ++k)
      differences[k] = right[std::size_t(a)][k] - right[std::size_t(b)][k];
    return spread_of(differences);
  }
};

PatchScores patch_scores(Pool& pool, const PatchTask& task, const RunSettings& settings) {
  PatchScores found;
  found.right.fill(std::vector<double>(task.seeds));
  found.first_loss.resize(task.seeds);
  run_with_progress(pool, "training", all_gates.size() * task.seeds, [&](std::size_t job) {
    const std::size_t g = job / task.seeds, k = job % task.seeds;
    RunSettings run = settings;
    run.seed = seed_of_run(settings.seed, k);
    VisionModel<float> model = fresh_vision(task.form_with(all_gates[g]), run.seed);
    if (g == 0) found.first_loss[k] = score(model, task.images.test).loss;
    train(model, task.images.train, run);
    found.right[g][k] = score(model, task.images.test).right;
  });
  return found;
}

// The first image with gaps between its patches, without its colours.
plot::Sheet patches_of_first(const Images& images, const PatchGrid& grid) {
  plot::Sheet sheet;
  sheet.title = join("What the model sees of a ", grid.planes == 1 ? "" : "picture of class ", images.labels[0], ": ",
                     grid.count(), " tokens");
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

Table patch_table(const PatchScores& found, const PatchTask& task) {
  Table table{{"attention", "parameters", "right", "minus standard", "beyond luck"}, {}};
  for (const Gate gate : all_gates) {
    const std::size_t size = parameters_of(VisionModel<float>(task.form_with(gate)));
    const Spread difference = found.difference(gate, Gate::standard);
    const char* beyond = difference.count < 2 ? "unknown" : beyond_luck(difference) ? "yes" : "no";
    const bool itself = gate == Gate::standard;
    table.rows.push_back({name_of(gate), std::to_string(size), spread_of(found.right[std::size_t(gate)]).text(),
                          itself ? "-" : difference.text(), itself ? "-" : beyond});
  }
  return table;
}

// Means and deviations over 20 runs. That the differences lie above 0 takes more runs than three.
void claim_patches(Lesson& lesson, const PatchScores& found, std::size_t runs) {
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

}  // namespace

void part7(Lesson& lesson, Session& session) {
  const PatchTask& task = *session.patches;
  const TrainTest& images = task.images;
  const PatchGrid& grid = task.form.grid;
  RunSettings settings = vision_run();
  settings.steps = lesson.steps(settings.steps, 30);
  settings.warm_up = warm_up_of(settings.steps);
  settings.seed = lesson.options().seed;
  lesson.say("Does a gate help where tokens are patches of images? ", images.train.labels.size(),
             " images to learn from, ", images.test.labels.size(), " others to be judged by; one layer, width ",
             task.form.transformer.width, ", ", task.form.transformer.heads, " heads, the class read off ",
             task.form.pooling == Pooling::mean ? "the mean of all tokens" : "a class token", ", ", settings.steps,
             " steps of ", settings.batch, " images, ", task.seeds, " paired runs.");
  if (grid.cols <= 32) lesson.figure("patches", patches_of_first(images.train, grid));
  const PatchScores found = patch_scores(session.pool, task, settings);
  lesson.predict(
      "How far apart are the best and the worst of the five in the share of images that are right, from 0 to 1?",
      found.widest_gap());
  // Before training each logit is a sum of d products of weights, variance 1/(4d), with numbers of mean square 1 at
  // most: its variance v is at most 1/4, and the loss is about v/2 above that of knowing nothing. 20 seeds: .049 ± .021
  // above. Of other images, patches of another size and a class token, which is nearly the same for all images, nothing
  // is claimed.
  lesson.claim_trained(join("before training, loss near ln 10 = ", fixed(std::log(10.0), 4)),
                       spread_of(found.first_loss).mean, near_mean(std::log(10.0) + 0.049, 0.021, task.seeds));
  lesson.show(patch_table(found, task));
  lesson.note(
      "Beyond luck is asked four times, so up to one run in five has a \"yes\" with nothing behind it: "
      "a reason to run more seeds (--seeds 20), not a result.");
  claim_patches(lesson, found, task.seeds);
}

}  // namespace lesson6
