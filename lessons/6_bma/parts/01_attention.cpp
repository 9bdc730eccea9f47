// Lesson 6, part 1: attention by hand, forward and backward, and its weights as bilinear forms.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/6_bma/model/9_small_case.hpp"
#include "lessons/6_bma/run/session.hpp"

namespace lesson6 {
namespace {

// The square of a head's scores: q_i·k_j = x_i·(Wq·Wkᵀ)·x_jᵀ, without biases. d x d of rank dh at most.   (6.6)
Matrix<double> score_form(const Attention<double>& a, std::size_t h) {
  const std::size_t width = a.form.head_width();
  return matmul(column_block(a.Wq, h * width, width), transpose(column_block(a.Wk, h * width, width)));
}

// What a head does to a token that it attends to: x_j·(Wv·Wo), without biases and gates. d x d of rank dh at
// most.   (6.7)
Matrix<double> output_form(const Attention<double>& a, std::size_t h) {
  const std::size_t width = a.form.head_width();
  return matmul(column_block(a.Wv, h * width, width), row_block(a.Wo, h * width, width));
}

void attention_by_hand(Lesson& lesson) {
  const Sequences<double> X = tokens_by_hand();
  const Attention<double> a = layer_by_hand(Gate::standard).plain;
  Attention<double>::Trace t;
  a.forward(X, t);
  lesson.say("By hand: token 1 gives token 0 the weight ", fixed(t.A(1, 0), 3), " and itself ", fixed(t.A(1, 1), 3),
             "; the outputs are ", fixed(t.Y(0, 0), 3), " and ", fixed(t.Y(1, 0), 3), ".");
  // Here and below: sums of up to some hundred products of numbers near 1, some 1e-15; a wrong index costs a part of 1.
  lesson.claim("outputs by hand 2 and 3.8, max |diff|", max_abs_difference(t.Y, {{2}, {3.8}}), at_most(1e-14));
  Gradients<Attention<double>> g(a);
  a.backward(X, t, {{0}, {1}}, g);
  const Matrix<double>& dS = g.room.dA;  // what the last head left there
  lesson.claim("for loss = y1, dS by hand is (-.18, .18), max |diff|",
               std::max(std::abs(dS(1, 0) + 0.18), std::abs(dS(1, 1) - 0.18)), at_most(1e-14));
}

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

void fold(Lesson& lesson) {
  const SmallCase c({.causal = false, .biases = false}, SmallCase::all_seen, lesson.options().seed);
  const Attention<double>& layer = c.layer.plain;
  Attention<double>::Trace t;
  layer.forward(c.X, t);
  const std::size_t n = SmallCase::tokens, width = layer.form.head_width();  // the first sequence
  const Matrix<double> X(row_block(c.X.X, 0, n));
  double scores = 0;
  Matrix<double> Y(n, SmallCase::width);
  for (std::size_t h = 0; h < SmallCase::heads; ++h) {
    const Matrix<double> form = matmul(matmul(X, score_form(layer, h)), transpose(X));
    const Matrix<double> direct = matmul(column_block(row_block(t.Q, 0, n), h * width, width),
                                         transpose(column_block(row_block(t.K, 0, n), h * width, width)));
    scores = std::max(scores, max_abs_difference(form, direct));
    Y += matmul(matmul(row_block(t.A, h * n, n), X), output_form(layer, h));
  }
  const double outputs = max_abs_difference(Y, Matrix<double>(row_block(t.Y, 0, n)));
  lesson.say("Does lesson 5's folding hold for a head? Scores and outputs from two matrices of rank ", width,
             " are the layer's, to ", significant(std::max(scores, outputs), 2), ".");
  lesson.claim("scores = x·(Wq·Wkᵀ)·xᵀ, max |diff|", scores, at_most(1e-13));
  lesson.claim("outputs = sum over the heads of A·X·(Wv·Wo), max |diff|", outputs, at_most(1e-13));
}

}  // namespace

void part1(Lesson& lesson, Session&) {
  attention_by_hand(lesson);
  check_gradients_of_all(lesson);
  fold(lesson);
}

}  // namespace lesson6
