// Lesson 1, part 7: does the variance matter for training? The same data and steps; two scales, three depths. Gain,
// layers, rate and steps of one network can be turned.
// SPDX-License-Identifier: MIT
#include "common/support/part.hpp"
#include "lessons/1_math_refresh/models.hpp"

namespace lesson1 {

constexpr knob::Real gain{"gain", "n·Var W of the hidden layers", 1, {0.25, 6, 0.05}};
constexpr knob::Whole depth{"depth", "layers", 10, {2, 40, 1}};
constexpr knob::Real rate{"rate", "the part of the gradient that a step takes", 0.001, {0.0001, 0.02, 0.0001}};
constexpr knob::Whole steps{"steps", "steps of training", 400, {1, 800, 1}};

// The root mean square of what an untrained network says, and of the gradient of its hidden weights for the dY of an
// output 0.
static std::array<double, 2> at_start(double of_gain, std::size_t layers, Random random) {
  const Examples examples = same_sign(128, random);
  const Mlp<double> net = deep_network(of_gain, layers, random);
  const Matrix<double> Y = output(net, examples.X), zero(Y.rows(), 1);
  const auto g = gradients(net, examples.X, [&](const auto&) { return mean_squared_error(zero, examples.target); });
  double hidden = 0;
  for (std::size_t l = 0; l + 1 < layers; ++l) hidden += mean_square(g.d.W[l]) / double(layers);
  return {std::sqrt(mean_square(Y)), std::sqrt(hidden)};
}

// How much smaller everything is with 1/n than with another gain before the first step.
static void claim_starts(Lesson& lesson, double of_gain, std::size_t layers, const Random& random) {
  const auto one = at_start(1, layers, random), other = at_start(of_gain, layers, random);
  // Behind all scaled layers but the last; a weight's gradient is made of an h and a dZ with all of them but its own
  // between. Some roundings in each layer.
  const double hidden = std::pow(of_gain, double(layers - 2) / 2), output = hidden * std::sqrt(of_gain);
  lesson.claim(join(of_gain, "/n over 1/n, ", layers, " layers: the output"), other[0] / one[0],
               within(output, output * 1e-12));
  lesson.claim("the gradient of the hidden weights, for the same dY", other[1] / one[1],
               within(hidden, hidden * 1e-12));
}

static void scene(Lesson& lesson, Pool&, const knob::Settings& at) {
  const Random random(lesson.options().seed, 507);
  const std::size_t count = lesson.options().quick_or(std::min<std::size_t>(at[steps], 10), at[steps]);
  std::vector<double> losses = train_deep(at[gain], at[depth], at[rate], count, 1, random);
  const bool is_lost = losses.back() >= lost;
  lesson.say("The loss starts at ", losses.front(), ", is below 1/2 behind ", fixed(first_below(learnt, losses), 0),
             " of ", losses.size(), " steps, and then ",
             is_lost ? "lost: above 1e30, or not a number" : significant(losses.back()), ".");
  for (double& loss : losses) loss = std::max(loss, 1e-6);
  lesson.picture("one_training",
                 plot::Chart{.title = "Loss of a deep ReLU network",
                             .x = {.title = "step", .low = 0, .high = double(std::max<std::size_t>(count, 2))},
                             .y = {.title = "mean squared error (logarithmic)", .log = true, .low = 1e-4, .high = 1e8},
                             .series = {plot::line(join(at[depth], " layers, gain ", at[gain]), losses)},
                             .levels = {{"learnt: 1/2", learnt}}});
  claim_starts(lesson, at[gain], at[depth], random);
}

struct Run {
  double gain;
  std::size_t layers;
  std::vector<double> losses = {};

  std::string name() const { return join(gain, "/n, ", layers, " layers"); }
  double to_learn() const { return first_below(learnt, losses); }
};

static void run(Lesson& lesson, Pool& pool, const knob::Settings& at) {
  const std::size_t count = std::size_t(lesson.steps(long(at[steps]), 10));
  const Random random(lesson.options().seed, 7);
  std::vector<Run> runs{{1, 20}, {2, 20}, {1, 10}, {2, 10}, {1, 5}, {2, 5}};  // the longest first, for the threads
  pool.run(runs.size(), [&](std::size_t k) {
    runs[k].losses = train_deep(runs[k].gain, runs[k].layers, at[rate], count, 5, random);
  });
  const Run &slow = runs[0], &quick = runs[1];
  lesson.say("Can deep ReLU networks learn with the wrong variance, in ", count, " steps?");
  lesson.predict("With 2/n twenty layers come below a loss of 1/2 after " + fixed(quick.to_learn(), 0) +
                     " steps. After how many with 1/n?",
                 slow.to_learn());
  claim_starts(lesson, 2, 20, random);
  plot::Chart chart{
      .title = "Loss of deep ReLU networks", .x = {.title = "step"}, .y = {.title = "mean squared error", .low = 0}};
  Table table{{"network", "loss at 0", "100", "200", "300", "399", "steps to 1/2"}, {}};
  for (const std::size_t k : {4u, 2u, 0u, 5u, 3u, 1u}) {
    std::vector<double> losses = runs[k].losses;
    losses.resize(std::min(losses.size(), count));
    std::vector<std::string> row{runs[k].name()};
    for (const std::size_t step : {0u, 100u, 200u, 300u, 399u})
      row.push_back(fixed(losses[std::min(step, losses.size() - 1)], 4));
    row.push_back(fixed(runs[k].to_learn(), 0));
    table.rows.push_back(row);
    if (k != 5 && k != 3) chart.series.push_back(plot::line(runs[k].name(), losses));
  }
  lesson.figure("training", chart);
  lesson.show(table);
  lesson.claim_trained("20 layers: steps to a loss of 1/2 with 1/n over those with 2/n",
                       slow.to_learn() / quick.to_learn(), at_least(2));
  lesson.claim_trained("1/n: steps of 20 layers over those of 5", slow.to_learn() / runs[4].to_learn(), at_least(1));
  lesson.claim_trained("1/n, 20 layers: the last loss, learnt", slow.losses.back(), at_most(learnt));
}

extern const Part<Pool> part7{.number = 7,
                              .title = "Does it matter for training?",
                              .run = run,
                              .question = "How late does a network learn that starts with the wrong variance?",
                              .knobs = {&gain, &depth, &rate, &steps},
                              .scene = scene};

}  // namespace lesson1
