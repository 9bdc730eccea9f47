// Lesson 6, part 2: two identities that decide which gate can do what; causality; the cache.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/6_bma/identities.hpp"
#include "lessons/6_bma/parts/part1_attention.hpp"
#include "lessons/6_bma/small_case.hpp"
#include "lessons/6_bma/start.hpp"
#include "lessons/6_bma/writer.hpp"

// One causal sequence through a layer without biases, and what it computed.
struct OneSequence {
  Attention<double> layer;
  Matrix<double> X;
  Attention<double>::Trace t;

  OneSequence(Gate gate, std::uint64_t seed, bool zero_gate = false) : layer({gate, 8, 2, true, false}) {
    Random random(seed);
    for (const auto& [name, tensor] : layer.tensors()) {
      if (name == "Wg" || name == "Wp") continue;  // drawn last, so that all gates share the rest
      tensor = normal_matrix<double>(8, 8, 0.5, random);
    }
    X = normal_matrix<double>(7, 8, 1, random);
    for (Matrix<double>* W : {&layer.Wg, &layer.Wp})
      if (!zero_gate) *W = normal_matrix<double>(W->rows(), W->cols(), 1, random);
    run();
  }

  void run() { layer.forward(X, {X.rows()}, t); }
};

// The largest change of rows before t when token t changes, over all t; and the largest at or behind it.
struct Influence {
  double before = 0, behind = 0;
};
inline Influence influence(Gate gate, std::uint64_t seed) {
  OneSequence s(gate, seed);
  const Matrix<double> kept = s.t.Y;
  Influence found;
  for (std::size_t token = 0; token < s.X.rows(); ++token) {
    const Matrix<double> old = s.X;
    for (double& x : s.X.row(token)) x += 1;
    s.run();
    for (std::size_t i = 0; i < s.X.rows(); ++i)
      for (std::size_t k = 0; k < s.X.cols(); ++k) {
        double& into = i < token ? found.before : found.behind;
        into = std::max(into, std::abs(s.t.Y(i, k) - kept(i, k)));
      }
    s.X = old;
  }
  return found;
}

// The largest difference between the logits of the cache, symbol by symbol, and those of whole windows. Twice as many symbols
// as the context holds: so the cache is cut in half on the way, and each window begins where its writer's context began.
inline double cache_against_windows(Gate gate, std::uint64_t seed) {
  const std::size_t context = 8;
  LanguageModel<double> model({5, context, {gate, 2, 2, 6}, false});
  draw_start(model.tensors(), {0.7, 0, 1, 0.5}, 2, seed);
  Random random(seed, 3);
  std::vector<std::uint32_t> text(2 * context);
  for (std::uint32_t& symbol : text) symbol = std::uint32_t(random.below(5));
  Writer<double> writer(model);
  double worst = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i - first == context) first = i - context / 2;
    const Matrix<double>& next = writer.next(text[i]);
    LanguageModel<double>::Trace t;
    model.forward(std::span(text).subspan(first, i + 1 - first), i + 1 - first, t);
    worst = std::max(worst, max_abs_difference(next, Matrix<double>(row_block(t.logits, i - first, 1))));
  }
  return worst;
}

inline void part2(Lesson& lesson) {
  const std::uint64_t seed = lesson.options().seed;
  lesson.say(
      "A gate g stands inside the sum over the tokens j that token i attends to: Σ A_ij·(g ⊙ v_j). Whose gate is ",
      "it? There are two answers, and each turns out to be something that was known before.");
  const OneSequence attending(Gate::attending, seed), own(Gate::bma, seed), standard(Gate::standard, seed);
  lesson.say(
      "First: the gate of i, the token that attends. It does not depend on j, so it leaves the sum, and the layer is ",
      "attention with a gate behind it, for each head:");
  lesson.claim("attending: Σ A_ij·(g_i ⊙ v_j) = g_i ⊙ Σ A_ij·v_j, max |diff|",
               max_abs_difference(gated_mixtures(attending.t, 2, WhoseGate::attending), attending.t.O), at_most(1e-14));
  lesson.say(
      "Second: the gate of j, the value's own token. That is what the published code computes. V~_j = σ(x_j·Wq·Wg) ",
      "⊙ x_j·Wv depends on x_j alone: a gated linear unit (lesson 3) on the value, then plain attention:");
  lesson.claim("bma: Σ A_ij·(g_j ⊙ v_j) = Σ A_ij·V~_j, max |diff|",
               max_abs_difference(gated_mixtures(own.t, 2, WhoseGate::own), own.t.C), at_most(1e-14));
  lesson.claim("and its weights A are those of standard attention, to the bit", own.t.A == standard.t.A);
  const double differ = max_abs_difference(own.t.C, attending.t.O);
  lesson.claim("the two are not the same layer: max |diff| of the mixtures", differ, at_least(1e-3));
  lesson.claim(
      "but in row 0, which sees itself only: max |diff|",
      max_abs_difference(Matrix<double>(row_block(own.t.C, 0, 1)), Matrix<double>(row_block(attending.t.O, 0, 1))),
      at_most(1e-15));
  const Attention<double> a = layer_by_hand(Gate::bma), b = layer_by_hand(Gate::attending);
  Attention<double>::Trace s, t;
  a.forward({{1}, {2}}, {2}, s), b.forward({{1}, {2}}, {2}, t);
  lesson.claim("by hand: bma 1.5 and 3.39, max |diff|", max_abs_difference(s.Y, {{1.5}, {3.39}}), at_most(1e-14));
  lesson.claim("by hand: attending 1.5 and 3.42, max |diff|", max_abs_difference(t.Y, {{1.5}, {3.42}}), at_most(1e-14));

  const Matrix<double> half = OneSequence(Gate::half, seed).t.Y;
  lesson.say(
      "With Wg = 0 every gate is σ(0) = ½, and the layer is half of standard attention: where gates start near 0, ",
      "this is where training starts. Remember it in part 6.");
  lesson.claim("Wg = 0: bma is standard times ½, to the bit", OneSequence(Gate::bma, seed, true).t.Y == half);
  lesson.claim("Wg = 0: attending too", OneSequence(Gate::attending, seed, true).t.Y == half);
  lesson.claim("and half is ½ of standard, max |diff|", max_abs_difference(half, 0.5 * standard.t.Y), at_most(0));

  lesson.say(
      "Causality: change token t, and no row before t may change. And a cache: what a token gives to later ones, its ",
      "key and its value, gated or not, is computed once.");
  for (const Gate gate : all_gates) {
    const Influence found = influence(gate, seed);
    lesson.claim(join(name_of(gate), ": rows before a changed token change by"), found.before, exactly(0));
    if (gate == Gate::standard) lesson.claim("rows after it do change, by up to", found.behind, at_least(1e-3));
    lesson.claim(join(name_of(gate), ": symbol by symbol = whole windows, max |diff|"),
                 cache_against_windows(gate, seed), at_most(1e-12));
  }
}
