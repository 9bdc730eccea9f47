// Lesson 6, part 8: what the heads do: attention maps, gates, and the share of the first token. Its mean and deviation
// in the claim are of 21 runs, those of --seed 1 to 7.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
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

// The symbols of the first held-out window as labels, a letter each where that can be: spaces and ends of lines, too.
std::vector<std::string> labels_of(const Corpus& corpus, std::size_t tokens) {
  std::vector<std::string> labels;
  for (const std::uint32_t symbol : Symbols(corpus.text).subspan(corpus.train_end(), tokens))
    labels.push_back(corpus.vocabulary.label(symbol));
  return labels;
}

// All heads of a layer, two side by side, on the first tokens of the window, as many as can be read.
plot::HeatMap attention_maps(const OneWindow& w, std::size_t layer, const std::vector<std::string>& labels) {
  const std::size_t shown = std::min<std::size_t>(w.tokens, 20), pitch = shown + 1;
  const std::size_t across = std::min<std::size_t>(w.heads, 2), down = (w.heads + across - 1) / across;
  plot::HeatMap map{.title = join("Layer ", layer, ", heads 0 to ", w.heads - 1, ": rows attend to columns")};
  map.rows = down * pitch - 1;
  map.cols = across * pitch - 1;
  map.values.assign(map.rows * map.cols, 0);
  map.low = 0;
  map.high = 0.5;  // the first rows have few to share with and would outshine all others
  const auto label = [&](std::size_t k) { return k % pitch < shown ? labels[k % pitch] : ""; };
  for (std::size_t i = 0; i < map.rows; ++i) map.row_labels.push_back(label(i));
  for (std::size_t j = 0; j < map.cols; ++j) map.col_labels.push_back(label(j));
  for (std::size_t h = 0; h < w.heads; ++h)
    for (std::size_t i = 0; i < shown; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        map.values[(h / across * pitch + i) * map.cols + h % across * pitch + j] =
            double(w.attention(layer).A(h * w.tokens + i, j));
  return map;
}

// The head whose weights change most from the first look to the last.
std::size_t liveliest(const std::vector<AttentionAfter>& looks, std::size_t heads) {
  const std::size_t tokens = looks[0].A.cols();
  std::vector<double> changes(heads);
  for (std::size_t i = 0; i < looks[0].A.rows(); ++i)
    for (std::size_t j = 0; j < tokens; ++j)
      changes[i / tokens] += std::abs(double(looks.back().A(i, j)) - double(looks[0].A(i, j)));
  return std::size_t(std::max_element(changes.begin(), changes.end()) - changes.begin());
}

// One head on the first tokens of the window while the first run of bma is trained.
plot::Film<plot::HeatMap> film_of_attention(const Outcome& watched, const std::vector<std::string>& labels) {
  const std::vector<AttentionAfter>& looks = watched.attention;
  const std::size_t head = liveliest(looks, watched.run.recipe.form.transformer.heads), tokens = looks[0].A.cols();
  const std::size_t shown = std::min<std::size_t>(tokens, 32);
  plot::Film<plot::HeatMap> film{.parameter = "steps"};
  for (const auto& [step, A] : looks) {
    plot::HeatMap map{.title = join("bma, layer 0, head ", head, ", after ", step, " steps: rows attend to columns"),
                      .rows = shown,
                      .cols = shown};
    map.low = 0;
    map.high = 0.5;
    map.row_labels = map.col_labels = {labels.begin(), labels.begin() + std::ptrdiff_t(shown)};
    for (std::size_t i = 0; i < shown; ++i)
      for (std::size_t j = 0; j < shown; ++j) map.values.push_back(double(A(head * tokens + i, j)));
    film.add(std::to_string(step), map);
  }
  return film;
}

// The mean of each gate number over the window's tokens: a row for each head, a column for each number of the head.
plot::HeatMap gate_map(const OneWindow& w, std::size_t layer) {
  const Matrix<float>& G = w.attention(layer).G;
  plot::HeatMap map;
  map.title = join("Mean gate - ½, layer ", layer, ": heads by numbers");
  map.diverging = true;
  map.rows = w.heads;
  map.cols = G.cols() / w.heads;
  map.numbers = map.rows <= 8 && map.cols <= 8;
  const Matrix<float> sums = column_sums(G);
  for (const float sum : sums.values())  // in thousandths, for the numbers
    map.values.push_back(std::round(1e3 * (double(sum) / double(w.tokens) - 0.5)) / 1e3);
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
  Table table{{"attention", "share of the first token, over seeds"}, {}};
  std::string told;
  double most = 0;
  for (std::size_t g = 0; g < c.gates.size(); ++g) {
    std::vector<double> found;
    for (const Outcome& o : c.outcomes[g]) found.push_back(first_token_share(o.run.model, session.corpus));
    const Spread s = spread_of(found);
    most = std::max(most, s.mean);
    table.rows.push_back({name_of(c.gates[g]), s.text(3)});
    told += join(told.empty() ? " " : ", ", name_of(c.gates[g]), " ", fixed(s.mean, 3));
  }
  lesson.say("How much attention goes to the first token? An even share would be ", fixed(even, 3), "; here it is",
             told, ".");
  lesson.detail(table);
  lesson.claim_trained("the largest of the five, over an even share", most / even,
                       near_mean(0.715, 0.052, c.outcomes[0].size()));
}

void show_gates(Lesson& lesson, const OneWindow& window) {
  Table table{{"layer, head", "gate, mean ± standard deviation over tokens and numbers"}, {}};
  std::vector<double> means;
  double widest = 0;
  for (std::size_t layer = 0; layer < window.layers; ++layer) {
    lesson.figure(join("gates", layer), gate_map(window, layer));
    const std::vector<Spread> gates = gates_of_heads(window, layer);
    for (std::size_t h = 0; h < gates.size(); ++h) {
      table.rows.push_back({join(layer, ", ", h), gates[h].text(3)});
      means.push_back(gates[h].mean);
      widest = std::max(widest, gates[h].deviation);
    }
  }
  const auto [least, most] = std::minmax_element(means.begin(), means.end());
  lesson.say("Do the gates leave ½? The means of the heads are ", fixed(*least, 3), " to ", fixed(*most, 3),
             ", and inside a head gates differ by up to ", fixed(widest, 3), ".");
  lesson.detail(table);
  lesson.claim_trained("the gates have left ½: largest standard deviation in a head", widest,
                       near_mean(0.09, 0.015, 1));
}

}  // namespace

void part8(Lesson& lesson, Session& session) {
  const Run& run = session.shown();
  const OneWindow window(run.model, session.corpus);
  const std::vector<std::string> labels = labels_of(session.corpus, window.tokens);
  lesson.note("The ", name_of(run.model.form.transformer.gate),
              " model on one window of text that it was not trained on; ␣ is a space, ↵ the end of a line.");
  for (std::size_t layer = 0; layer < window.layers; ++layer)
    lesson.figure(layer == 0 ? "attention" : join("attention", layer), attention_maps(window, layer, labels));
  const Outcome& watched = session.comparison().outcomes[std::size_t(Gate::bma)][0];
  if (watched.run.recipe.form.context <= window.tokens) lesson.film("learning", film_of_attention(watched, labels));
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
