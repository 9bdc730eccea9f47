// Lesson 6, part 4: the transformer around the attention, checked as a whole, at sizes that can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "lessons/6_bma/lesson.hpp"

namespace lesson6 {

static constexpr knob::Choice gate{"gate", "the variant", gate_names, std::size_t(Gate::bma)};
static constexpr knob::Whole depth{"depth", "blocks", 2, {1, 2, 1}};
static constexpr knob::Whole heads{"h", "heads", 2, {1, 3, 1}};
static constexpr knob::Whole head_width{"m", "numbers of a head; the width is h·m", 3, {3, 5, 1}};
static constexpr knob::Whole tokens{"n", "tokens of each of three sequences", 4, {1, 6, 1}};
static constexpr knob::Real drop{"drop", "dropout", 0, {0, 0.5, 0.05}};

// A smooth numeric slope leaves some 1e-8, but in a whole transformer there are entries whose slope is small beside
// those of other entries, and the h⁴ term is not: ten times what a layer is held to.
static constexpr double tolerance = 1e-6;

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const std::uint64_t seed = lesson.options().seed;
  const std::size_t length = lesson.options().quick_or(std::min<std::size_t>(2, at[tokens]), at[tokens]);
  TransformerForm form{.gate = Gate(at[gate]), .layers = at[depth], .heads = at[heads]};
  form.width = at[heads] * at[head_width];
  form.dropout = at[drop];
  SmallModel small({7, length + 1, form}, 3, length, seed);
  Texts texts = small.texts();
  const GradientReport report = without_key_biases(check_model(small.model, texts, small.loss));
  lesson.say("Is every gradient right, from the embedding to the read-out? ", parameters_of(small.model),
             " numbers; the worst relative error is ", significant(report.worst(), 2),
             ". The keys' biases are left out, since their gradient is 0.");
  lesson.claim("every gradient of the whole model: worst relative error", report.worst(), at_most(tolerance));
}

extern const Part<Session> part4{.number = 4,
                                 .title = "The transformer",
                                 .run = run,
                                 .question = "Are the gradients right at every size, and with dropout?",
                                 .knobs = {&gate, &depth, &heads, &head_width, &tokens, &drop}};

}  // namespace lesson6
