// Lesson 1, part 6: activation, variance, depth and the widths of layers that are wide and narrow in turn can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/parts.hpp"
#include "lessons/1_math_refresh/model/3_signal.hpp"

namespace lesson1 {
namespace {

constexpr knob::Choice activation{"activation", "φ", {"sigmoid", "tanh", "relu", "leaky", "linear", "swish"}};
constexpr knob::Choice rule{"rule", "the variance of a weight", {"xavier", "lecun", "kaiming"}};
constexpr knob::Real scale{"scale", "by how much that is multiplied", 1, {0.1, 4, 0.05}};
constexpr knob::Whole depth{"depth", "layers", 50, {1, 100, 1}};
constexpr knob::Whole width{"width", "numbers behind every second layer, and at the inputs", 64, {4, 256, 4}};
constexpr knob::Whole other{"other-width", "numbers behind the layers between", 64, {4, 256, 4}};

constexpr Activation phis[] = {sigmoid_activation,    tanh_activation,   relu_activation,
                               leaky_relu_activation, linear_activation, swish_activation};

double variance_of(std::size_t which, double in, double out) {
  return which == 0 ? 2 / (in + out) : double(which) / in;
}

struct Sent {
  Signal signal;
  std::vector<double> theory;  // (1.12), each layer with its own n·Var W
};

Sent sent_at(const knob::Settings& at, std::uint64_t seed) {
  constexpr std::size_t batch = 16;
  Random random(seed, 506);
  std::vector<std::size_t> widths;
  for (std::size_t l = 0; l <= at[depth]; ++l) widths.push_back(l % 2 == 0 ? at[width] : at[other]);
  std::vector<Matrix<double>> W = unit_weights(widths, random);
  const auto X = normal_matrix<double>(batch, widths.front(), 1, random),
             G = normal_matrix<double>(batch, widths.back(), 1, random);
  const Activation phi = phis[at[activation]];
  std::vector<double> theory{mean_square(X)};
  for (Matrix<double>& each : W) {
    const double in = double(each.rows()), variance = at[scale] * variance_of(at[rule], in, double(each.cols()));
    theory.push_back(predicted_forward(phi, in * variance, theory.back(), 1)[1]);
    each = std::sqrt(in * variance) * each;
  }
  return {send(
              W, phi, [](double in, double) { return 1 / in; }, X, G),
          theory};
}

plot::Series line_of(const std::string& name, const std::vector<double>& values) {
  plot::Series line{name};
  for (std::size_t l = 0; l < values.size(); ++l) line.add(double(l), values[l]);
  return line;
}

void run(Lesson& lesson, Pool&, const knob::Settings& at) {
  const auto [signal, theory] = sent_at(at, lesson.options().seed);
  plot::Chart chart{
      .title = join(phis[at[activation]].name, ", ", at[depth], " layers, ", at.name_of(rule), " times ", at[scale]),
      .x = {.title = "layer"},
      .y = {.title = "second moments", .log = true, .low = 1e-35, .high = 1e15}};
  chart.series = {line_of("E[h²]", signal.forward), line_of("theory (1.12)", theory),
                  line_of("variance across inputs", signal.across), line_of("E[g²], on its way back", signal.backward)};
  lesson.picture("turned_layers", chart);
  lesson.say("Behind layer ", at[depth], " E[h²] is ", signal.forward.back(), " (theory ", theory.back(),
             "), and what tells 16 inputs apart, the variance across them, ", signal.across.back(),
             ". Of the gradient's E[g²] the part ", signal.backward.front() / signal.backward.back(),
             " arrives at the inputs.");
  double excess = 0;
  for (std::size_t l = 0; l < signal.forward.size(); ++l)
    excess = std::max(excess, signal.across[l] - signal.forward[l] * (1 + 1e-12));  // a sum of sixteen, rounded
  lesson.claim("the variance across inputs is never above E[h²]", excess, at_most(0));
  if (at[activation] < 2)
    lesson.claim("largest E[h²] behind a layer: |φ| is at most 1",
                 *std::max_element(signal.forward.begin() + 1, signal.forward.end()), at_most(1));
}

}  // namespace

Bench<Pool> bench6() {
  return {"A constant E[h²] looks healthy: what do inputs and gradients look like?",
          {&activation, &rule, &scale, &depth, &width, &other},
          run};
}

}  // namespace lesson1
