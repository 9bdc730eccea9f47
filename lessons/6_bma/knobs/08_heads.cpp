// Lesson 6, part 8: which window, layer and head is shown can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/parts.hpp"
#include "lessons/6_bma/knobs/small_model.hpp"

namespace lesson6 {
namespace {

constexpr knob::Whole from{"from", "where in the held-out text the window begins", 0, {0, 5000, 1}};
constexpr knob::Whole head{"h", "the head; past the last they begin anew", 0, {0, 15, 1}};
constexpr knob::Whole layer{"block", "the layer; past the last they begin anew", 0, {0, 3, 1}};
constexpr knob::Choice gate{"gate", "the variant", {"bma", "standard", "half", "attending", "post"}};
constexpr knob::Whole updates{"updates", "training steps of the model that is shown", 300, {0, 600, 20}};

plot::HeatMap map_of(const Matrix<float>& A, std::size_t top, const std::vector<std::string>& labels) {
  plot::HeatMap map{.rows = labels.size(), .cols = labels.size()};
  map.row_labels = map.col_labels = labels;
  map.low = 0;
  map.high = 0.5;  // the first rows have few to share with and would outshine all others
  for (std::size_t i = 0; i < map.rows; ++i)
    for (std::size_t j = 0; j < map.cols; ++j) map.values.push_back(double(A(top + i, j)));
  return map;
}

void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const long steps = long(std::min(at[updates], lesson.options().quick_or<std::size_t>(20, at[updates])));
  const Run run = small_model(session, gate_named(at.name_of(gate)), steps);
  const TransformerForm& form = run.model.form.transformer;
  const std::size_t tokens = run.model.form.context, h = at[head] % form.heads, l = at[layer] % form.layers;
  const Symbols window = held_out_window(session, at[from], tokens);
  LanguageModel<float>::Trace t;
  run.model.forward({window, window.size()}, t);
  const Matrix<float>& A = t.transformer.blocks[l].attention.A;
  std::vector<std::string> labels;
  for (const std::uint32_t symbol : window.first(std::min<std::size_t>(window.size(), 24)))
    labels.push_back(letter_of(session, symbol));
  plot::HeatMap map = map_of(A, h * window.size(), labels);
  map.title = join("Layer ", l, ", head ", h, ": rows attend to columns");
  lesson.picture("turned_heads", map);
  double off = 0, first = 0, even = 0, spread = 0;
  for (std::size_t i = 0; i < window.size(); ++i) {
    const std::span<const float> row = A.row(h * window.size() + i);
    double sum = -1, entropy = 0;
    for (const float a : row) {
      sum += double(a);
      if (a > 0) entropy -= double(a) * std::log(double(a));
    }
    off = std::max(off, std::abs(sum));
    first += double(row[0]) / double(window.size());
    even += 1 / double(i + 1) / double(window.size());
    spread += std::exp(entropy) / double(window.size());
  }
  lesson.say("The ", name_of(form.gate), " model: this head gives the first token ", fixed(first, 3),
             " of its weight, where an even share would be ", fixed(even, 3), ", and spreads a row over ",
             fixed(spread, 1), " tokens (e to the entropy, mean over rows).");
  lesson.claim("each row sums to 1, off by", off, at_most(1e-5));  // a float rounding for each of some dozen terms
}

}  // namespace

Bench<Session> bench8() {
  return {"What does each head look at, in which text?", {&from, &head, &layer, &gate, &updates}, run};
}

}  // namespace lesson6
