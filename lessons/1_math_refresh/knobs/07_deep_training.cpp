// Lesson 1, part 7: gain, layers, rate and steps of a deep network's training can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/parts.hpp"
#include "lessons/1_math_refresh/run/train.hpp"

namespace lesson1 {
namespace {

constexpr knob::Real gain{"gain", "n·Var W of the hidden layers", 1, {0.25, 6, 0.05}};
constexpr knob::Whole depth{"depth", "layers", 10, {2, 40, 1}};
constexpr knob::Real rate{"rate", "the part of the gradient that a step takes", 0.001, {0.0001, 0.02, 0.0001}};
constexpr knob::Whole steps{"steps", "steps of training", 400, {1, 800, 1}};

constexpr double lost = 1e30;  // a loss above this is the end of a training

// The loss before each step, until it is lost.
std::vector<double> losses_at(const knob::Settings& at, std::size_t count, const Random& start) {
  Random random = start;
  const Examples examples = same_sign(128, random);
  Mlp net = deep_network(at[gain], at[depth], random);
  Sgd<double> descent(0.9);
  std::vector<double> losses;
  while (losses.size() < count && (losses.empty() || losses.back() < lost)) {
    losses.push_back(descend(net, examples, descent, at[rate]));
    if (!(losses.back() < lost)) losses.back() = lost;  // not a number, too
  }
  return losses;
}

// The root mean square of what an untrained network says.
double output_at_start(double of_gain, std::size_t layers, Random random) {
  const Examples examples = same_sign(128, random);
  return std::sqrt(mean_square(output(deep_network(of_gain, layers, random), examples.X)));
}

std::string outcome(const std::vector<double>& losses, std::size_t count) {
  if (losses.back() >= lost) return join("it is lost before step ", losses.size() - 1, ": above 1e30, or not a number");
  const auto first = std::find_if(losses.begin(), losses.end(), [](double loss) { return loss < learnt; });
  const std::string last = join(", and before step ", losses.size() - 1, " it is ", losses.back());
  if (first == losses.end()) return join("it is not below 1/2 in ", count, " steps", last);
  return join("it is below 1/2 from step ", first - losses.begin(), last);
}

void run(Lesson& lesson, Pool&, const knob::Settings& at) {
  const Random start(lesson.options().seed, 507);
  const std::size_t count = lesson.options().quick_or(std::min<std::size_t>(at[steps], 10), at[steps]);
  const std::vector<double> losses = losses_at(at, count, start);
  plot::Series line{join(at[depth], " layers, gain ", at[gain])};
  for (std::size_t step = 0; step < losses.size(); ++step) line.add(double(step), std::max(losses[step], 1e-6));
  plot::Chart chart{.title = "Loss of a deep ReLU network",
                    .x = {.title = "step", .low = 0, .high = double(std::max<std::size_t>(count, 2))},
                    .y = {.title = "mean squared error (logarithmic)", .log = true, .low = 1e-4, .high = 1e8},
                    .series = {line},
                    .levels = {{"learnt: 1/2", learnt}}};
  lesson.picture("turned_training", chart);
  lesson.say("The loss starts at ", losses.front(), "; ", outcome(losses, count), ".");
  // (1.11) for the same random numbers, layers - 1 of them scaled; some roundings in each layer.
  const double ratio = output_at_start(at[gain], at[depth], start) / output_at_start(1, at[depth], start);
  lesson.claim("ln of the output at the start over that with 1/n: (layers - 1)/2·ln gain", std::log(ratio),
               within(double(at[depth] - 1) / 2 * std::log(at[gain]), 1e-12));
  // As for ten layers in part 7: mean and standard deviation of the logarithm over 60 seeds.
  const auto first = std::find_if(losses.begin(), losses.end(), [](double loss) { return loss < learnt; });
  lesson.claim_trained("steps to a loss of 1/2", double(first - losses.begin()), within_in_logarithm(4.72, 4.5 * 0.23));
}

}  // namespace

Bench<Pool> bench7() {
  return {"How late does a network learn that starts with the wrong variance?", {&gain, &depth, &rate, &steps}, run};
}

}  // namespace lesson1
