// Lesson 6, part 7: what the heads do: attention maps, gates, and the share of the first token; which window, layer and
// head is shown can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "lessons/6_bma/lesson.hpp"

namespace lesson6 {

static constexpr knob::Whole from{"from", "where in the held-out text the window begins", 0, {0, 5000, 1}};
static constexpr knob::Whole head{"h", "the head; past the last they begin anew", 0, {0, 15, 1}};
static constexpr knob::Whole layer{"block", "the layer; past the last they begin anew", 0, {0, 3, 1}};
static constexpr knob::Choice gate_knob{"gate", "the variant", gate_names, std::size_t(Gate::bma)};
static constexpr knob::Whole steps{"steps", "training steps of the model that is shown", 300, {20, 600, 20}};

// The heads of a layer that are named, two side by side, on the first tokens of a window, as many as can be read.
static plot::HeatMap map_of(const std::string& title, const Matrix<float>& A, const std::vector<std::size_t>& heads,
                            const std::vector<std::string>& labels) {
  const std::size_t tokens = A.cols(), shown = std::min(labels.size(), tokens), pitch = shown + 1;
  const std::size_t across = std::min<std::size_t>(heads.size(), 2), down = (heads.size() + across - 1) / across;
  plot::HeatMap map{.title = title + ": rows attend to columns"};
  map.rows = down * pitch - 1;
  map.cols = across * pitch - 1;
  map.values.assign(map.rows * map.cols, 0);
  map.low = 0;
  map.high = 0.5;  // the first rows have few to share with and would outshine all others
  const auto label = [&](std::size_t k) { return k % pitch < shown ? labels[k % pitch] : ""; };
  for (std::size_t i = 0; i < map.rows; ++i) map.row_labels.push_back(label(i));
  for (std::size_t j = 0; j < map.cols; ++j) map.col_labels.push_back(label(j));
  for (std::size_t h = 0; h < heads.size(); ++h)
    for (std::size_t i = 0; i < shown; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        map.values[(h / across * pitch + i) * map.cols + h % across * pitch + j] = double(A(heads[h] * tokens + i, j));
  return map;
}

// The symbols of a window as labels, a letter each where that can be: spaces and ends of lines, too.
static std::vector<std::string> labels_of(const Session& session, Symbols window) {
  std::vector<std::string> labels;
  for (const std::uint32_t symbol : window) labels.push_back(session.corpus.vocabulary.label(symbol));
  return labels;
}

// Claims that each row of weights is one, but for a float rounding of each of some dozen terms.
static void claim_sums(Lesson& lesson, const Matrix<float>& A) {
  double off = 0;
  for (std::size_t i = 0; i < A.rows(); ++i) {
    double sum = -1;
    for (const float a : A.row(i)) sum += double(a);
    off = std::max(off, std::abs(sum));
  }
  lesson.claim("each row sums to 1, off by", off, at_most(1e-5));
}

// How far do the gates of a layer go from ½?
static void say_gates(Lesson& lesson, const Matrix<float>& G, std::size_t heads) {
  std::string means;
  double widest = 0;
  for (std::size_t h = 0; h < heads; ++h) {
    std::vector<double> gates;
    for (std::size_t i = 0; i < G.rows(); ++i)
      for (const float g : G.row(i).subspan(h * G.cols() / heads, G.cols() / heads)) gates.push_back(double(g));
    const Spread s = spread_of(gates);
    means += (h == 0 ? "" : ", ") + fixed(s.mean, 3);
    widest = std::max(widest, s.deviation);
  }
  lesson.say("The gates of the heads have the means ", means, "; inside a head they deviate by up to ",
             fixed(widest, 3), ".");
  // They start with a deviation of some thousandths.
  lesson.claim_trained("the gates have left ½: largest standard deviation in a head", widest, at_least(0.02));
}

static double even_share(std::size_t tokens) {
  double even = 0;
  for (std::size_t i = 1; i <= tokens; ++i) even += 1 / double(i) / double(tokens);
  return even;
}

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  const Run& shown = session.shown();
  const TransformerForm& form = shown.recipe.form.transformer;
  const Symbols window = session.window(0, shown.model.form.context);
  LanguageModel<float>::Trace t;
  shown.model.forward({window, window.size()}, t);
  const std::vector<std::string> labels = labels_of(session, window);
  lesson.note("The ", name_of(form.gate),
              " model on one window of text that it was not trained on; ␣ is a space, ↵ the end of a line.");
  std::vector<std::size_t> heads(form.heads);
  std::iota(heads.begin(), heads.end(), std::size_t(0));
  const auto& attention = t.transformer.blocks[0].attention;
  const std::size_t some = std::min<std::size_t>(labels.size(), 20);
  lesson.figure("attention", map_of(join("Layer 0, heads 0 to ", form.heads - 1), attention.A, heads,
                                    {labels.begin(), labels.begin() + std::ptrdiff_t(some)}));
  claim_sums(lesson, attention.A);
  if (attention.G.size() > 0) say_gates(lesson, attention.G, form.heads);
}

// One head of a model that is trained while one waits.
static void scene(Lesson& lesson, Session& session, const knob::Settings& at) {
  const long count = long(std::min(at[steps], lesson.options().quick_or<std::size_t>(20, at[steps])));
  const Run shown = session.small_model(Gate(at[gate_knob]), count);
  const TransformerForm& form = shown.model.form.transformer;
  const std::size_t h = at[head] % form.heads, l = at[layer] % form.layers;
  const Symbols window = session.window(at[from], shown.model.form.context);
  LanguageModel<float>::Trace t;
  shown.model.forward({window, window.size()}, t);
  const Matrix<float>& A = t.transformer.blocks[l].attention.A;
  lesson.picture("head", map_of(join("Layer ", l, ", head ", h), A, {h},
                                labels_of(session, window.first(std::min<std::size_t>(window.size(), 24)))));
  double first = 0, spread = 0;
  for (std::size_t i = 0; i < window.size(); ++i) {
    const std::span<const float> row = A.row(h * window.size() + i);
    double entropy = 0;
    for (const float a : row)
      if (a > 0) entropy -= double(a) * std::log(double(a));
    first += double(row[0]) / double(window.size());
    spread += std::exp(entropy) / double(window.size());
  }
  lesson.say("The ", name_of(form.gate), " model: this head gives the first token ", fixed(first, 3),
             " of its weight, where an even share would be ", fixed(even_share(window.size()), 3),
             ", and spreads a row over ", fixed(spread, 1), " tokens (e to the entropy, mean over rows).");
  claim_sums(lesson, A);
}

extern const Part<Session> part7(7, "What the heads do", run, "What does each head look at, in which text?",
                                 {&from, &head, &layer, &gate_knob, &steps}, scene);

}  // namespace lesson6
