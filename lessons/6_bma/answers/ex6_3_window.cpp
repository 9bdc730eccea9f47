// Exercise 6.3: attention with a window. Find the bug.
// Hint: Row i may move only when a token changes that it sees. Write the j that are hidden from i = 3 for a window of 2,
// then those that the condition hides.
// Hint: The first token that is too far away for i is i - 2. Is j + window < i true for it?
// SPDX-License-Identifier: MIT
#include <ex6_3_window.hpp>
#include <set>

#include "lessons/6_bma/answers/shared.hpp"

using namespace shared;

static bool sees(std::size_t i, std::size_t j, std::size_t window) { return j <= i && j + window > i; }

// The weights of rows that see all, or back alone, with what the window hides set to 0 behind the softmax.
static Matrix<double> cut_behind(const Matrix<double>& Q, const Matrix<double>& K, std::size_t window, bool back) {
  Matrix<double> A =
      softmax_rows(scores(Q, K), scale_of_scores(Q), [&](std::size_t i, std::size_t j) { return !back || j <= i; });
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j)
      if (!sees(i, j, window)) A(i, j) = 0;
  return A;
}

namespace ours::ex6_3 {

// A, n x n: softmax(Q·Kᵀ/√dh) row by row. Q and K are n x dh; rows and columns are counted from 0.
inline Matrix<double> window_weights(const Matrix<double>& Q, const Matrix<double>& K, std::size_t window) {
  double never = -std::numeric_limits<double>::infinity();  // softmax makes it 0
  slip(never, 0.0, "hidden scores are 0; but e^0 is 1, so they still get weight");
  double scale = 1 / std::sqrt(double(Q.cols()));
  slip(scale, 1.0, "the window is right; the scale 1/√dh got lost");
  slip(scale, scale * scale, "the window is right; the scale is 1/√dh, not 1/dh");
  Matrix<double> A = scale * matmul(Q, transpose(K));
  for (std::size_t i = 0; i < A.rows(); ++i) {
    for (std::size_t j = 0; j < A.cols(); ++j) {
      bool hidden = j > i || j + window <= i;
      slip(hidden, j > i || j + window < i, "one token too many: which is the first that is too far away?");
      slip(hidden, false, "no token is hidden from any");
      slip(hidden, j > i, "what comes later is hidden, but the window has no far end");
      slip(hidden, j + window <= i, "the far end is right, but tokens see what comes later");
      slip(hidden, !hidden, "the mask is inverted: seen is hidden, and hidden is seen");
      slip(hidden, i > j || i + window <= j,
           "the wrong triangle: the window lies behind the token, where it shall not look");
      slip(hidden, j > i || j + window <= i + 1, "one token too few: `window` counts the token itself");
      if (hidden) A(i, j) = never;
    }
    softmax(A.row(i));
  }
  slip(A, cut_behind(Q, K, window, false),
       "the weights are set to 0 behind the softmax: what is left of a row no longer adds up to 1");
  slip(A, cut_behind(Q, K, window, true),
       "the weights are set to 0 behind the softmax: what is left of a row no longer adds up to 1");
  return A;
}

}  // namespace ours::ex6_3

// What tokens are made to: queries, keys and values, all of width dh.
struct Tokens {
  Matrix<double> X, Wq, Wk, Wv;

  Matrix<double> Q() const { return matmul(X, Wq); }
  Matrix<double> K() const { return matmul(X, Wk); }
  Matrix<double> mixture() const {
    const auto A = calling("window_weights", [&] { return ex6_3::window_weights(Q(), K(), 2); });
    return matmul(A, matmul(X, Wv));
  }
};

// The test for one token: which rows move that must not, and which must and do not. NaN differs from everything.
static std::string diagnose_window(const Tokens& tokens, std::size_t token, Random& random) {
  Tokens changed = tokens;
  for (double& x : changed.X.row(token)) x = random.normal();
  const Matrix<double> before = tokens.mixture(), after = changed.mixture();
  std::set<std::size_t> too_many, missing;
  for (std::size_t i = 0; i < before.rows(); ++i) {
    const Matrix<double> one(row_block(before, i, 1)), other(row_block(after, i, 1));
    const bool moved = !(max_abs_difference(one, other) <= rounding);
    if (!sees(i, token, 2) && moved) too_many.insert(i);
    if (sees(i, token, 2) && !moved) missing.insert(i);
  }
  std::string text;
  if (!too_many.empty()) text = "moves " + list_of("row", too_many) + ", too";
  if (!missing.empty()) text += std::string(text.empty() ? "" : ", and ") + "does not move " + list_of("row", missing);
  return text;
}

static Verdict check() {
  constexpr std::size_t n = 5, dh = 4;
  Random random(3);
  const Tokens tokens{drawn(n, dh, random, 0.7), drawn(dh, dh, random, 0.7), drawn(dh, dh, random, 0.7),
                      drawn(dh, dh, random, 0.7)};
  const Matrix<double> Q = tokens.Q(), K = tokens.K();
  const auto answer = [&](std::size_t window) {
    const auto yours = calling("window_weights", [&] { return ex6_3::window_weights(Q, K, window); });
    return Answer{"window_weights", yours, ours::ex6_3::window_weights(Q, K, window)};
  };
  const Answer A = answer(2);
  if (A.yours.shape() != A.right.shape()) return wrong("window_weights: " + diagnose_shape(A));
  if (const std::string text = diagnose_not_finite(A); !text.empty())
    return wrong(
        "window_weights: " + text +
        "\nthe softmax of a row that sees nothing is 0/0: each token sees itself, and i - window is no negative "
        "number, since counts wrap at 0");
  const bool as_given = agrees(A.yours, ours::ex6_3::window_weights(Q, K, 3), rounding);
  Findings findings;
  for (std::size_t t = 0; t < n; ++t) findings.add(join("a change of token ", t), diagnose_window(tokens, t, random));
  const std::string cause = diagnose(A, by_formula, [&] { return ours::ex6_3::window_weights(Q, K, 2); });
  if (as_given) return unless_as_given(findings.verdict(), as_given);
  if (!cause.empty()) return wrong("window_weights: " + cause);
  if (findings.verdict().state != State::done) return findings.verdict();
  const std::string text = diagnose(answer(4), by_formula);
  return text.empty() ? done() : wrong("right for a window of 2, not for one of 4: " + text);
}
static const Exercise here{"6.3", "A window", check};
