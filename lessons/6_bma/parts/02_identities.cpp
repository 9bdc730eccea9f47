// Part 2: two identities that decide what a gate can do; causality; gradients.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/lesson.hpp"

namespace lesson6::p2 {

constexpr knob::Numbers gates{
    "g", "the gates of tokens 0 to 3", {0.9, 0.1, 0.5, 0.5}, {0, 1, 0.05}};
constexpr knob::Real times{
    "scale", "what multiplies the scores; at 0 all weights are even", 1, {0, 10, 0.1}};

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
  plot::HeatMap map{.title = "A, A·g of the token read (bma), A·g of the reading token (attending)",
                    .rows = n,
                    .cols = 3 * n + 2,
                    .numbers = true,
                    .low = 0,
                    .high = 1};
  for (std::size_t i = 0; i < n; ++i) {
    for (const Matrix<double>& shown : {A, of_read, of_reading}) {
      for (const double a : shown.row(i)) map.values.push_back(std::round(100 * a) / 100);
      map.values.push_back(0);  // a gap
    }
    map.values.pop_back();
  }
  lesson.figure("whose", map);
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
                                            .knobs = {&p2::gates, &p2::times}};
