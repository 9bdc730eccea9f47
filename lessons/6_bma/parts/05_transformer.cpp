// Lesson 6, part 5: the transformer around the attention, checked as a whole, at sizes that can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "lessons/6_bma/lesson.hpp"

namespace lesson6 {

static constexpr knob::Choice gate{"gate", "the variant", gate_names, std::size_t(Gate::bma)};
static constexpr knob::Whole depth{"depth", "blocks", 2, {1, 2, 1}};
static constexpr knob::Whole heads{"h", "heads", 2, {1, 3, 1}};
static constexpr knob::Whole head_width{"dh", "numbers of a head; the width is h·dh", 3, {3, 5, 1}};
static constexpr knob::Whole tokens{"n", "tokens of each of three sequences", 4, {1, 6, 1}};
static constexpr knob::Real drop{"drop", "dropout", 0, {0, 0.5, 0.05}};

// Draws one block: the residual stream on the left, its two branches on the right.
static plot::Diagram diagram_of_block() {
  using enum plot::Box::Kind;
  plot::Diagram d{.title = "A transformer block: two branches add to the residual stream"};
  d.boxes = {{"X", 0, 0, alone},
             {"norm 1", 1, 0.8, computed, "each row"},
             {"attention", 1, 2.1, computed, "tokens meet"},
             {"sum 1", 0, 2.9, computed, "+"},
             {"norm 2", 1, 3.7, computed, "each row"},
             {"feed-forward", 1, 5, computed, "d → 4d → d"},
             {"sum 2", 0, 5.8, computed, "+"},
             {"next block", 0, 7, alone}};
  d.arrows = {{"X", "sum 1", "n × d"},
              {"X", "norm 1"},
              {"norm 1", "attention", "n × d"},
              {"attention", "sum 1"},
              {"sum 1", "sum 2", "n × d"},
              {"sum 1", "norm 2"},
              {"norm 2", "feed-forward", "n × d"},
              {"feed-forward", "sum 2"},
              {"sum 2", "next block", "n × d"}};
  return d;
}

// A smooth numeric slope leaves some 1e-8, but in a whole transformer there are entries whose slope is small beside
// those of other entries, and the h⁴ term is not: ten times what a layer is held to.
static constexpr double tolerance = 1e-6;

// With the start of part 6 the logits are small and the loss is ln vocab up to half their variance.
static void first_loss(Lesson& lesson) {
  LanguageModel<double> start({65, 32, {Gate::standard, 1, 4, 32}});
  draw_start(start.tensors(), Start(), 1, lesson.options().seed);
  Random random(lesson.options().seed, 4);
  std::vector<std::uint32_t> inputs(64 * 32), targets(64 * 32);
  for (std::vector<std::uint32_t>* symbols : {&inputs, &targets})
    for (std::uint32_t& symbol : *symbols) symbol = std::uint32_t(random.below(65));
  const Matrix<double> logits = output(start, Texts{inputs, 32});
  const double variance = mean_square(logits), expected = std::log(65.0) + variance / 2;
  const double loss = softmax_cross_entropy<double>(logits, targets).value;
  lesson.say("What is the loss before training? For 65 symbols ln 65, and half the variance of the logits, ",
             fixed(variance, 3), ", which makes ", fixed(expected, 3), "; it is ", fixed(loss, 3), ".");
  // 2,048 targets, logits of deviation ½: ½/√2048 = .011; the terms behind half the variance are some thousandths.
  lesson.claim("loss - (ln 65 + variance/2)", loss - expected, within(0, spreads * 0.011 + 0.01));
}

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const std::uint64_t seed = lesson.options().seed;
  lesson.figure("block", diagram_of_block());
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
  lesson.claim_gradients("the whole model", report, tolerance);
  if (lesson.options().settings.turned()) return;
  first_loss(lesson);
}

extern const Part<Session> part5{.number = 5,
                                 .title = "The transformer",
                                 .run = run,
                                 .question = "Are the gradients right at every size, and with dropout?",
                                 .knobs = {&gate, &depth, &heads, &head_width, &tokens, &drop}};

}  // namespace lesson6
