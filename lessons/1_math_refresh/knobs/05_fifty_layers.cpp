// Lesson 1, part 5: a deep random network whose gain, depth, width, inputs and activation can be turned.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>
#include <vector>

#include "common/support/parts.hpp"
#include "lessons/1_math_refresh/model/3_signal.hpp"

namespace lesson1 {
namespace {

const Activation activations[] = {relu_activation, linear_activation,  leaky_relu_activation,
                                  tanh_activation, sigmoid_activation, swish_activation};

constexpr knob::Real gain{"gain", "n·Var W of every layer", 2, {0.1, 5, 0.05}};
constexpr knob::Whole depth{"depth", "layers", 50, {1, 200, 1}};
constexpr knob::Whole width{"width", "numbers in each hidden layer", 128, {4, 256, 4}};
constexpr knob::Whole inputs{"input", "numbers that come in", 128, {1, 256, 1}};
constexpr knob::Choice activation{"activation", "φ", {"relu", "linear", "leaky", "tanh", "sigmoid", "swish"}};

// The signal of one network; each layer's gain is that of the knob, whatever its fan-in.
Signal signal_at(const knob::Settings& at, std::uint64_t seed) {
  constexpr std::size_t batch = 8;
  Random random(seed, 500);
  std::vector<std::size_t> widths(at[depth] + 1, at[width]);
  widths[0] = at[inputs];
  std::vector<Matrix<double>> unit = unit_weights(widths, random);
  for (Matrix<double>& W : unit) W = std::sqrt(at[gain]) * W;
  const auto X = normal_matrix<double>(batch, at[inputs], 1, random),
             G = normal_matrix<double>(batch, at[width], 1, random);
  return send(
      unit, activations[at[activation]], [](double in, double) { return 1 / in; }, X, G);
}

plot::Series line_of(const std::string& name, const std::vector<double>& values) {
  plot::Series line{name, {}, {}};
  for (std::size_t l = 0; l < values.size(); ++l) line.add(double(l), values[l]);
  return line;
}

void run(Lesson& lesson, Pool&, const knob::Settings& at) {
  const Signal signal = signal_at(at, lesson.options().seed);
  const std::vector<double> theory =
      predicted_forward(activations[at[activation]], at[gain], signal.forward[0], at[depth]);
  plot::Chart chart{.title = join("Second moment through ", at[depth], " layers, gain ", at[gain])};
  chart.x.title = "layer";
  chart.y = {.title = "E[h²], E[g²]", .log = true, .low = 1e-20, .high = 1e20};
  chart.series = {line_of("E[h²]", signal.forward), line_of("theory (1.12)", theory),
                  line_of("E[g²], on its way back", signal.backward)};
  lesson.picture("turned_signal", chart);
  lesson.say("Behind layer ", at[depth], " E[h²] is ", signal.forward.back(), ", and theory says ", theory.back(),
             " for infinite width; of E[g²] = 1 there ", signal.backward[0] / signal.backward.back(),
             " arrives at the inputs.");
}

}  // namespace

Bench<Pool> bench5() {
  return {"Which gain keeps a signal alive through so many layers, forward and back?",
          {&gain, &depth, &width, &inputs, &activation},
          run};
}

}  // namespace lesson1
