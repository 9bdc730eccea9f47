// Lesson 6, part 3: what each gate costs in parameters and in memory.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <string>

#include "common/support/lesson.hpp"
#include "lessons/6_bma/model/8_writer.hpp"
#include "lessons/6_bma/run/memory.hpp"
#include "lessons/6_bma/run/session.hpp"

namespace lesson6 {
namespace {

// What one variant costs.
struct Cost {
  std::size_t parameters, for_backward, for_writing;  // the latter in bytes
};

constexpr std::size_t width = 512, heads = 8, head_width = width / heads, tokens = 64;

Cost cost_of(Gate gate, const Sequences<float>& X) {
  const GatedAttention<float> layer({gate, width, heads});
  GatedAttention<float>::Trace t;
  layer.forward(X, t);
  const LanguageModel<float> model(
      {.vocab = 2, .context = tokens, .transformer = {gate, 1, heads, width}, .tied = true});
  return {parameters_of(layer), bytes_of(t), Writer<float>(model).bytes_kept()};
}

}  // namespace

void part3(Lesson& lesson, Session&) {
  lesson.say("What does a gate cost? Width ", width, ", ", heads, " heads; kept for ", tokens, " tokens:");
  Random random(lesson.options().seed);
  const Sequences<float> X{normal_matrix<float>(tokens, width, 1, random), {tokens}};
  std::array<Cost, all_gates.size()> costs;
  for (const Gate gate : all_gates) costs[std::size_t(gate)] = cost_of(gate, X);
  const auto of = [&](Gate gate) { return costs[std::size_t(gate)]; };
  const Cost plain = of(Gate::standard);
  const auto more = [&](Gate gate) { return double(of(gate).parameters - plain.parameters); };
  lesson.predict("How many times the further parameters of bma does post need? (The write-up: four times.)",
                 more(Gate::post) / more(Gate::bma));
  Table table{{"attention", "parameters", "more", "kept for backward", "kept for writing"}, {}};
  std::size_t most_kept = 0;
  for (const Gate gate : all_gates) {
    most_kept = std::max(most_kept, of(gate).for_writing);
    table.rows.push_back({name_of(gate), std::to_string(of(gate).parameters), fixed(more(gate), 0),
                          kilobytes(of(gate).for_backward), kilobytes(of(gate).for_writing)});
  }
  lesson.show(table);
  lesson.claim("bma: H·dh² numbers more", more(Gate::bma), exactly(heads * head_width * head_width));
  lesson.claim("post: d² + d numbers more", more(Gate::post), exactly(width * width + width));
  lesson.claim("without the biases the ratio of the two is the number of heads",
               (more(Gate::post) - width) / more(Gate::bma), exactly(heads));
  lesson.claim("kept for backward, bma: for each number of a token two more, its gate and its gated value",
               double(of(Gate::bma).for_backward - plain.for_backward) / sizeof(float), exactly(2 * tokens * width));
  lesson.claim("kept for writing, the most of the five: for each number of a token two, in its key and its value",
               double(most_kept) / sizeof(float), exactly(2 * tokens * width));
}

}  // namespace lesson6
