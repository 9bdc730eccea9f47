// Lesson 3, part 8: a gradient that is off by a constant factor, which can be turned, trains the same under AdamW. Who
// notices?
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/lesson.hpp"

namespace lesson3 {

constexpr knob::Real factor{"factor", "what all gradients are multiplied by", 2, {0.05, 100, 0.05}};
constexpr knob::Real rate{"rate", "learning rate of plain descent; AdamW takes a tenth", 0.05, {0.001, 0.5, 0.001}};
constexpr knob::Whole steps{"steps", "training steps", 200, {20, 1000, 20}};

// Trains, and returns whether the training came to its end.
static bool trained(Swish<float>& net, const Rows& rows, const TrainingSettings& settings, Random batches,
                    const Watch& watch) {
  try {
    train(net, rows, settings, batches, watch);
    return true;
  } catch (const Diverged&) {
    return false;
  }
}

// What the gradient check finds of gradients times a factor: each tensor's own relative error must be |factor - 1| over
// the larger of the two.
static void gradient_check(Lesson& lesson, double by, Random& random) {
  Swish<double> net({{4, 5, 4}, true});
  fill_normal(net.tensors(), random);
  Matrix<double> X = normal_matrix<double>(6, 4, 1, random);
  const squared_error loss(normal_matrix<double>(6, 4, 1, random));
  const GradientReport report = check_model(net, X, [&](const Matrix<double>& Y) {
    const Loss<double> right = loss(Y);
    return Loss<double>{right.value, by * right.gradient};
  });
  double least = HUGE_VAL, most = 0;
  for (const GradientRow& row : report.rows) {
    least = std::min(least, row.worst);
    most = std::max(most, row.worst);
  }
  lesson.say("The gradient check: the relative errors of the tensors go from ", significant(least), " to ",
             significant(most), ".");
  const double expected = std::abs(by - 1) / std::max(by, 1.0);
  lesson.claim("smallest relative error of a tensor", least, within(expected, 1e-6));  // the check errs by some 1e-9
  lesson.claim("largest relative error of a tensor", most, within(expected, 1e-6));
}

static void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  struct Run {
    bool plain;
    double rate;
    float factor;
    Swish<float> model{suite_forms.swish};
    double r2 = 0;
    long diverged_at = -1;  // the step, or -1
  };
  lesson.say("All gradients too large by one factor: who notices? Swish MLP, suite A, test R²:");
  const double of_adamw = session.training().rate;
  std::vector<Run> runs{{false, of_adamw, 1}, {false, of_adamw, 2}, {false, of_adamw, 100}, {true, 0.02, 1},
                        {true, 0.02, 2},      {true, 0.02, 100},    {true, 0.04, 1}};
  const SplitRows& suite = session.suite();
  session.run(runs.size(), [&](std::size_t k) {
    Run& run = runs[k];
    TrainingSettings settings = session.training();
    settings.plain = run.plain;
    settings.rate = run.rate;
    settings.factor = run.factor;
    Random random = session.start();
    run.model = Swish<float>(suite_forms.swish, random);
    long last = 0;  // the step that was begun last
    if (trained(run.model, suite.train, settings, session.batches(), [&](long step) { last = step; }))
      run.r2 = r_squared(run.model, suite.test);
    else run.diverged_at = last;
  });
  const auto ended = [&](std::size_t k) {
    return runs[k].diverged_at < 0 ? fixed(runs[k].r2, 4) : join("diverged at step ", runs[k].diverged_at);
  };
  lesson.show(Table{{"optimizer", "rate", "right gradients", "times 2", "times 100"},
                    {{"AdamW", significant(of_adamw), ended(0), ended(1), ended(2)},
                     {"SGD", "0.02", ended(3), ended(4), ended(5)},
                     {"SGD", "0.04", ended(6), "", ""}}});
  lesson.claim_trained("AdamW with the right gradients learns: R²", runs[0].r2, at_least(0.5));
  lesson.claim_trained("AdamW: largest change of R² by the factors",
                       std::max(std::abs(runs[1].r2 - runs[0].r2), std::abs(runs[2].r2 - runs[0].r2)), at_most(1e-4));
  double apart = 0;
  for (std::size_t t = 0; t < runs[4].model.tensors().size(); ++t)
    apart = std::max(apart, max_abs_difference(runs[4].model.tensors()[t].tensor, runs[6].model.tensors()[t].tensor));
  lesson.claim_same("SGD: times 2 at 0.02, and times 1 at 0.04, the same weights", apart);
  lesson.claim_trained("SGD: times 100 diverges", runs[5].diverged_at >= 0 ? 1 : 0, exactly(1));
  Random random(lesson.options().seed, 35);
  gradient_check(lesson, at[factor], random);
}

static void scene(Lesson& lesson, Session&, const knob::Settings& at) {
  const std::uint64_t seed = lesson.options().seed;
  Random random(seed, 508);
  const Rows rows = SmallTask{.noise = 0.1, .count = 256}.draw(random);
  plot::Chart chart{.title = join("All gradients times ", at[factor])};
  chart.x = {.title = "step", .low = 0, .high = double(at[steps])};
  chart.y = {.title = "mean squared error (logarithmic)", .log = true, .low = 0.01, .high = 100};
  for (const bool plain : {false, true})
    for (const double by : {1.0, at[factor]}) {
      const TrainingSettings settings{.steps = long(at[steps]),
                                      .batch = 32,
                                      .rate = plain ? at[rate] : at[rate] / 10,
                                      .plain = plain,
                                      .factor = float(by)};
      Random start(seed, 5081);
      Swish<float> net({{SmallTask::inputs, 16, 1}, true}, start);
      plot::Series curve{.name = join(plain ? "SGD" : "AdamW", by == 1 ? "" : join(", times ", by))};
      const long every = std::max(1L, settings.steps / 40);
      const auto note = [&](long step) {
        if (step % every == 0) curve.add(double(step), loss_of(net, rows));
      };
      if (!trained(net, rows, settings, Random(seed, 5082), note)) curve.name += ", diverges";
      chart.series.push_back(curve);
    }
  lesson.picture("factor", chart);
  gradient_check(lesson, at[factor], random);
}

extern const Part<Session> part8{.number = 8,
                                 .title = "The hidden factor",
                                 .run = run,
                                 .question = "Who notices that all gradients are too large by one factor?",
                                 .knobs = {&factor, &rate, &steps},
                                 .kind = PartKind::further,
                                 .scene = scene};

}  // namespace lesson3
