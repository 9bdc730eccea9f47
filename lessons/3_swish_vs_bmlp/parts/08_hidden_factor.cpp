// Lesson 3, part 8: a gradient that is off by a constant factor, which can be turned, trains the same under AdamW. Who
// notices?
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/lesson.hpp"

namespace lesson3 {

constexpr knob::Real factor{"factor", "what all gradients are multiplied by", 2, {0.05, 100, 0.05}};
constexpr knob::Real rate{"rate", "learning rate of plain descent; AdamW takes a tenth", 0.05, {0.001, 0.5, 0.001}};
constexpr knob::Whole steps{"steps", "training steps", 200, {20, 1000, 20}};

// A training of the small task, its loss on the way.
struct Run {
  Swish<float> model;
  plot::Series curve;

  bool diverged() const { return curve.y.empty(); }
  double end() const { return diverged() ? HUGE_VAL : curve.y.back(); }
};

static Run run_of(const Rows& rows, const TrainingSettings& settings, std::uint64_t seed) {
  Random start(seed, 5081);
  Run run{Swish<float>({{SmallTask::inputs, 16, 1}, true}, start), {}};
  try {
    run.curve = train_and_watch(join(settings.plain ? "SGD" : "AdamW", ", times ", settings.factor), run.model, rows,
                                settings, Random(seed, 5082));
  } catch (const Diverged&) {  // and there is no curve
  }
  return run;
}

// What the gradient check finds of gradients times a factor: each tensor's own relative error must be |factor - 1| over
// the larger of the two.
static void gradient_check(Lesson& lesson, double by, Random& random) {
  Swish<double> net({{4, 5, 4}, true});
  fill_normal(net.tensors(), random);
  Matrix<double> X = normal_matrix<double>(6, 4, 1, random);
  const squared_error loss(normal_matrix<double>(6, 4, 1, random));
  const GradientReport report = check_model(net, X, [&](const Matrix<double>& Y) {
    return Loss<double>{loss(Y).value, by * loss(Y).gradient};
  });
  const double expected = std::abs(by - 1) / std::max(by, 1.0);
  double off = 0;
  for (const GradientRow& row : report.rows) off = std::max(off, std::abs(row.worst - expected));
  lesson.say("The gradient check: a relative error of ", expected, " in every tensor.");
  lesson.claim("relative error of every tensor, off that", off, at_most(1e-6));  // the check itself errs by some 1e-9
}

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const std::uint64_t seed = lesson.options().seed;
  Random random(seed, 508);
  const Rows rows = SmallTask{.noise = 0.1, .count = 256}.draw(random);
  const double by = at[factor];
  const auto learn = [&](bool plain, double speed, double times) {
    return run_of(rows, {long(at[steps]), 32, speed, plain, float(times)}, seed);
  };
  Table table{{"mean squared error at the end", "right gradients", join("times ", by), "times 100"}, {}};
  plot::Chart chart{.title = join("All gradients times ", by)};
  chart.x = {.title = "step", .low = 0, .high = double(at[steps])};
  chart.y = {.title = "mean squared error (logarithmic)", .log = true, .low = 0.01, .high = 100};
  std::vector<Run> runs;
  for (const bool plain : {false, true}) {
    table.rows.push_back({plain ? "SGD" : "AdamW"});
    for (const double times : {1.0, by, 100.0}) {
      runs.push_back(learn(plain, plain ? at[rate] : at[rate] / 10, times));
      table.rows.back().push_back(runs.back().diverged() ? "diverges" : significant(runs.back().end(), 4));
      if (times < 100 && !runs.back().diverged()) chart.series.push_back(runs.back().curve);
    }
  }
  lesson.say("All gradients too large by one factor: who notices? A swish MLP on a small task:");
  lesson.show(table);
  lesson.figure("factor", chart);
  const Run faster = learn(true, at[rate] * by, 1);
  double apart = 0;
  for (std::size_t t = 0; t < faster.model.tensors().size(); ++t)
    apart = std::max(apart, max_abs_difference(runs[4].model.tensors()[t].tensor, faster.model.tensors()[t].tensor));
  lesson.claim_usual("SGD: times 2, and at twice the rate, the same weights", apart, exactly(0));
  lesson.claim_usual("SGD: times 100 diverges", runs[5].diverged(), exactly(1));
  const double off = std::max(std::abs(runs[1].end() - runs[0].end()), std::abs(runs[2].end() - runs[0].end()));
  lesson.claim_usual("AdamW: largest change of the loss by the factors, as a part", off / runs[0].end(), at_most(1e-3));
  gradient_check(lesson, by, random);
}

extern const Part<Session> part8{8,
                                 "The hidden factor",
                                 run,
                                 "Who notices that all gradients are too large by one factor?",
                                 {&factor, &rate, &steps},
                                 PartKind::further};

}  // namespace lesson3
