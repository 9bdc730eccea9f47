// Lesson 3, part 6: one network on one suite, with the floors that a product cannot cross.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include "common/support/parts.hpp"
#include "lessons/3_swish_vs_bmlp/knobs/small_task.hpp"
#include "lessons/3_swish_vs_bmlp/floors.hpp"
#include "lessons/3_swish_vs_bmlp/run/session.hpp"
#include "lessons/3_swish_vs_bmlp/run/zoo.hpp"

namespace lesson3 {
namespace {

constexpr knob::Choice net{
    "net", "the network", {"product", "product2", "swish_bias", "swish", "bmlp", "gated_mean", "outer"}};
constexpr knob::Choice suite{"suite", "the task", {"A", "B"}};
constexpr knob::Real rate{"rate", "peak learning rate", 0.005, {0.0002, 0.05, 0.0002}};
constexpr knob::Whole updates{"updates", "training steps", 3000, {60, 12000, 60}};
constexpr knob::Whole count{"rows", "rows to learn from, and as many to be judged by", 4096, {256, 4096, 256}};

struct Found {
  plot::Series curve{.name = "test rows"};  // R² on the way
  double train_loss = 0, test = 0;
  std::size_t parameters = 0;
};

template <class Start>
Found learn(const Start& start, const SplitRows& split, const TrainingSettings& settings, std::uint64_t seed) {
  Random random(seed, 506);
  auto model = start(random);
  Found found;
  const long every = std::max(1L, settings.steps / 40);
  train(model, adamw(settings.adam), split.train, settings, Random(seed, 5061), [&](long step) {
    if (step % every == 0) found.curve.add(double(step), r_squared(model, split.test));
  });
  found.test = r_squared(model, split.test);
  found.curve.add(double(settings.steps), found.test);
  found.train_loss = mean_squared_error(predict(model, split.train.X), split.train.T).value;
  found.parameters = parameters_of(model);
  return found;
}

// What least squares on some features reaches: the loss on the rows it was solved on, and R² on the others.
struct Solved {
  double loss, r2;
};
Solved solve(const SplitRows& split, Matrix<double> (*phi)(const Matrix<double>&)) {
  const Matrix<double> Phi = phi(split.train.X), w = least_squares(Phi, split.train.T);
  return {mean_square(matmul(Phi, w) - split.train.T), r_squared(matmul(phi(split.test.X), w), split.test.T)};
}

void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const std::uint64_t seed = lesson.options().seed;
  const SplitRows split = draw_suite(suites[at[suite]], seed, std::min(at[count], session.rows()));
  TrainingSettings settings;
  settings.steps = lesson.options().quick_or(std::min(60L, long(at[updates])), long(at[updates]));
  settings.rate = at[rate];
  Found found;
  visit_model(at.name_of(net), suite_inputs, suite_outputs,
              [&](auto start) { found = learn(start, split, settings, seed); });
  const Solved line = solve(split, affine_features), parabola = solve(split, quadratic_features);
  plot::Chart chart{.title = join("R² of ", at.name_of(net), " on suite ", at.name_of(suite))};
  chart.x.title = "step";
  chart.y = {.title = "R² of the test rows", .low = -1, .high = 1};
  chart.series = {found.curve};
  chart.levels = {{"affine least squares", line.r2}, {"quadratic", parabola.r2}};
  lesson.picture("turned_suite", chart);
  lesson.say(found.parameters, " parameters end at R² ", fixed(found.test, 4), "; least squares reaches ",
             fixed(line.r2, 4), " with a line, ", fixed(parabola.r2, 4), " with all products of two inputs.");
  const std::string& name = at.name_of(net);
  const bool quadratic = name == "product" || name == "outer" || name == "gated_mean";
  lesson.claim_trained("product layer on A: R² minus that of least squares with all products", found.test - parabola.r2,
                       within(0.0002, 4.5 * 0.0005));  // mean and spread over 20 seeds
  // A float output is rounded by 1e-7 of numbers of size 1 to 10.
  if (name == "bmlp")
    lesson.claim("training rows: loss minus that of the best line", found.train_loss - line.loss, at_least(-1e-5));
  if (quadratic)
    lesson.claim("training rows: loss minus that of least squares with all products", found.train_loss - parabola.loss,
                 at_least(-1e-5));
}

}  // namespace

Bench<Session> bench6() {
  return {
      "Which network gets where on which suite, and what does it take?", {&net, &suite, &rate, &updates, &count}, run};
}

}  // namespace lesson3
