// Lesson 6, part 3: what each gate costs in parameters and in memory, at sizes that can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include "lessons/6_bma/lesson.hpp"

namespace lesson6 {

static constexpr knob::Whole heads{"h", "heads", 8, {1, 64, 1}};
static constexpr knob::Whole head_width{"dh", "numbers of a head; the width is h·dh", 64, {1, 128, 1}};
static constexpr knob::Whole tokens{"n", "tokens", 64, {1, 4096, 1}};
static constexpr knob::Whole depth{"depth", "layers", 1, {1, 96, 1}};

// What the attention of a layer costs, in numbers.
struct Cost {
  double parameters, for_backward, for_writing;
};

// Counts it by the formulas: four products with their biases and the gate's; Q, K, V, C, Y, the weights A, and what the
// variant keeps beside them; keys and values.
static Cost cost_of(Gate gate, const knob::Settings& at) {
  const double h = double(at[heads]), dh = double(at[head_width]), n = double(at[tokens]), d = h * dh;
  Cost cost{4 * d * d + 4 * d, 5 * n * d + h * n * n, 2 * n * d};
  const Variant<double>& variant = variant_of(gate);
  if (variant.made == Made::by_query) cost.parameters += h * dh * dh;
  if (variant.made == Made::by_input) cost.parameters += d * d + d;
  if (variant.made == Made::constant) cost.for_backward += n * d;
  if (variant.gated()) cost.for_backward += 2 * n * d;
  return cost;
}

// Counts it in a layer and in a writer.
static Cost measured(Gate gate, const knob::Settings& at, Random& random) {
  const std::size_t d = at[heads] * at[head_width];
  const Sequences<float> X{normal_matrix<float>(at[tokens], d, 1, random), {at[tokens]}};
  const Attention<float> layer({gate, d, at[heads]});
  Attention<float>::Trace t;
  layer.forward(X, t);
  double kept = 0;
  for (const Matrix<float>* A : {&t.Q, &t.K, &t.V, &t.G, &t.M, &t.A, &t.mask, &t.D, &t.C, &t.O, &t.Y})
    kept += double(A->size());
  const LanguageModel<float> model(
      {.vocab = 2, .context = at[tokens], .transformer = {gate, 1, at[heads], d}, .tied = true});
  return {double(parameters_of(layer)), kept, double(Writer<float>(model).bytes_kept()) / sizeof(float)};
}

static std::string counted(double numbers) {
  return numbers < 1e7 ? fixed(numbers, 0) : significant(numbers / 1e6, 4) + "M";
}
static std::string bytes(double numbers) {
  const double kilo = numbers * sizeof(float) / 1024;
  return kilo < 1e5 ? fixed(kilo, 0) + " KB" : significant(kilo / 1024, 4) + " MB";
}

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const double layers = double(at[depth]), h = double(at[heads]), d = h * double(at[head_width]);
  lesson.say("What does a gate cost? Width ", fixed(d, 0), ", ", at[heads], " heads; kept for ", at[tokens],
             " tokens:");
  const Cost standard = cost_of(Gate::standard, at);
  const auto more = [&](Gate gate) { return cost_of(gate, at).parameters - standard.parameters; };
  lesson.predict("How many times the further parameters of bma does post need? (The write-up: four times.)",
                 more(Gate::post) / more(Gate::bma));
  plot::Chart chart{.title = join("Width ", d, " in ", at[heads], " heads, ", at[tokens], " tokens: what a gate adds")};
  chart.x = {.title = "attention", .low = 0.5, .high = double(all_gates.size()) + 0.5};
  chart.y = {.title = "% of standard", .low = 95, .high = 145};
  chart.series = {{.name = "parameters", .points = true}, {.name = "kept for backward", .points = true}};
  Table table{{"attention", "parameters", "more", "kept for backward", "kept for writing"}, {}};
  for (const Gate gate : all_gates) {
    const Cost cost = cost_of(gate, at);
    table.rows.push_back({name_of(gate), counted(layers * cost.parameters), counted(layers * more(gate)),
                          bytes(layers * cost.for_backward), bytes(layers * cost.for_writing)});
    chart.x.names.push_back(name_of(gate));
    const double place = double(table.rows.size());
    chart.series[0].add(place - 0.1, 100 * cost.parameters / standard.parameters);
    chart.series[1].add(place + 0.1, 100 * cost.for_backward / standard.for_backward);
  }
  lesson.show(table);
  lesson.figure("cost", chart);
  lesson.claim("without the biases the ratio of the two is the number of heads",
               (more(Gate::post) - d) / more(Gate::bma), exactly(h));
  if (d > 512 || at[tokens] > 128 || d * d * double(at[tokens]) > 0x1p24) return;  // that would take seconds
  Random random(lesson.options().seed, 503);
  double off = 0;
  for (const Gate gate : all_gates) {
    const Cost counted = cost_of(gate, at), found = measured(gate, at, random);
    off = std::max({off, std::abs(found.parameters - counted.parameters),
                    std::abs(found.for_backward - counted.for_backward),
                    std::abs(found.for_writing - counted.for_writing)});
  }
  lesson.claim(
      "H·dh² numbers more for bma, d² + d for post, two more of each token kept for backward by a gate, two "
      "kept for writing by each: the formulas and a real layer of each kind, largest difference",
      off, exactly(0));
}

extern const Part<Session> part3{.number = 3,
                                 .title = "Parameters and memory",
                                 .run = run,
                                 .question = "What does a gate cost, and when is it lost beside the weights?",
                                 .knobs = {&heads, &head_width, &tokens, &depth}};

}  // namespace lesson6
