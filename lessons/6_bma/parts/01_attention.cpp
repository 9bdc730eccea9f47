// Part 1: attention by hand; a head's weights, with a scale and a window.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/figures.hpp"
#include "lessons/6_bma/lesson.hpp"

namespace lesson6::p1 {

constexpr std::size_t tokens = 8, width = 4;  // of the head

constexpr knob::Real scale_knob{"scale", "what multiplies all scores, after 1/√m", 1, {0, 10, 0.1}};
constexpr knob::Whole window{
    "window", "how many tokens a token sees, itself among them", 8, {1, 8, 1}};

using Layer = Attention<double>;

// Returns what all heads, folded, make of X.
static Matrix<double> folded(const Layer& layer, const Layer::Trace& t, const Matrix<double>& X) {
  Matrix<double> Y(X.rows(), X.cols());
  for_each_head(layer.form, X.rows(), X.rows(), [&](const HeadBlock& at) {
    Y += matmul(matmul(at.square(t.A), X),
                matmul(column_block(layer.Wv, at.column, at.width),
                       row_block(layer.Wo, at.column, at.width)));  // n x width   (6.20)
  });
  return Y;
}

// Folds two layers without norms.
static void compositions(Lesson& lesson) {
  const std::uint64_t seed = lesson.options().seed;
  const SmallCase first({.biases = Biases::without}, seed),
      second({.biases = Biases::without}, seed_of_run(seed, 2));
  const std::size_t n = SmallCase::tokens;
  const Matrix<double> X(row_block(first.X.X, 0, n));
  Layer::Trace t, behind;
  first.layer.forward({X, n}, t);
  second.layer.forward({X + t.Y, n}, behind);
  const Matrix<double> added = folded(first.layer, t, X),
                       Y = folded(second.layer, behind, X) + folded(second.layer, behind, added);
  double off = 0, through_heads = HUGE_VAL;
  for_each_head(second.layer.form, n, n, [&](const HeadBlock& at) {
    const Matrix<double> form =
        matmul(column_block(second.layer.Wq, at.column, at.width),
               transpose(column_block(second.layer.Wk, at.column, at.width)));  // (6.19)
    const auto scores = [&](const auto& queries, const auto& keys) {
      return matmul(matmul(queries, form), transpose(keys));
    };
    const Matrix<double> S = matmul(at.head(behind.Q), transpose(at.head(behind.K))),
                         direct = scores(X, X),
                         others = scores(added, X) + scores(X, added) + scores(added, added);
    off = std::max(off, max_abs_difference(direct + others, S));
    through_heads = std::min(through_heads, largest_entry(others) / largest_entry(S));
  });
  // Scores of up to some hundred leave 1e-14.
  lesson.claim("folded heads return the same, also one behind another: max |diff|",
               std::max(max_abs_difference(added, t.Y), max_abs_difference(Y, behind.Y)),
               at_most(1e-12));
  lesson.claim("a second layer's scores are a sum of four terms: max |diff|", off, at_most(1e-12));
  // 60 seeds: .55 to 1.19.
  lesson.claim("the three terms that pass through heads, beside all four", through_heads,
               at_least(0.1));
}

// The example of README.md, with its weights: what the second token reads as all scores grow.
static void two_tokens(Lesson& lesson, double scale) {
  const Layer layer = layer_by_hand(Gate::standard);
  Layer::Trace t;
  layer.forward(tokens_by_hand(), t);
  std::vector<double> weights{scale * t.Q(1, 0) * t.K(0, 0), scale * t.Q(1, 0) * t.K(1, 0)};
  softmax(std::span<double>(weights));                                     // (6.3)
  const double mixture = weights[0] * t.V(0, 0) + weights[1] * t.V(1, 0);  // (6.4)
  lesson.figure("asks",
                asks_of({.tokens = {1, 2},
                         .scores = {scale * t.Q(1, 0) * t.K(0, 0), scale * t.Q(1, 0) * t.K(1, 0)},
                         .weights = {weights[0], weights[1]},
                         .offers = {t.V(0, 0), t.V(1, 0)},
                         .mixture = mixture}));
  lesson.note("Two tokens: the second mixes ", fixed(weights[0], 2),
              " of what the first offers with ", fixed(weights[1], 2), " of its own, and gets ",
              fixed(mixture, 2), ".");
  lesson.claim_standard("this is what the layer returns, max |diff|", std::abs(mixture - t.Y(1, 0)),
                        at_most(1e-14));
}

// Shows softmax(scale·Q·Kᵀ/√m) of a head whose tokens see only the last few. (6.3)
static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  // Here and below: sums of some hundred products near 1 leave 1e-15.
  lesson.claim(
      "by hand, the outputs are 2 and 3.8: max |diff|",
      max_abs_difference(output(layer_by_hand(Gate::standard), tokens_by_hand()), {{2}, {3.8}}),
      at_most(1e-14));
  compositions(lesson);
  two_tokens(lesson, at[scale_knob]);
  Random random(lesson.options().seed, 501);
  const auto Q = normal_matrix<double>(tokens, width, 1, random),
             K = normal_matrix<double>(tokens, width, 1, random);
  Matrix<double> A = at[scale_knob] / std::sqrt(double(width)) * matmul(Q, transpose(K));
  double off = 0, entropy = 0;
  for (std::size_t i = 0; i < tokens; ++i) {
    const std::size_t first = i + 1 - std::min(i + 1, at[window]);
    const std::span<double> row = A.row(i), seen = row.subspan(first, i + 1 - first);
    std::fill(row.begin(), seen.begin(), 0);
    std::fill(seen.end(), row.end(), 0);
    softmax(seen);
    off = std::max(
        off, std::abs(sum_of<double>(seen.size(), [&](std::size_t j) { return seen[j]; }) - 1));
    entropy = sum_of<double>(
        seen.size(), [&](std::size_t j) { return seen[j] > 0 ? -seen[j] * std::log(seen[j]) : 0; });
  }
  lesson.figure("head", head_of(A, at[window]));
  lesson.note("One head: the last token spreads its weight over ", fixed(std::exp(entropy), 2),
              " tokens (e to the entropy).");
  lesson.claim("each row sums to 1, off by", off, at_most(1e-14));
  const Attention<double> layer({.width = width});
  Attention<double>::Trace t;
  t.Q = Q;
  t.K = t.V = K;
  layer.mix(tokens, t, nullptr);
  lesson.claim_standard("these are the weights of the layer, max |diff|",
                        max_abs_difference(A, t.A), at_most(1e-14));
}

}  // namespace lesson6::p1

const Part<lesson6::Session> lesson6::part1{
    .number = 1,
    .title = "Attention by hand",
    .question = "What do scale and window do to the weights of a head?",
    .run = p1::run,
    .knobs = {&p1::scale_knob, &p1::window}};
