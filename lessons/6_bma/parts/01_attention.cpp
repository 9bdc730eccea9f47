// Lesson 6, part 1: attention by hand, forward and backward, and its weights as bilinear forms.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

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

// What a layer adds to the tokens of one sequence, folded: the sum over its heads of A·X·(Wv·Wo).   (6.7)
Matrix<double> added_by_heads(const Attention<double>& layer, const Matrix<double>& A, const Matrix<double>& X) {
  Matrix<double> Y(X.rows(), X.cols());
  for (std::size_t h = 0; h < layer.form.heads; ++h)
    Y += matmul(matmul(row_block(A, h * X.rows(), X.rows()), X), output_form(layer, h));
  return Y;
}

// Two layers without norms: what the heads of the first hand on meets the score form of the second.   (6.8)
void fold_two_layers(Lesson& lesson) {
  const std::uint64_t seed = lesson.options().seed;
  const SmallCase first({.causal = false, .biases = false}, SmallCase::all_seen, seed),
      second({.causal = false, .biases = false}, SmallCase::all_seen, seed_of_run(seed, 1));
  const Attention<double>&one = first.layer.plain, &two = second.layer.plain;
  Attention<double>::Trace t, behind;
  one.forward(first.X, t);
  two.forward({first.X.X + t.Y, first.X.layout}, behind);
  const std::size_t n = SmallCase::tokens, width = two.form.head_width();  // the first sequence
  const Matrix<double> X(row_block(first.X.X, 0, n)), added = added_by_heads(one, t.A, X);
  double off = 0, direct_share = 0;
  for (std::size_t h = 0; h < two.form.heads; ++h) {
    const auto of_head = [&](const Matrix<double>& A) { return column_block(row_block(A, 0, n), h * width, width); };
    const Matrix<double> scores = matmul(of_head(behind.Q), transpose(of_head(behind.K))), form = score_form(two, h);
    const auto between = [&](const Matrix<double>& asks, const Matrix<double>& asked) {
      return matmul(matmul(asks, form), transpose(asked));
    };
    const Matrix<double> direct = between(X, X);
    const Matrix<double> folded = direct + between(added, X) + between(X, added) + between(added, added);
    off = std::max(off, max_abs_difference(folded, scores));
    direct_share = std::max(direct_share, max_abs_difference(direct, scores) / largest_entry(scores));
  }
  lesson.note(
      "Two layers: the scores of the second are a sum of four forms in the tokens and the weights of the first, to ",
      significant(off, 2), ". Without the three that go through a head of the first they are off by up to ",
      fixed(direct_share, 2), " of the largest score.");
  // Sums of some hundred products of four matrices, scores up to 50: some 1e-14.
  lesson.claim("scores of a second layer, folded through the heads of the first, max |diff|", off, at_most(1e-12));
  // It would be 0 if the second layer did not see what the heads of the first have added; rounding leaves 1e-14.
  lesson.claim("... and tokens alone do not make them, as a part of the largest score", direct_share, at_least(1e-3));
}

}  // namespace

void part1(Lesson& lesson, Session&) {
  attention_by_hand(lesson);
  fold(lesson);
  fold_two_layers(lesson);
}

}  // namespace lesson6
