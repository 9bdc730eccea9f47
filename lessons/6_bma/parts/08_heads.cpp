// Lesson 6, part 8: what the heads do: attention maps, gates, and the share of the first token. Its mean and deviation
// in the claim are of 21 runs, those of --seed 1 to 7.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/6_bma/run/bounds.hpp"
#include "lessons/6_bma/run/session.hpp"

namespace lesson6 {
namespace {

// A model on one window of the held-out text.
struct OneWindow {
  LanguageModel<float>::Trace t;
  std::size_t heads, layers, tokens;

  OneWindow(const LanguageModel<float>& model, const Corpus& corpus)
      : heads(model.form.transformer.heads), layers(model.form.transformer.layers), tokens(model.form.context) {
    model.forward({Symbols(corpus.text).subspan(corpus.train_end(), tokens), tokens}, t);
  }

  const GatedAttention<float>::Trace& attention(std::size_t layer) const {
    return t.transformer.blocks[layer].attention;
  }
};

plot::Sheet attention_maps(const OneWindow& w) {
  plot::Sheet sheet;
  sheet.title = "Attention weights: rows attend, columns are attended to";
  sheet.rows = sheet.cols = w.tokens;
  sheet.low = 0;
  sheet.high = 0.5;  // the first rows have few to share with and would outshine all others
  sheet.per_row = std::min<std::size_t>(w.heads, 4);
  for (std::size_t layer = 0; layer < w.layers; ++layer)
    for (std::size_t h = 0; h < w.heads; ++h) {
      plot::Image image{join("layer ", layer, ", head ", h), {}};
      for (std::size_t i = 0; i < w.tokens; ++i)
        for (const float a : w.attention(layer).A.row(h * w.tokens + i)) image.values.push_back(double(a));
      sheet.images.push_back(image);
    }
  return sheet;
}

// The mean of each gate number over the window's tokens: a row for each head, a column for each number of the head.
plot::HeatMap gate_map(const OneWindow& w, std::size_t layer) {
  const Matrix<float>& G = w.attention(layer).G;
  plot::HeatMap map;
  map.title = join("Mean gate - ½, layer ", layer, ": heads by numbers");
  map.diverging = true;
  map.rows = w.heads;
  map.cols = G.cols() / w.heads;
  const Matrix<float> sums = column_sums(G);
  for (const float sum : sums.values()) map.values.push_back(double(sum) / double(w.tokens) - 0.5);
  for (std::size_t h = 0; h < w.heads; ++h) map.row_labels.push_back(join("head ", h));
  return map;
}

// Of each head: mean and deviation of its gates over tokens and numbers.
std::vector<Spread> gates_of_heads(const OneWindow& w, std::size_t layer) {
  const Matrix<float>& G = w.attention(layer).G;
  const std::size_t width = G.cols() / w.heads;
  std::vector<Spread> found;
  for (std::size_t h = 0; h < w.heads; ++h) {
    std::vector<double> gates;
    for (std::size_t i = 0; i < G.rows(); ++i)
      for (const float g : G.row(i).subspan(h * width, width)) gates.push_back(double(g));
    found.push_back(spread_of(gates));
  }
  return found;
}

// The share of attention that goes to the first token, mean over windows of the held-out text, layers, heads and rows.
double first_token_share(const LanguageModel<float>& model, const Corpus& corpus) {
  const std::size_t tokens = model.form.context;
  const std::size_t windows = std::min<std::size_t>(32, (corpus.text.size() - corpus.train_end()) / tokens);
  LanguageModel<float>::Trace t;
  model.forward({Symbols(corpus.text).subspan(corpus.train_end(), windows * tokens), tokens}, t);
  double sum = 0, rows = 0;
  for (const auto& block : t.transformer.blocks)
    for (std::size_t i = 0; i < block.attention.A.rows(); ++i) {
      sum += double(block.attention.A.row(i)[0]);
      ++rows;
    }
  return sum / rows;
}

void shares(Lesson& lesson, Session& session) {
  const Compared& c = session.comparison();
  const std::size_t tokens = c.outcomes[0][0].run.recipe.form.context;
  double even = 0;
  for (std::size_t i = 1; i <= tokens; ++i) even += 1 / double(i) / double(tokens);
  lesson.say(
      "How much attention goes to the first token? If each row shared it out evenly, the mean of 1, 1/2, ..., 1/",
      tokens, ": ", fixed(even, 3),
      ". "
      "In large models it is far more, .467 in one, and the paper on gated attention (NeurIPS 2025) "
      "finds .048 with a gate behind the attention. Here:");
  Table table{{"attention", "share of the first token, over seeds"}, {}};
  double most = 0;
  for (std::size_t g = 0; g < c.gates.size(); ++g) {
    std::vector<double> found;
    for (const Outcome& o : c.outcomes[g]) found.push_back(first_token_share(o.run.model, session.corpus));
    const Spread s = spread_of(found);
    most = std::max(most, s.mean);
    table.rows.push_back({name_of(c.gates[g]), s.text(3)});
  }
  lesson.show(table);
  lesson.claim_trained("the largest of the five, over an even share", most / even,
                       near_mean(0.715, 0.052, c.outcomes[0].size()));
  lesson.say("No such sink forms in a model of this size; what a gate does about it cannot be seen here.");
}

void show_gates(Lesson& lesson, const OneWindow& window) {
  lesson.say("And each head has its gates: σ of the token's own query for bma.");
  Table table{{"layer, head", "gate, mean ± deviation over tokens and numbers"}, {}};
  double widest = 0;
  for (std::size_t layer = 0; layer < window.layers; ++layer) {
    lesson.picture(join("gates", layer), gate_map(window, layer));
    const std::vector<Spread> gates = gates_of_heads(window, layer);
    for (std::size_t h = 0; h < gates.size(); ++h) {
      table.rows.push_back({join(layer, ", ", h), gates[h].text(3)});
      widest = std::max(widest, gates[h].deviation);
    }
  }
  lesson.show(table);
  lesson.claim_trained("the gates have left ½: largest deviation in a head", widest, near_mean(0.09, 0.015, 1));
  lesson.say(
      "They do move, and the model is hardly the better for it (part 6): "
      "what a parameter does and whether it helps are two questions.");
}

}  // namespace

void part8(Lesson& lesson, Session& session) {
  const Run& run = session.shown();
  const OneWindow window(run.model, session.corpus);
  lesson.say("The ", name_of(run.model.form.transformer.gate),
             " model on one window of text that it was not trained on. Each head has a map of who attends to whom.");
  lesson.picture("attention", attention_maps(window));
  double off = 0;
  for (std::size_t i = 0; i < window.attention(0).A.rows(); ++i) {
    double sum = -1;
    for (const float a : window.attention(0).A.row(i)) sum += double(a);
    off = std::max(off, std::abs(sum));
  }
  lesson.claim("each row sums to 1, off by", off, at_most(1e-5));  // a float rounding for each of some dozen terms
  if (window.attention(0).G.size() > 0) show_gates(lesson, window);
  shares(lesson, session);
}

}  // namespace lesson6
