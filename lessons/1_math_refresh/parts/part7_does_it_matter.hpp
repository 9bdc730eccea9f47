// Lesson 1, part 7: does the variance matter for training? The same deep network, data and steps; two scales.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "common/loss.hpp"
#include "common/optimizer.hpp"
#include "common/support/lesson.hpp"
#include "lessons/1_math_refresh/mlp.hpp"

// Trains 20 layers of width 64 by gradient descent with momentum to tell whether two numbers have the same sign. Returns the
// loss at every step; Var W = gain/n_in.
inline std::vector<double> train_deep(double gain, long steps, std::uint64_t seed) {
  constexpr std::size_t examples = 128, layers = 20;
  Random random(seed, 7);
  Matrix<double> X(examples, 2), target(examples, 1);
  for (std::size_t i = 0; i < examples; ++i) {
    for (double& x : X.row(i)) x = random.uniform(-std::sqrt(3.0), std::sqrt(3.0));  // second moment 1
    target(i, 0) = X(i, 0) * X(i, 1) > 0 ? 1 : -1;
  }
  std::vector<std::size_t> widths(layers + 1, 64);
  widths.front() = 2, widths.back() = 1;
  Mlp net(relu_activation, widths);
  for (std::size_t l = 0; l < layers; ++l) {
    const double variance = (l + 1 < layers ? gain : 1) / double(widths[l]);  // no ReLU behind the last layer
    net.W[l] = normal_matrix<double>(widths[l], widths[l + 1], std::sqrt(variance), random);
  }
  Sgd<double> descent(0.9);
  std::vector<double> losses;
  for (long step = 0; step < steps; ++step) {
    const Mlp::Trace trace = net.forward(X);
    const Loss<double> loss = mean_squared_error(trace.output(), target);
    losses.push_back(loss.value);
    if (!std::isfinite(loss.value))
      throw std::runtime_error(join("training diverged at step ", step, "; try a smaller learning rate"));
    Mlp::Gradients g = net.backward(trace, loss.gradient);
    descent.step(net.tensors(), g.d.tensors(), 0.001);
  }
  return losses;
}

inline void part7(Lesson& lesson) {
  const long steps = lesson.steps(100, 10);
  const std::vector<double> lecun = train_deep(1, steps, lesson.options().seed);
  const std::vector<double> kaiming = train_deep(2, steps, lesson.options().seed);
  lesson.say("Twenty layers of width 64 learn whether two numbers have the same sign: gradient descent with momentum, ",
             steps,
             " steps, the same random numbers. With 1/n the nineteen ReLU layers halve E[h²] nineteen times, so ",
             "the output is some 700 times too small, and so is the gradient: predict what it learns.");
  plot::Chart chart;
  chart.title = "Loss of a 20-layer ReLU network";
  chart.x.title = "step";
  chart.y = {"mean squared error", false, 0, {}};
  for (const auto& [name, losses] : {std::pair("1/n LeCun", &lecun), std::pair("2/n Kaiming", &kaiming)}) {
    plot::Series line{name, {}, {}};
    for (std::size_t k = 0; k < losses->size(); ++k) line.x.push_back(double(k)), line.y.push_back((*losses)[k]);
    chart.series.push_back(line);
  }
  lesson.picture("training", chart);
  lesson.show(Table{{"Var W", "first loss", "last loss"},
                    {{"1/n LeCun", fixed(lecun.front(), 4), fixed(lecun.back(), 4)},
                     {"2/n Kaiming", fixed(kaiming.front(), 4), fixed(kaiming.back(), 4)}}});
  // Mean and spread over 20 seeds: 0.97 ± 0.02, and 0.06 ± 0.02 (largest 0.13).
  lesson.claim_trained("1/n hardly moves: last loss over first", lecun.back() / lecun.front(), at_least(0.88));
  lesson.claim_trained("2/n learns: last loss over that of 1/n", kaiming.back() / lecun.back(), at_most(0.2));
}
