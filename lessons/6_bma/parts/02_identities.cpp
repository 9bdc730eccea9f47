// Lesson 6, part 2: two identities that decide which gate can do what; causality; the cache.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/6_bma/model/8_writer.hpp"
#include "lessons/6_bma/model/9_small_case.hpp"
#include "lessons/6_bma/run/session.hpp"
#include "lessons/6_bma/run/start.hpp"

namespace lesson6 {
namespace {

// Mixtures of one sequence with a gate inside the sum: C_i = Σ_j A_ij·(g ⊙ V_j), where g is the gate of the attending
// token i or of the value's own token j. By the definition, pair by pair; A is heads·tokens x tokens, the others tokens
// x d.   (6.11)
enum class WhoseGate { attending, own };
Matrix<double> gated_mixtures(const GatedAttention<double>::Trace& t, std::size_t heads, WhoseGate whose) {
  const std::size_t tokens = t.V.rows(), width = t.V.cols() / heads;
  Matrix<double> C(tokens, t.V.cols());
  for (std::size_t i = 0; i < tokens; ++i)
    for (std::size_t j = 0; j < tokens; ++j)
      for (std::size_t k = 0; k < C.cols(); ++k)
        C(i, k) += t.A(k / width * tokens + i, j) * t.G(whose == WhoseGate::own ? j : i, k) * t.V(j, k);
  return C;
}

// One causal sequence through a layer without biases, and what it computed.
struct OneSequence {
  GatedAttention<double> layer;
  Sequences<double> X;
  GatedAttention<double>::Trace t;

  // `gates`: the deviation of Wg and Wp. They are drawn last, so that all variants share the rest.
  OneSequence(Gate gate, std::uint64_t seed, double gates = 1)
      : layer({.gate = gate, .width = 8, .heads = 2, .biases = false}) {
    Random random(seed);
    Attention<double>& a = layer.plain;
    fill_normal<double>({{"Wq", a.Wq}, {"Wk", a.Wk}, {"Wv", a.Wv}, {"Wo", a.Wo}}, random, 0.5);
    X = {normal_matrix<double>(7, 8, 1, random), {7}};
    fill_normal<double>({{"Wg", layer.Wg}, {"Wp", layer.Wp}}, random, gates);
    layer.forward(X, t);
  }
};

// The largest change of rows before t when token t changes, over all t; and the largest at or behind it.
struct Influence {
  double before = 0, behind = 0;
};

Influence influence(Gate gate, std::uint64_t seed) {
  const OneSequence s(gate, seed);
  const Matrix<double>& kept = s.t.Y;
  Influence found;
  for (std::size_t token = 0; token < kept.rows(); ++token) {
    Sequences<double> changed = s.X;
    for (double& x : changed.X.row(token)) x += 1;
    const Matrix<double> Y = output(s.layer, changed);
    for (std::size_t i = 0; i < Y.rows(); ++i)
      for (std::size_t k = 0; k < Y.cols(); ++k) {
        double& into = i < token ? found.before : found.behind;
        into = std::max(into, std::abs(Y(i, k) - kept(i, k)));
      }
  }
  return found;
}

// The largest difference between the logits of the cache, symbol by symbol, and those of whole windows. Twice as many
// symbols as the context holds: so the cache is cut in half on the way, and each window begins where its writer's
// context began.
double cache_against_windows(Gate gate, std::uint64_t seed) {
  const std::size_t context = 8;
  LanguageModel<double> model({5, context, {gate, 2, 2, 6}});
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
    const Matrix<double> logits = output(model, Texts{Symbols(text).subspan(first, i + 1 - first), i + 1 - first});
    worst = std::max(worst, max_abs_difference(next, Matrix<double>(row_block(logits, i - first, 1))));
  }
  return worst;
}

// Draws attention and the places where the variants put a factor.
plot::Diagram diagram_of_gates() {
  using enum plot::Box::Kind;
  plot::Diagram d{.title = "Attention, and where each variant puts its factor"};
  d.boxes = {{"X", 0, 1.5, alone, "n × d"},
             {"K", 1, 0, computed, "X·Wk + bk"},
             {"Q", 1, 1.5, computed, "X·Wq + bq"},
             {"V", 1, 3, computed, "X·Wv + bv"},
             {"A", 2.1, 0.75, computed, "softmax(s·Q·Kᵀ)"},
             {"V~", 2.1, 3, computed, "what is mixed"},
             {"C", 3.1, 1.9, computed, "A·V~"},
             {"O", 4, 1.9, computed, "put out"},
             {"Y", 5, 1.9, computed, "O·Wo + bo"},
             {"half", 1.5, 4.4, stored, "½"},
             {"bma", 2.7, 4.4, stored, "σ(Q·Wg)"},
             {"attending", 3.45, 3.4, stored, "σ(Q·Wg)"},
             {"post", 4.6, 3.4, stored, "σ(X·Wp + bp)"},
             {"standard", 4, 4.4, stored, "no factor"}};
  d.arrows = {{"X", "K"},
              {"X", "Q"},
              {"X", "V"},
              {"K", "A"},
              {"Q", "A"},
              {"V", "V~"},
              {"A", "C"},
              {"V~", "C"},
              {"C", "O"},
              {"O", "Y"},
              {"half", "V~", "⊙"},
              {"bma", "V~", "⊙"},
              {"attending", "O", "⊙"},
              {"post", "O", "⊙"}};
  return d;
}

void who_gates(Lesson& lesson) {
  const std::uint64_t seed = lesson.options().seed;
  lesson.figure("gates", diagram_of_gates());
  const OneSequence attending(Gate::attending, seed), own(Gate::bma, seed), standard(Gate::standard, seed);
  const double of_attending = max_abs_difference(gated_mixtures(attending.t, 2, WhoseGate::attending), attending.t.O);
  const double of_own = max_abs_difference(gated_mixtures(own.t, 2, WhoseGate::own), own.t.C);
  const double apart = max_abs_difference(own.t.C, attending.t.O);
  lesson.say(
      "Whose gate is inside the sum? The sum with the attending token's is plain attention and a gate behind "
      "it, to ",
      significant(of_attending, 2), "; with the value's own it is plain attention on gated values, to ",
      significant(of_own, 2), ". The two differ by up to ", significant(apart, 3), ".");
  // Here and below: sums of some ten products of numbers near 1, some 1e-16 each; layers that differ do so by some tenths.
  lesson.claim("attending: Σ A_ij·(g_i ⊙ v_j) = g_i ⊙ Σ A_ij·v_j, max |diff|", of_attending, at_most(1e-14));
  lesson.claim("bma: Σ A_ij·(g_j ⊙ v_j) = Σ A_ij·V~_j, max |diff|", of_own, at_most(1e-14));
  lesson.claim("and its weights A are those of standard attention, to the bit", own.t.A == standard.t.A);
  lesson.claim("the two are not the same layer: max |diff| of the mixtures", apart, at_least(1e-3));
  const auto first_row = [](const Matrix<double>& C) { return Matrix<double>(row_block(C, 0, 1)); };
  lesson.claim("but in row 0, which sees itself only: max |diff|",
               max_abs_difference(first_row(own.t.C), first_row(attending.t.O)), at_most(1e-15));
  const auto by_hand = [](Gate gate) { return output(layer_by_hand(gate), tokens_by_hand()); };
  lesson.claim("by hand: bma 1.5 and 3.39, max |diff|", max_abs_difference(by_hand(Gate::bma), {{1.5}, {3.39}}),
               at_most(1e-14));
  lesson.claim("by hand: attending 1.5 and 3.42, max |diff|",
               max_abs_difference(by_hand(Gate::attending), {{1.5}, {3.42}}), at_most(1e-14));
}

void where_gates_start(Lesson& lesson) {
  const std::uint64_t seed = lesson.options().seed;
  const Matrix<double> standard = OneSequence(Gate::standard, seed).t.Y, half = OneSequence(Gate::half, seed).t.Y;
  lesson.claim("Wg = 0: bma is standard times ½, to the bit", OneSequence(Gate::bma, seed, 0).t.Y == half);
  lesson.claim("Wg = 0: attending too", OneSequence(Gate::attending, seed, 0).t.Y == half);
  lesson.claim_same("and half is ½ of standard", max_abs_difference(half, 0.5 * standard));
}

void causality_and_cache(Lesson& lesson) {
  const std::uint64_t seed = lesson.options().seed;
  std::vector<Influence> influences;
  std::vector<double> caches;
  double before = 0;
  for (const Gate gate : all_gates) {
    influences.push_back(influence(gate, seed));
    caches.push_back(cache_against_windows(gate, seed));
    before = std::max(before, influences.back().before);
  }
  lesson.say("What stays, for all five? A changed token changes rows before it by ", significant(before, 2),
             ", and logits symbol by symbol with a cache are those of whole windows, to ",
             significant(*std::max_element(caches.begin(), caches.end()), 2), ".");
  for (const Gate gate : all_gates) {
    const Influence& found = influences[std::size_t(gate)];
    lesson.claim_same(join(name_of(gate), ": rows before a changed token stay"), found.before);
    if (gate == Gate::standard) lesson.claim("rows after it do change, by up to", found.behind, at_least(1e-3));
    lesson.claim(join(name_of(gate), ": symbol by symbol = whole windows, max |diff|"), caches[std::size_t(gate)],
                 at_most(1e-12));
  }
}

// ---------------------------------------------------------------------------------------- the gradients of all five

// The worst of all layers: causal or not, with attention mask or not, with dropout or not, with biases or not.
struct Sweep {
  double worst = 0, key_bias = 0;
  std::size_t layers = 0;
};

Sweep sweep(Gate gate, std::uint64_t seed) {
  Sweep s;
  for (const bool biases : {false, true})
    for (const double dropout : {0.0, 0.3})
      for (const Layout& layout : {SmallCase::all_seen, SmallCase::some_hidden})
        for (const bool causal : {false, true}) {
          SmallCase c({.gate = gate, .causal = causal, .biases = biases, .dropout = dropout}, layout, seed);
          s.worst = std::max(s.worst, c.check().worst());
          const Attention<double> d = c.derive().d.plain;
          if (biases) s.key_bias = std::max(s.key_bias, largest_entry(d.bk) / largest_entry(d.bq));
          ++s.layers;
        }
  return s;
}

void check_gradients_of_all(Lesson& lesson) {
  const std::uint64_t seed = lesson.options().seed;
  SmallCase c({.gate = Gate::bma}, SmallCase::all_seen, seed);
  lesson.note("Gradients of bilinearly modulated attention, ", SmallCase::sequences, " sequences of ",
              SmallCase::tokens, " tokens, width ", SmallCase::width, ", ", SmallCase::heads, " heads, causal:");
  lesson.claim_gradients("bma", c.check(), 1e-7);
  std::vector<Sweep> sweeps;
  Sweep all;
  for (const Gate gate : all_gates) {
    sweeps.push_back(sweep(gate, seed));
    all.worst = std::max(all.worst, sweeps.back().worst);
    all.key_bias = std::max(all.key_bias, sweeps.back().key_bias);
    all.layers += sweeps.back().layers;
  }
  lesson.say("Is every gradient right? ", all.layers,
             " layers, the five variants, causal or not, with and without mask, dropout and biases: "
             "the worst relative error of an entry is ",
             significant(all.worst, 2), "; dbk is ", significant(all.key_bias, 2), " of dbq.");
  for (const Gate gate : all_gates)
    lesson.claim(join(name_of(gate), ", ", sweeps[std::size_t(gate)].layers,
                      " layers with and without causality, mask, dropout, biases"),
                 sweeps[std::size_t(gate)].worst, at_most(1e-7));
  // Sums of some hundred terms that cancel: each rounded to 1e-16 of its size.
  lesson.claim("in all of them dbk, as a part of dbq", all.key_bias, at_most(1e-13));
}

}  // namespace

void part2(Lesson& lesson, Session&) {
  who_gates(lesson);
  where_gates_start(lesson);
  check_gradients_of_all(lesson);
  causality_and_cache(lesson);
}

}  // namespace lesson6
