// Lesson 6, part 5: the gradient check of a whole transformer, at sizes that can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/loss.hpp"
#include "common/support/parts.hpp"
#include "lessons/6_bma/model/9_small_case.hpp"
#include "lessons/6_bma/run/session.hpp"
#include "lessons/6_bma/run/start.hpp"

namespace lesson6 {
namespace {

constexpr knob::Choice gate{"gate", "the variant", {"bma", "standard", "half", "attending", "post"}};
constexpr knob::Whole depth{"depth", "blocks", 1, {1, 2, 1}};
constexpr knob::Whole heads{"h", "heads", 2, {1, 3, 1}};
constexpr knob::Whole head_width{"dh", "numbers of a head; the width is h·dh", 3, {3, 5, 1}};
constexpr knob::Whole tokens{"n", "tokens of each of two sequences", 4, {1, 6, 1}};
constexpr knob::Real drop{"drop", "dropout", 0, {0, 0.5, 0.05}};

constexpr std::size_t vocab = 5;

GradientReport check(const knob::Settings& at, std::size_t length, std::uint64_t seed) {
  LanguageForm form{.vocab = vocab, .context = length, .transformer = {}};
  form.transformer = {.gate = gate_named(at.name_of(gate)), .layers = at[depth], .heads = at[heads]};
  form.transformer.width = at[heads] * at[head_width];
  form.transformer.dropout = at[drop];
  LanguageModel<double> model(form);
  draw_start(model.tensors(), {1, 0, 1, 0.5}, 1, seed_of_run(seed, 505));
  Random random(seed, 505);
  for (const auto& [name, tensor] : model.tensors())  // gains, shifts and biases off 1 and 0, where terms would hide
    if (tensor.rows() == 1) tensor += normal_matrix<double>(1, tensor.cols(), 0.2, random);
  std::vector<std::uint32_t> inputs, targets;
  for (std::size_t i = 0; i < 2 * length; ++i) {
    inputs.push_back(std::uint32_t(random.below(vocab)));
    targets.push_back(std::uint32_t(random.below(vocab)));
  }
  const Texts texts{inputs, length, Random(9)};
  return without_key_biases(
      check_model(model, texts, [&](const Matrix<double>& Y) { return softmax_cross_entropy<double>(Y, targets); }));
}

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const GradientReport report =
      check(at, lesson.options().quick_or(std::min<std::size_t>(2, at[tokens]), at[tokens]), lesson.options().seed);
  plot::Chart chart{.title = "Worst relative error of each tensor, from the embedding to the read-out"};
  chart.x = {.title = "tensor", .low = 0, .high = 42};
  chart.y = {.title = "relative error (logarithmic)", .log = true, .low = 1e-13, .high = 1};
  chart.levels = {{"allowed", 1e-6}};
  plot::Series errors{.name = "worst entry", .points = true};
  double worst = 0, entries = 0;
  std::string at_tensor;
  for (const GradientRow& row : report.rows) {
    errors.add(double(errors.x.size() + 1), std::max(row.worst, 1e-13));
    entries += double(row.shape.rows * row.shape.cols);
    if (row.worst >= worst) at_tensor = row.name;
    worst = std::max(worst, row.worst);
  }
  chart.series = {errors};
  lesson.picture("turned_check", chart);
  lesson.say(report.rows.size(), " tensors, ", fixed(entries, 0), " entries; the worst lies in ", at_tensor, ": ",
             significant(worst, 2), ". The keys' biases are left out, since their gradient is 0.");
  // As in part 5.
  lesson.claim("every gradient entry", worst, at_most(1e-6));
}

}  // namespace

Bench<Session> bench5() {
  return {"Are the gradients right at every size, and with dropout?",
          {&gate, &depth, &heads, &head_width, &tokens, &drop},
          run};
}

}  // namespace lesson6
