// Lesson 6, part 1: attention by hand, forward and backward, and its weights as bilinear forms.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <string>

#include "common/support/lesson.hpp"
#include "lessons/6_bma/identities.hpp"
#include "lessons/6_bma/small_case.hpp"

// The example of README.md: two tokens, width 1, one head. Scores 2·ln 3 and 4·ln 3 make weights of 1/10 and 9/10.
inline Attention<double> layer_by_hand(Gate gate) {
  Attention<double> a({gate, 1, 1, true, false});
  a.Wq(0, 0) = 1, a.Wk(0, 0) = std::log(3.0), a.Wv(0, 0) = 2, a.Wo(0, 0) = 1;
  if (a.Wg.size() > 0) a.Wg(0, 0) = std::log(3.0);
  return a;
}

inline void attention_by_hand(Lesson& lesson) {
  const Matrix<double> X{{1}, {2}};
  const Attention<double> a = layer_by_hand(Gate::standard);
  Attention<double>::Trace t, d;
  a.forward(X, {2}, t);
  lesson.say("By hand, with the numbers of README.md: tokens 1 and 2, width 1. Token 1 gives itself the weight ",
             fixed(t.A(1, 1), 3), " and token 0 ", fixed(t.A(1, 0), 3), "; the outputs are ", fixed(t.Y(0, 0), 3),
             " and ", fixed(t.Y(1, 0), 3), ".");
  lesson.claim("outputs by hand 2 and 3.8, max |diff|", max_abs_difference(t.Y, {{2}, {3.8}}), at_most(1e-14));
  Attention<double> grad(a.form);
  Matrix<double> dX;
  a.backward(X, {2}, t, {{0}, {1}}, d, grad, dX);
  // d.A is what the last head left there: dS.
  lesson.claim("for loss = y1, dS by hand is (-.18, .18), max |diff|",
               std::max(std::abs(d.A(1, 0) + 0.18), std::abs(d.A(1, 1) - 0.18)), at_most(1e-14));
}

// The worst of all layers: causal or not, with attention mask or not, with dropout or not, with biases or not.
struct Sweep {
  double worst = 0, key_bias = 0;
  std::size_t layers = 0;
};
inline Sweep sweep(Gate gate, std::uint64_t seed) {
  Sweep s;
  for (int k = 0; k < 16; ++k) {
    const bool causal = k & 1, masked = k & 2, biases = k & 8;
    SmallCase c({gate, SmallCase::width, SmallCase::heads, causal, biases, k & 4 ? 0.3 : 0.0}, masked, seed);
    SmallCase::Gradients g = c.gradients();
    s.worst = std::max(s.worst, c.check(g).worst());
    s.key_bias = std::max(s.key_bias, biases ? largest(g.d.bk) / largest(g.d.bq) : 0.0);
    ++s.layers;
  }
  return s;
}

inline void part1(Lesson& lesson) {
  attention_by_hand(lesson);
  const std::uint64_t seed = lesson.options().seed;
  SmallCase c({Gate::bma, SmallCase::width, SmallCase::heads, true, true}, false, seed);
  SmallCase::Gradients g = c.gradients();
  lesson.say("Gradients of bilinearly modulated attention, ", SmallCase::sequences, " sequences of ", SmallCase::tokens,
             " tokens, width ", SmallCase::width, ", ", SmallCase::heads,
             " heads, causal. The keys' bias bk has no row:");
  lesson.claim_gradients("bma", c.check(g), 1e-7);
  lesson.say("A bias of the keys adds q·bk to all scores of a row alike, and softmax does not notice: its gradient is ",
             "zero, and a relative error of zeros says nothing. Everybody trains it none the less.");
  double key_bias = 0;
  for (const Gate gate : all_gates) {
    const Sweep s = sweep(gate, seed);
    key_bias = std::max(key_bias, s.key_bias);
    lesson.claim(join(name_of(gate), ", ", s.layers, " layers with and without causality, mask, dropout, biases"),
                 s.worst, at_most(1e-7));
  }
  // Sums of some hundred terms that cancel: each rounded to 1e-16 of its size.
  lesson.claim("in all of them dbk, as a part of dbq", key_bias, at_most(1e-13));

  SmallCase plain({Gate::standard, SmallCase::width, SmallCase::heads, false, false}, false, seed);
  plain.loss();
  const std::size_t n = SmallCase::tokens;  // the first sequence
  const Matrix<double> X(row_block(plain.X, 0, n));
  double scores = 0;
  Matrix<double> Y(n, SmallCase::width);
  for (std::size_t h = 0; h < SmallCase::heads; ++h) {
    const Matrix<double> form = matmul(matmul(X, score_form(plain.layer, h)), transpose(X));
    const std::size_t width = plain.layer.form.head_width();
    const Matrix<double> direct = matmul(column_block(row_block(plain.t.Q, 0, n), h * width, width),
                                         transpose(column_block(row_block(plain.t.K, 0, n), h * width, width)));
    scores = std::max(scores, max_abs_difference(form, direct));
    Y += matmul(matmul(row_block(plain.t.A, h * n, n), X), output_form(plain.layer, h));
  }
  lesson.say(
      "Folded as in lesson 5: each score is a bilinear form in two tokens, and what a head does to a token that it ",
      "attends to is one matrix. Both are of rank ", plain.layer.form.head_width(), ", however wide the tokens are.");
  lesson.claim("scores = x·(Wq·Wkᵀ)·xᵀ, max |diff|", scores, at_most(1e-13));
  lesson.claim("outputs = sum over the heads of A·X·(Wv·Wo), max |diff|",
               max_abs_difference(Y, Matrix<double>(row_block(plain.t.Y, 0, n))), at_most(1e-13));
}
