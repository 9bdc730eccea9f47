// Lesson 1, part 7: does the variance matter for training? The same data and steps; two scales, three depths.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/loss.hpp"
#include "common/support/lesson.hpp"
#include "common/support/parallel.hpp"
#include "lessons/1_math_refresh/run/train.hpp"

namespace lesson1 {
namespace {

struct Run {
  double gain;
  std::size_t layers;
  std::vector<double> losses = {};

  std::string name() const { return join(gain, "/n, ", layers, " layers"); }
};

plot::Chart training_chart(const std::vector<Run>& runs, std::size_t steps) {
  plot::Chart chart;
  chart.title = "Loss of deep ReLU networks";
  chart.x.title = "step";
  chart.y = {.title = "mean squared error", .low = 0};
  for (const Run& run : runs) {
    plot::Series line{run.name(), {}, {}};
    for (std::size_t k = 0; k < steps; ++k) line.add(double(k), run.losses[k]);
    chart.series.push_back(line);
  }
  return chart;
}

// Root mean squares of an untrained network of 20 layers.
struct AtStart {
  double output, gradient;  // the gradient of all weights
  double hidden_for_same;   // of the hidden layers' weights, for the dY of an output 0
};

double root_mean_square(const std::vector<Matrix<double>>& tensors, std::size_t first_ones) {
  double sum = 0, count = 0;
  for (std::size_t t = 0; t < first_ones; ++t) {
    sum += dot(tensors[t], tensors[t]);
    count += double(tensors[t].size());
  }
  return std::sqrt(sum / count);
}

AtStart at_start(double gain, std::uint64_t seed) {
  Random random(seed, 7);
  const Examples examples = same_sign(128, random);
  const Mlp net = deep_network(gain, 20, random);
  const auto to_target = [&](const Matrix<double>& Y) { return mean_squared_error(Y, examples.target); };
  const Matrix<double> Y = output(net, examples.X), zero(Y.rows(), 1);
  const Gradients<Mlp> own = gradients(net, examples.X, to_target);
  const Gradients<Mlp> same = gradients(net, examples.X, [&](const Matrix<double>&) { return to_target(zero); });
  return {std::sqrt(mean_square(Y)), root_mean_square(own.d.W, 20), root_mean_square(same.d.W, 19)};
}

// How much smaller everything is with 1/n than with 2/n before the first step.
void claim_starts(Lesson& lesson) {
  const AtStart one = at_start(1, lesson.options().seed), two = at_start(2, lesson.options().seed);
  // Behind nineteen halved layers; a weight's gradient is made of an h and a dZ with eighteen between them. Roundings:
  // 1e-12.
  const double output = std::exp2(9.5), hidden = std::exp2(9.0);
  lesson.claim("2/n over 1/n, 20 layers: the output", two.output / one.output, within(output, output * 1e-12));
  lesson.claim("the gradient of the hidden weights, for the same dY", two.hidden_for_same / one.hidden_for_same,
               within(hidden, hidden * 1e-12));
  // Mean and standard deviation of the logarithm over 200 seeds.
  lesson.claim("the gradient of all weights, for the dY of each", two.gradient / one.gradient,
               within_in_logarithm(6.97, 4.5 * 0.68));
}

}  // namespace

void part7(Lesson& lesson, Pool& pool) {
  const std::size_t steps = std::size_t(lesson.steps(400, 10));
  std::vector<Run> runs{{1, 20}, {2, 20}, {1, 10}, {2, 10}, {1, 5}, {2, 5}};  // the longest first, for the threads
  pool.run(runs.size(), [&](std::size_t k) {
    runs[k].losses = train_deep(runs[k].gain, runs[k].layers, steps, lesson.options().seed);
  });
  lesson.say("Can deep ReLU networks learn with the wrong variance, in ", steps, " steps?");
  lesson.predict("With 2/n twenty layers come below a loss of 1/2 after " +
                     fixed(first_below(learnt, runs[1].losses), 0) + " steps. After how many with 1/n?",
                 first_below(learnt, runs[0].losses));
  claim_starts(lesson);
  lesson.figure("training", training_chart({runs[4], runs[2], runs[0], runs[1]}, steps));
  const auto after = [&](const Run& run, std::size_t step) { return run.losses[std::min(step, steps - 1)]; };
  Table table{{"network", "loss at 0", "100", "200", "300", "399", "steps to 1/2"}, {}};
  for (const Run& run : {runs[4], runs[2], runs[0], runs[5], runs[3], runs[1]}) {
    std::vector<std::string> row{run.name(), fixed(run.losses[0], 4)};
    for (const std::size_t step : {100u, 200u, 300u, 399u}) row.push_back(fixed(after(run, step), 4));
    row.push_back(fixed(first_below(learnt, run.losses), 0));
    table.rows.push_back(row);
  }
  lesson.show(table);
  // Means and standard deviations of the logarithm over 60 seeds.
  const auto to_learn = [&](std::size_t k) { return first_below(learnt, runs[k].losses); };
  lesson.claim_trained("2/n: the most steps to a loss of 1/2 of the three depths",
                       std::max({to_learn(1), to_learn(3), to_learn(5)}), at_most(std::exp(2.79 + 4.5 * 0.31)));
  lesson.claim_trained("1/n, 20 layers: steps to a loss of 1/2", to_learn(0), within_in_logarithm(5.63, 4.5 * 0.26));
  lesson.claim_trained("1/n, 10 layers", to_learn(2), within_in_logarithm(4.72, 4.5 * 0.23));
  lesson.claim_trained("1/n, 5 layers", to_learn(4), within_in_logarithm(3.56, 4.5 * 0.26));
  lesson.claim_trained("1/n: steps of 20 layers over those of 5", to_learn(0) / to_learn(4),
                       within_in_logarithm(2.07, 4.5 * 0.38));
}

}  // namespace lesson1
