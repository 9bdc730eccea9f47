// Part 2: two identities that decide what a gate can do; causality; gradients.
// SPDX-License-Identifier: MIT
#include "common/frame/plot/scene.hpp"
#include "lessons/6_bma/lesson.hpp"

namespace lesson6::p2 {

constexpr knob::Numbers gates{"g",
                              "the gates of tokens 0 to 3",
                              {0.9, 0.1, 0.5, 0.5},
                              {0, 1, 0.05},
                              {"token 0", "token 1", "token 2", "token 3"}};
constexpr knob::Real times{
    "scale", "what multiplies the scores; at 0 all weights are even", 1, {0, 10, 0.1}};

using plot::Scene, plot::Spot, plot::Tone, plot::Type;

constexpr double side = 44;  // of a cell
constexpr Type gate_words{.tone = Tone::gate, .anchor = "start"},
    soft_words{.tone = Tone::soft, .anchor = "start"},
    strong_words{.anchor = "start", .strong = true};

// One of two panels: the weights of four tokens, and how much of each its gate lets pass.
struct Panel {
  Spot corner;
  bool of_read;  // a gate on each column, else on each row
  const Matrix<double>& A;
  const std::vector<double>& g;

  Spot cell(std::size_t i, std::size_t j) const {
    return {corner.x + side * double(j), corner.y + side * double(i)};
  }
};

static void draw_weight(Scene& scene, const Panel& panel, std::size_t i, std::size_t j) {
  const auto [x, y] = panel.cell(i, j);
  const double gate = panel.g[panel.of_read ? j : i], weight = panel.A(i, j), most = side - 8;
  scene.cell({.corner = {x, y}, .size = {side, side}});
  scene.text({x + side / 2, y + 19}, plot::short_number(std::round(100 * weight * gate) / 100));
  scene.bar({x + 4, y + side - 18}, {most * weight * gate, 13}, Tone::gate);
  scene.frame({x + 4, y + side - 18}, {std::max(1.2, most * weight), 13}, {Tone::value, 1.5});
}

static void draw_gate(Scene& scene, const Panel& panel, std::size_t k) {
  const auto [x, y] = panel.cell(k, k);
  const Spot above{x + 2, panel.corner.y - 33}, beside{panel.corner.x + 4 * side + 5, y + 9};
  scene.cell({.corner = panel.of_read ? above : beside,
              .size = {panel.of_read ? side - 4 : 36, 26},
              .words = plot::short_number(panel.g[k]),
              .fill = plot::Fill::gate,
              .round = 9,
              .type = {.strong = true}});
}

// Marks the token whose gate is lowest, where one is.
static void draw_lowest(Scene& scene, const Panel& panel) {
  const auto& g = panel.g;
  const auto [least, most] = std::minmax_element(g.begin(), g.end());
  if (*least == *most) return;
  const auto token = std::size_t(least - g.begin());
  const auto [x, y] = panel.cell(token, token);
  if (panel.of_read) scene.band({x, panel.corner.y - 37}, {side, 4 * side + 37}, Tone::gate);
  else scene.band({panel.corner.x, y}, {4 * side + 45, side}, Tone::gate);
  const std::string much = *least <= 0.2 ? "hardly" : "least";
  if (!panel.of_read) {  // in two lines beside the first cell, above the band
    const std::string lines[] = {join("token ", token), much + " hears"};
    for (std::size_t k = 0; k < 2; ++k)
      scene.text({panel.corner.x + side + 8, panel.corner.y + 17 + 19 * double(k)}, lines[k],
                 gate_words);
    return;
  }
  const std::string lines[] = {join("token ", token), "is " + much, "heard"};
  for (std::size_t k = 0; k < 3; ++k)
    scene.text({panel.corner.x + 2 * side + 8, panel.corner.y + 24 + 19 * double(k)}, lines[k],
               gate_words);
}

static void draw_panel(Scene& scene, const Panel& panel) {
  const auto [left, top] = panel.corner;
  const std::size_t n = panel.g.size();
  draw_lowest(scene, panel);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) draw_weight(scene, panel, i, j);
  for (std::size_t k = 0; k < n; ++k) {
    draw_gate(scene, panel, k);
    const Spot cell = panel.cell(k, k);
    scene.text({left - 9, cell.y + side / 2 + 5}, join(k), {.tone = Tone::soft});
    scene.text({cell.x + side / 2, top + 4 * side + 18}, join(k), {.tone = Tone::soft});
  }
  scene.text({left + 2 * side, top + 4 * side + 38}, "token j is read", {.tone = Tone::soft});
}

static void draw_key(Scene& scene) {
  scene.frame({16, 4}, {34, 13}, {Tone::value, 1.5});
  scene.text({57, 16}, "weight", {.tone = Tone::value, .anchor = "start"});
  scene.bar({124, 4}, {17, 13}, Tone::gate);
  scene.frame({124, 4}, {34, 13}, {Tone::value, 1.5});
  scene.text({165, 16}, "weight times gate, which is the number", gate_words);
}

static Scene picture_of(const Matrix<double>& A, const std::vector<double>& g) {
  Scene scene("Whose gate: the column's or the row's?");
  draw_key(scene);
  const double left = 42, right = 254, top = 140, below = top + 4 * side + 60;
  scene.text({left, 45}, "bma: gated values", strong_words);
  scene.text({left, 66}, "the gate of the token read", gate_words);
  scene.text({left, 85}, "is on the column", gate_words);
  draw_panel(scene, {{left, top}, true, A, g});
  scene.text({right, 45}, "attending: gated mixture", strong_words);
  scene.text({right, 66}, "the gate of the token", gate_words);
  scene.text({right, 85}, "that reads is on the row", gate_words);
  draw_panel(scene, {{right, top}, false, A, g});
  scene.text_up({25, top + 2 * side}, "token i reads", {.tone = Tone::soft});
  const Type slant{.slant = true}, gate{.tone = Tone::gate, .strong = true, .slant = true};
  scene.line({left, below - 4}, {464, below - 4}, {});
  scene.label({left, below + 20}, {{"O[i] = Σ A[i,j]·", slant}, {"G[j]", gate}, {"·V[j]", slant}});
  scene.text({left, below + 44}, "differs from term to term:", soft_words);
  scene.text({left, below + 63}, "stays inside the sum", strong_words);
  scene.label({right, below + 20}, {{"O[i] = ", slant}, {"G[i]", gate}, {"·Σ A[i,j]·V[j]", slant}});
  scene.text({right, below + 44}, "the same in each term:", soft_words);
  scene.text({right, below + 63}, "leaves the sum", strong_words);
  scene.end(below + 68);
  return scene;
}

// A gate is a number for each token, inside the sum, made by either token.   (6.8)
static void whose_gate(Lesson& lesson, const knob::Settings& at) {
  const std::vector<double> g = at[gates];
  const std::size_t n = g.size();
  Random random(lesson.options().seed, 502);
  Matrix<double> A = at[times] * normal_matrix<double>(n, n, 1, random),
                 V = normal_matrix<double>(n, 3, 1, random);
  for (std::size_t i = 0; i < n; ++i) {
    softmax<double>(A.row(i).first(i + 1));
    std::fill(A.row(i).begin() + std::ptrdiff_t(i) + 1, A.row(i).end(), 0);
  }
  const auto times_gates = [&](Matrix<double> rows) {  // each times its token's gate
    for (std::size_t i = 0; i < n; ++i)
      for (double& x : rows.row(i)) x *= g[i];
    return rows;
  };
  const Matrix<double> of_read(transpose(times_gates(Matrix<double>(transpose(A))))),
      of_reading = times_gates(A);
  lesson.figure("whose", picture_of(A, g));
  const Matrix<double> read = matmul(of_read, V), reading = matmul(of_reading, V);
  const auto [least, most] = std::minmax_element(g.begin(), g.end());
  lesson.note("Gates that differ by up to ", fixed(*most - *least, 2),
              " make the mixtures differ by up to ", fixed(max_abs_difference(read, reading), 4),
              ".");
  // Here and below: sums of some ten products near 1, some 1e-16 each.
  lesson.claim("a gate of the token read is a gate on its value, max |diff|",
               max_abs_difference(read, matmul(A, times_gates(V))), at_most(1e-14));
  lesson.claim("a gate of the reading token leaves the sum, max |diff|",
               max_abs_difference(reading, times_gates(matmul(A, V))), at_most(1e-14));
}

static void who_gates(Lesson& lesson, std::uint64_t seed) {
  const SmallCase standard({.biases = Biases::without}, seed),
      own({.gate = Gate::bma, .biases = Biases::without}, seed);
  Attention<double>::Trace t, t_own;
  standard.layer.forward(standard.X, t);
  own.layer.forward(own.X, t_own);
  lesson.claim("bma: its weights A are those of standard attention, to the bit", t_own.A == t.A);
  for (const auto& [gate, second] : {std::pair(Gate::bma, 3.39), std::pair(Gate::attending, 3.42)})
    lesson.claim(
        join("by hand, ", name_of(gate), " returns 1.5 and ", second, ": max |diff|"),
        max_abs_difference(output(layer_by_hand(gate), tokens_by_hand()), {{1.5}, {second}}),
        at_most(1e-14));
  for (const Gate gate : all_gates) {
    const double start = variant_of(gate).start;
    SmallCase c({.gate = gate, .biases = Biases::without}, seed);
    for (Matrix<double>* W : {&c.layer.Wg, &c.layer.Wp}) *W = 0 * std::move(*W);
    c.layer.Wo = standard.layer.Wo;
    lesson.claim_same(
        join(name_of(gate), ": with gate weights of 0 it is ", start, " times standard"),
        max_abs_difference(output(c.layer, c.X), start * t.Y));
  }
}

// The largest change before a changed token, and the least behind it, of all variants.
static void causality(Lesson& lesson, std::uint64_t seed) {
  double most_before = 0, least_behind = HUGE_VAL;
  for (const Gate gate : all_gates) {
    const SmallCase c({.gate = gate}, seed);
    const Matrix<double> Y = output(c.layer, c.X);
    double behind = 0;
    for (std::size_t token = 0; token < Y.rows(); ++token) {
      Sequences<double> changed = c.X;
      for (double& x : changed.X.row(token)) x += 1;
      const Matrix<double> off = output(c.layer, changed) - Y;
      for (std::size_t i = 0; i < Y.rows(); ++i) {
        const double change = largest_entry(Matrix<double>(row_block(off, i, 1)));
        if (i < token) most_before = std::max(most_before, change);
        else behind = std::max(behind, change);
      }
    }
    least_behind = std::min(least_behind, behind);
  }
  lesson.claim_same("a changed token changes no row before it, in any of the five", most_before);
  lesson.claim("rows after it do change, in each of the five by at least", least_behind,
               at_least(1e-3));
}

struct Sweep {
  double worst = 0, key_bias = 0;
  std::size_t layers = 0;

  void test_only(const std::string&, Attention<double> layer, Sequences<double> X,
                 const weighted_sum& loss) {
    ++layers;
    worst = std::max(worst, without_key_biases(check_model(layer, X, loss)).worst());
    const Attention<double> d = gradients(layer, X, loss).parameters;
    if (layer.form.biases == Biases::with)
      key_bias = std::max(key_bias, largest_entry(d.bk) / largest_entry(d.bq));
  }
};

static void check_gradients_of_all(Lesson& lesson, std::uint64_t seed) {
  constexpr double tolerance = 1e-7;
  Sweep all;
  visit_attention(all, seed);
  lesson.claim(join("every gradient of ", all.layers,
                    " layers, of all five, with and without biases and dropout: worst relative "
                    "error"),
               all.worst, at_most(tolerance));
  lesson.claim("an entry wrong by a hundred-thousandth is noticed", slightly_wrong(),
               between(10 * tolerance, 2e-5));
  // Sums of some hundred terms that cancel, rounded to 1e-16 of their size.
  lesson.claim("in all of them dbk is 0: its size, as a part of dbq", all.key_bias, at_most(1e-13));
}

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const std::uint64_t seed = lesson.options().seed;
  whose_gate(lesson, at);
  who_gates(lesson, seed);
  check_gradients_of_all(lesson, seed);
  causality(lesson, seed);
}

static void scene(Lesson& lesson, Session&, const knob::Settings& at) { whose_gate(lesson, at); }

}  // namespace lesson6::p2

const Part<lesson6::Session> lesson6::part2{.number = 2,
                                            .title = "Two identities",
                                            .question = "When does it matter whose gate it is?",
                                            .run = p2::run,
                                            .scene = p2::scene,
                                            .knobs = {&p2::gates, &p2::times},
                                            .opening = &p2::gates};
