// Lesson 6, part 3: what each gate costs, at sizes that can be turned.
// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <string>

#include "common/support/parts.hpp"
#include "lessons/6_bma/run/memory.hpp"
#include "lessons/6_bma/run/session.hpp"

namespace lesson6 {
namespace {

constexpr knob::Whole heads{"h", "heads", 8, {1, 64, 1}};
constexpr knob::Whole head_width{"dh", "numbers of a head; the width is h·dh", 64, {1, 128, 1}};
constexpr knob::Whole tokens{"n", "tokens", 64, {1, 4096, 1}};
constexpr knob::Whole depth{"depth", "layers", 1, {1, 96, 1}};

// What the attention of a layer costs, in numbers.
struct Cost {
  double parameters, for_backward, for_writing;
};

// Counts it by the formulas: four products with their biases and the gate's; Q, K, V, C, Y, the weights A, and what the
// variant keeps beside them; keys and values.
Cost cost_of(Gate gate, const knob::Settings& at) {
  const double h = double(at[heads]), dh = double(at[head_width]), n = double(at[tokens]), d = h * dh;
  Cost cost{4 * d * d + 4 * d, 5 * n * d + h * n * n, 2 * n * d};
  if (gate == Gate::bma || gate == Gate::attending) cost.parameters += h * dh * dh;
  if (gate == Gate::post) cost.parameters += d * d + d;
  if (gate == Gate::half) cost.for_backward += n * d;
  if (gate == Gate::bma || gate == Gate::attending || gate == Gate::post) cost.for_backward += 2 * n * d;
  return cost;
}

plot::Chart chart_of(const knob::Settings& at) {
  plot::Chart chart{.title = join("Width ", at[heads] * at[head_width], " in ", at[heads], " heads, ", at[tokens],
                                  " tokens: what a gate adds")};
  chart.x = {.title = "attention", .low = 0.5, .high = 5.5};
  for (const Gate gate : all_gates) chart.x.names.push_back(name_of(gate));
  chart.y = {.title = "% of standard", .low = 95, .high = 145};
  plot::Series parameters{.name = "parameters", .points = true}, kept{.name = "kept for backward", .points = true};
  const Cost standard = cost_of(Gate::standard, at);
  for (std::size_t g = 0; g < all_gates.size(); ++g) {
    const Cost cost = cost_of(all_gates[g], at);
    parameters.add(double(g + 1) - 0.1, 100 * cost.parameters / standard.parameters);
    kept.add(double(g + 1) + 0.1, 100 * cost.for_backward / standard.for_backward);
  }
  chart.series = {parameters, kept};
  return chart;
}

std::string counted(double numbers) { return numbers < 1e6 ? fixed(numbers, 0) : significant(numbers / 1e6, 4) + "M"; }

std::string bytes(double numbers) {
  const double kilo = numbers * sizeof(float) / 1024;
  return kilo < 1e5 ? fixed(kilo, 0) + " KB" : significant(kilo / 1024, 4) + " MB";
}

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  lesson.picture("turned_cost", chart_of(at));
  const double layers = double(at[depth]), h = double(at[heads]), d = h * double(at[head_width]);
  Table table{{"attention", "parameters", "more", "kept for backward", "kept for writing"}, {}};
  const Cost standard = cost_of(Gate::standard, at);
  for (const Gate gate : all_gates) {
    const Cost cost = cost_of(gate, at);
    table.rows.push_back({name_of(gate), counted(layers * cost.parameters),
                          counted(layers * (cost.parameters - standard.parameters)), bytes(layers * cost.for_backward),
                          bytes(layers * cost.for_writing)});
  }
  lesson.show(table);
  const auto more = [&](Gate gate) { return cost_of(gate, at).parameters - standard.parameters; };
  lesson.claim("without the biases post needs h times what bma needs", (more(Gate::post) - d) / more(Gate::bma),
               exactly(h));
  if (d > 512 || at[tokens] > 128 || d * d * double(at[tokens]) > 0x1p24)
    return;  // a layer of that size would take seconds
  Random random(lesson.options().seed, 503);
  const Sequences<float> X{normal_matrix<float>(at[tokens], std::size_t(d), 1, random), {at[tokens]}};
  double off = 0;
  for (const Gate gate : all_gates) {
    const GatedAttention<float> layer({gate, std::size_t(d), at[heads]});
    GatedAttention<float>::Trace t;
    layer.forward(X, t);
    const Cost cost = cost_of(gate, at);
    off = std::max(off, std::abs(double(parameters_of(layer)) - cost.parameters));
    off = std::max(off, std::abs(double(bytes_of(t)) - sizeof(float) * cost.for_backward));
  }
  lesson.claim("the formulas and a real layer of each kind, largest difference", off, exactly(0));
}

}  // namespace

Bench<Session> bench3() {
  return {
      "What does a gate cost, and when is it lost beside the weights?", {&heads, &head_width, &tokens, &depth}, run};
}

}  // namespace lesson6
