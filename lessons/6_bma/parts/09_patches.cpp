// Lesson 6, part 9: patches of an image as tokens, and the variants side by side once more.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "lessons/6_bma/lesson.hpp"

namespace lesson6 {

// Drawn digits, 6,000 and 3,000, or four of five of the images in the files, at random; each cut into patches.
static std::pair<Patches, Patches> task_of(const Session& session) {
  const knob::Settings& own = session.own;
  Random random(session.options.seed, 72);
  const TrainTest images =
      read_or_draw(own[flag::images], own[flag::labels], session.options.quick_or<std::size_t>(300, 3000), random);
  const std::size_t rows = images.train.rows, usual = rows == 32 ? 8 : rows == 28 ? 7 : 3;
  const std::size_t side = own.given(flag::patch) ? own[flag::patch] : usual;
  return blame("--patch", [&] { return std::pair{patches_of(images.train, side), patches_of(images.test, side)}; });
}

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  const auto [train, test] = task_of(session);
  const VisionForm form{train.tokens, train.X.cols(), 10, {.layers = 1, .heads = 4, .width = 32}};
  const std::size_t seeds = session.own.given(flag::seeds) ? session.seeds() : session.options.quick ? 1 : 3;
  RunSettings settings = vision_run();
  settings.steps = lesson.steps(settings.steps, 30);
  settings.warm_up = warm_up_of(settings.steps);
  lesson.say("Does a gate help where tokens are patches of images? ", train.labels.size(), " images of ", form.tokens,
             " patches to learn from, ", test.labels.size(), " others to be judged by; ", settings.steps, " steps of ",
             settings.batch, " images, ", seeds, " paired runs.");
  // By variant, then by seed: the share that is right. Both of a pair start from the same numbers and see the same batches.
  std::array<std::vector<double>, all_gates.size()> right;
  right.fill(std::vector<double>(seeds));
  run_with_progress(session.pool, "training", all_gates.size() * seeds,
                    [&, &train = train, &test = test](std::size_t job) {
                      const std::size_t g = job / seeds, k = job % seeds;
                      RunSettings own = settings;
                      own.seed = seed_of_run(lesson.options().seed, k);
                      VisionForm gated = form;
                      gated.transformer.gate = all_gates[g];
                      VisionModel<float> model(gated);
                      draw_start(model.tensors(), Start(), 1, own.seed);
                      train_vision(model, train, own);
                      right[g][k] = share_right(model, test);
                    });
  Table table{{"attention", "right", "minus standard", "beyond luck"}, {}};
  double least = 1, most = 0;
  for (std::size_t g = 0; g < all_gates.size(); ++g) {
    std::vector<double> differences = right[g];
    for (std::size_t k = 0; k < seeds; ++k) differences[k] -= right[0][k];
    const Spread all = spread_of(right[g]), difference = spread_of(differences);
    least = std::min(least, all.mean);
    most = std::max(most, all.mean);
    table.rows.push_back({name_of(all_gates[g]), all.text(), g == 0 ? "-" : difference.text(),
                          g == 0                    ? "-"
                          : beyond_luck(difference) ? "yes"
                                                    : "no"});
  }
  lesson.show(table);
  lesson.claim_trained("all of them see the digits: the least share that is right", least, at_least(0.95));
  lesson.claim_trained("and are level: best minus worst", most - least, at_most(0.02));
}

extern const Part<Session> part9(
    9, "Patches", run, "", {}, nullptr, [] { return vision_run().text("images"); }, PartKind::further);

}  // namespace lesson6
