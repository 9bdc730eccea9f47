// Lesson 6: the wrong answers to its exercises that come to mind, and what is wrong with each. check.cpp compares with
// them what does not pass, so that a reader learns more than where two numbers differ.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/support/diagnosis.hpp"
#include "common/support/exercise.hpp"
#include "common/support/spread.hpp"
#include "lessons/6_bma/answers/one_head.hpp"

namespace lesson6 {

using exercise::agrees;
using exercise::Answer;
using exercise::Misreading;
using exercise::Mistake;
using exercise::numeric;

inline Matrix<double> turned(const Matrix<double>& A) { return Matrix<double>(transpose(A)); }
inline Matrix<double> sigmoid_of(const Matrix<double>& Z) { return map(Z, elementary::sigmoid<double>); }
inline Matrix<double> slope_of_sigmoid(const Matrix<double>& G) {
  return map(G, [](double g) { return g * (1 - g); });
}

// A result made of a matrix that is wrong already; nothing when that one is right or does not fit.
template <class Made>
void add_follower(std::vector<Mistake>& mistakes, const Answer& source, Made made) {
  if (source.yours.shape() != source.right.shape() || agrees(source.yours, source.right, numeric.tolerance)) return;
  mistakes.insert(mistakes.begin(), {made(source.yours), "follows from your " + source.name + ": mend that first"});
}

// ------------------------------------------------------------------------------------------------------------- 6.1

inline std::vector<Mistake> wrong_mixed_values(const Matrix<double>& Q, const Matrix<double>& V,
                                               const Matrix<double>& Wg) {
  const Matrix<double> G = matmul(Q, Wg);
  return {{hadamard(sigmoid_of(G), V), "that has the sigmoid; here the gate is Q·Wg itself"},
          {G, "that is the gate; it multiplies V, entry by entry"},
          {V, "that is V; the gate is missing"},
          {G + V, "gate and value are added; ⊙ multiplies them"},
          {hadamard(matmul(V, Wg), V), "the gate is computed from V; it comes from Q"},
          {hadamard(matmul(Q, transpose(Wg)), V), "Q·Wgᵀ in the place of Q·Wg"},
          {hadamard(Q, matmul(V, Wg)), "Wg belongs to Q, not to V"}};
}

inline std::vector<Mistake> wrong_dG(const Matrix<double>& G, const Matrix<double>& V, const Matrix<double>& dM) {
  return {{dM, "M = G ⊙ V: the slope of M in G is the other factor"},
          {hadamard(dM, G), "that is dV: multiplied by G, where the slope in G is the other factor"},
          {hadamard(hadamard(dM, V), slope_of_sigmoid(sigmoid_of(G))), "the slope of the sigmoid; there is none here"},
          {hadamard(hadamard(dM, V), slope_of_sigmoid(G)), "the slope of the sigmoid; there is none here"},
          {hadamard(hadamard(dM, V), G), "M itself times dM: G does not stand in its own slope"}};
}

inline std::vector<Mistake> wrong_dV(const Matrix<double>& G, const Matrix<double>& V, const Matrix<double>& dM) {
  return {{dM, "M = G ⊙ V: the slope of M in V is the other factor"},
          {hadamard(dM, V), "that is dG: multiplied by V, where the slope in V is the other factor"},
          {hadamard(dM, sigmoid_of(G)), "that has the sigmoid; here the gate is Q·Wg itself"},
          {hadamard(hadamard(dM, V), G), "M itself times dM: V does not stand in its own slope"}};
}

inline std::vector<Mistake> wrong_dWg(const Matrix<double>& Q, const Matrix<double>& V, const Matrix<double>& Wg,
                                      const Matrix<double>& dM, const Answer& dG) {
  std::vector<Mistake> mistakes{
      {matmul(transpose(Q), dM), "made from dM; G = Q·Wg is a linear layer, and dG comes back to it"},
      {matmul(transpose(V), dG.right), "Wg is multiplied by Q, not by V: Qᵀ stands before dG"},
      {matmul(transpose(V), dM), "Wg is multiplied by Q, and what comes back to it is dG"},
      {matmul(transpose(Q), hadamard(dM, matmul(Q, Wg))), "made from dV; what comes back to Wg is dG"},
      {1 / double(Q.rows()) * matmul(transpose(Q), dG.right), "averaged over the n tokens; they add"}};
  add_follower(mistakes, dG, [&](const Matrix<double>& yours) { return matmul(transpose(Q), yours); });
  return mistakes;
}

inline std::vector<Mistake> wrong_gate_dQ(const Matrix<double>& Q, const Matrix<double>& Wg, const Matrix<double>& dM,
                                          const Answer& dG) {
  std::vector<Mistake> mistakes{
      {matmul(dM, transpose(Wg)), "made from dM; G = Q·Wg is a linear layer, and dG comes back to it"},
      {matmul(dG.right, Wg), "Wg without its transpose: dX = dY·Wᵀ"},
      {matmul(hadamard(dM, matmul(Q, Wg)), transpose(Wg)), "made from dV; what comes back to Q through the gate is dG"},
      {dG.right, "that is dG; it goes back through Wg"}};
  add_follower(mistakes, dG, [&](const Matrix<double>& yours) { return matmul(yours, transpose(Wg)); });
  return mistakes;
}

inline const std::vector<Misreading> wrong_start{{0.5, "that is with the sigmoid: σ(0) is 1/2; here the gate is Q·Wg"},
                                                 {1, "the gate multiplies; 1 would leave V as it is, and Wg is 0"}};
inline const std::vector<Misreading> wrong_learners{
    {5, "with the sigmoid, yes; but here M is 0 at the start, and what reaches it goes through it"},
    {4, "more of them than one thinks are shut off: what does dWo = (A·M)ᵀ·dY need?"},
    {3, "more of them than one thinks are shut off: what does dA = dC·Mᵀ need?"},
    {2, "one of the two is shut off: dV = dM ⊙ G, and dWo = (A·M)ᵀ·dY"},
    {0, "then it would never start; and M moves at once when Wg does"}};
inline const std::vector<Misreading> wrong_doubled{
    {2, "that is standard attention; here two factors have X in them"},
    {1, "the weight stays 1, but what it weighs is made from X"},
    {8, "two factors of M have X in them; the weight of token 0 is 1 and stays"},
    {16, "the scores do become 4 times as large, but token 0 has only one, and its weight is 1"}};
inline const std::vector<Misreading> wrong_negated{{-1, "both factors of M change their sign"},
                                                   {0, "nothing cancels: follow the signs of Q, K and V"}};
inline const std::vector<Misreading> wrong_negated_standard{
    {1, "A stays, but V changes its sign, and nothing makes up for it"},
    {0, "nothing cancels: follow the signs of Q, K and V"}};

// ------------------------------------------------------------------------------------------------------------- 6.2

// The weights s²/Σs², row by row.
inline Matrix<double> squared_weights(const Matrix<double>& S) {
  Matrix<double> A = hadamard(S, S);
  for (std::size_t i = 0; i < A.rows(); ++i) {
    double sum = 0;
    for (const double a : A.row(i)) sum += a;
    for (double& a : A.row(i)) a /= sum;
  }
  return A;
}

inline std::vector<Mistake> wrong_squares_back(const Matrix<double>& S, const Matrix<double>& dA) {
  const Matrix<double> A = squared_weights(S), ones(S.cols(), 1, 1), weighted = hadamard(A, dA);
  const Matrix<double> row = matmul(weighted, ones), plain = matmul(dA, ones), column = column_sums(weighted),
                       q = matmul(hadamard(S, S), ones);
  const auto entries = [&](auto entry) {
    Matrix<double> dS(S.rows(), S.cols());
    for (std::size_t i = 0; i < S.rows(); ++i)
      for (std::size_t k = 0; k < S.cols(); ++k) dS(i, k) = entry(i, k);
    return dS;
  };
  return {{softmax_back(A, dA, 1), "that is the softmax's: there the slope of e^s is e^s, here that of s² is 2·s"},
          {softmax_back(A, dA, 2), "2·a_k stands before the bracket; the slope of s_k²/q is 2·s_k/q, not 2·s_k²/q"},
          {entries([&](auto i, auto k) { return S(i, k) / q(i, 0) * (dA(i, k) - row(i, 0)); }),
           "the 2 is missing: the slope of s² is 2·s"},
          {entries([&](auto i, auto k) { return 2 * S(i, k) * (dA(i, k) - row(i, 0)); }),
           "Σ s² is missing: each weight is divided by it"},
          {entries([&](auto i, auto k) { return 2 / q(i, 0) * (dA(i, k) - row(i, 0)); }), "the factor s_k is missing"},
          {entries([&](auto i, auto k) { return 2 * S(i, k) / q(i, 0) * dA(i, k); }),
           "the row's sum is missing: s_k moves the denominator of every weight of the row"},
          {entries([&](auto i, auto k) { return 2 * S(i, k) / q(i, 0) * (dA(i, k) - weighted(i, k)); }),
           "only k's own part of the sum: the other weights of the row move, too"},
          {entries([&](auto i, auto k) { return 2 * S(i, k) / q(i, 0) * (dA(i, k) - plain(i, 0)); }),
           "the row's sum is of dA alone; each is weighed by a_j"},
          {entries([&](auto i, auto k) { return 2 * S(i, k) / q(i, 0) * (dA(i, k) - plain(i, 0) / double(S.cols())); }),
           "the plain mean of the row's dA; it is weighed by the a_j"},
          {entries([&](auto i, auto k) { return 2 * S(i, k) / q(i, 0) * (dA(i, k) - row(i, 0) * q(i, 0)); }),
           "the sum is weighed by s_j², not by a_j: it is divided by Σ s², too"},
          {entries([&](auto i, auto k) { return 2 * S(i, k) / q(i, 0) * (dA(i, k) + row(i, 0)); }),
           "right but for the sign before Σ_j dA_j·a_j: what one weight gains the others lose"},
          {entries([&](auto i, auto k) { return 2 * S(i, k) / q(i, 0) * (dA(i, k) - column(0, k)); }),
           "Σ dA·a is taken down the columns; the weights of a row belong together"},
          {entries([&](auto i, auto k) { return 2 * S(i, k) / q(i, 0) * (dA(i, k) - dot(A, dA)); }),
           "Σ dA·a is taken over the whole matrix; each row has its own"},
          {dA, "that is dA as it came"}};
}

inline const std::vector<Misreading> wrong_factor_when_doubled{
    {4, "numerator and denominator both become four times as large"},
    {2, "numerator and denominator both grow"},
    {0.5, "numerator and denominator both grow"},
    {0.25, "numerator and denominator both become four times as large"}};
inline const std::vector<Misreading> wrong_scores_times_slopes{
    {1, "that is what a row of A adds up to; the slope along the row of scores is something else"},
    {2, "the 2 of the slope is a factor of the whole sum; what is the rest of it?"}};

// ------------------------------------------------------------------------------------------------------------- 6.3

// Tells whether token i sees token j, of a window of so many.
inline auto within(std::size_t window) {
  return [window](std::size_t i, std::size_t j) { return j <= i && j + window > i; };
}

inline Matrix<double> window_weights(const Matrix<double>& Q, const Matrix<double>& K, std::size_t window) {
  return softmax_rows(scores(Q, K), scale_of_scores(Q), within(window));
}

inline std::vector<Mistake> wrong_weights(const Matrix<double>& Q, const Matrix<double>& K, std::size_t window) {
  const Matrix<double> S = scores(Q, K);
  const double s = scale_of_scores(Q);
  const auto seen = within(window);
  const auto all = [](std::size_t, std::size_t) { return true; };
  const auto cut = [&](Matrix<double> A) {
    for (std::size_t i = 0; i < A.rows(); ++i)
      for (std::size_t j = 0; j < A.cols(); ++j)
        if (!seen(i, j)) A(i, j) = 0;
    return A;
  };
  const auto hide = [&](auto sees) { return softmax_rows(S, s, sees); };
  return {
      {hide(all), "no token is hidden from any"},
      {hide(causal), "what comes later is hidden, but the window has no far end"},
      {hide([&](std::size_t i, std::size_t j) { return j + window > i; }),
       "the far end is right, but tokens see what comes later"},
      {hide([&](std::size_t i, std::size_t j) { return !seen(i, j); }),
       "the mask is inverted: seen is hidden, and hidden is seen"},
      {hide([&](std::size_t i, std::size_t j) { return seen(j, i); }),
       "the wrong triangle: the window lies behind the token, where it shall not look"},
      {hide([&](std::size_t i, std::size_t j) { return j < i && j + window >= i; }),
       "no token sees itself: the window lies one place too far back"},
      {window_weights(Q, K, window - 1), "one token too few: `window` counts the token itself"},
      {softmax_rows(cut(S), s, all), "hidden scores are 0; but e^0 is 1, so they still get weight"},
      {cut(hide(all)), "the weights are set to 0 behind the softmax: what is left of a row no longer adds up to 1"},
      {cut(hide(causal)), "the weights are set to 0 behind the softmax: what is left of a row no longer adds up to 1"},
      {softmax_rows(S, 1, seen), "the window is right; the scale 1/√dh got lost"},
      {softmax_rows(S, s * s, seen), "the window is right; the scale is 1/√dh, not 1/dh"}};
}

// ------------------------------------------------------------------------------------------------------------- 6.4

// The two paths of dQ as they should be, and what goes wrong when they are put together.
inline std::vector<Mistake> wrong_dQ(const Matrix<double>& by_scores, const Matrix<double>& dZ,
                                     const Matrix<double>& dG, const Matrix<double>& Wg) {
  const Matrix<double> by_gate = matmul(dZ, transpose(Wg));
  const double s = scale_of_scores(by_scores);
  return {
      {by_gate, "the path through the gate alone; the one through the scores is overwritten, and the two add"},
      {by_scores - by_gate, "both paths are there, and they add: the sign between them"},
      {by_scores + matmul(dZ, Wg), "both paths are there, but Wg lacks its transpose"},
      {by_scores + matmul(dG, transpose(Wg)), "both paths are there, but the gate's lacks the slope of the sigmoid"},
      {by_scores + s * by_gate, "the scale s belongs to the scores; the gate has none"},
      {by_scores + 2 * by_gate, "the path through the gate is added twice"},
      {by_scores + dZ, "dZ has to go back through Wg before it is a part of dQ"},
      {hadamard(by_scores, by_gate), "the two paths are multiplied; they add"}};
}

// dV = dM ⊙ G, where dM comes back to the gated values.
inline std::vector<Mistake> wrong_gated_dV(const Matrix<double>& dM, const Matrix<double>& G, const Matrix<double>& V) {
  return {{dM, "the gate is missing: the slope of G ⊙ V in V is G"},
          {hadamard(dM, V), "that is dG: the slope of G ⊙ V in V is the other factor, G"},
          {hadamard(hadamard(dM, G), map(G, [](double g) { return 1 - g; })),
           "the slope of the sigmoid belongs to the gate's path, not to the value's"}};
}

// ------------------------------------------------------------------------------------------------------------- 6.5

inline std::vector<Mistake> wrong_gates(const Matrix<double>& A, const Matrix<double>& G, const Matrix<double>& L,
                                        const Matrix<double>& V, bool sum) {
  const auto behind = [&](const Matrix<double>& gate) { return hadamard(gate, matmul(A, V)); };
  const auto inside = [&](const Matrix<double>& gate) { return matmul(A, hadamard(gate, V)); };
  const auto both = [&](const Matrix<double>& out, const Matrix<double>& in) {
    return hadamard(out, matmul(A, hadamard(in, V)));
  };
  std::vector<Mistake> mistakes{
      {matmul(A, V), "both gates are missing"},
      {hadamard(G + L, V), "A is missing"},
      {hadamard(hadamard(G, L), V), "A is missing"},
      {behind(G), "L_j is missing: it depends on j, so it stays with the value"},
      {inside(L), "G_i is missing: it does not depend on j, so it leaves the sum"},
      {sum ? both(G, L) : behind(G) + inside(L), sum ? "that is the product of the gates; here they are added"
                                                     : "that is the sum of the gates; here they multiply"},
      {behind(L) + inside(G), "the two are exchanged: which of them does not depend on j?"},
      {both(L, G), "the two are exchanged: which of them does not depend on j?"},
      {behind(G + L), "L_j left the sum as well; it depends on j"},
      {inside(G + L), "G_i stays inside with the index j; it depends on i alone"},
      {behind(hadamard(G, L)), "L_j left the sum as well; it depends on j"},
      {inside(hadamard(G, L)), "G_i stays inside with the index j; it depends on i alone"},
      {hadamard(G, matmul(turned(A), V)) + matmul(turned(A), hadamard(L, V)), "A has no transpose here"},
      {hadamard(G, matmul(turned(A), hadamard(L, V))), "A has no transpose here"},
      {hadamard(G, matmul(A, L + V)), "value and gate are added; ⊙ multiplies them"}};
  return mistakes;
}

inline const std::vector<Misreading> wrong_numbers_of_pairs{
    {10'000, "a gate has dh numbers, not one"},
    {800, "that is for one token that attends; all of them do"},
    {1600, "that is for gates that can be taken apart"},
    {40'400, "that is for causal attention; here every token sees all"},
    {39'600, "that counts two tokens once, and none with itself; i reads j and j reads i through gates of their own"},
    {160'000, "one gate for a pair, made of two numbers that are added before"}};
inline const std::vector<Misreading> wrong_numbers_of_products{
    {80'000, "the two need not be multiplied for every pair: one leaves the sum"},
    {800, "each token has two gates"},
    {200, "a gate has dh numbers, not one"},
    {100, "a gate has dh numbers, and each token has two"}};

// ------------------------------------------------------------------------------------------------------------- 6.6

inline const std::string heads_share = "the heads share the columns: they divide them, and multiply nothing";
inline const std::string whole_width = "a head's query is made from all columns of X, not only from its own 64";
inline const std::vector<Misreading> wrong_attention{
    {4.0 * 768 * 768, "the biases are missing"},
    {3.0 * 768 * 768 + 3 * 768, "Wo and its bias are missing"},
    {3.0 * 768 * 768, "Wo is missing, and so are the biases"},
    {3.0 * 768 * 768 + 4 * 768, "Wo is missing"},
    {4.0 * 768 * 768 + 3 * 768, "bo is missing"},
    {12 * (4.0 * 768 * 768 + 4 * 768), heads_share},
    {12 * 4.0 * 768 * 768, heads_share},
    {12 * 4.0 * 64 * 64 + 4 * 768, whole_width},
    {12 * 4.0 * 64 * 64, whole_width},
    {4.0 * 768 * 768 + 4 * 768 + 12 * 64 * 64, "a gate is counted here; the question is without"}};
inline const std::vector<Misreading> wrong_bma{
    {64 * 64, "that is the gate of one head"},
    {768 * 768, "each head's gate reads its own query of dh numbers, and makes as many: a square for each head"},
    {12 * 64 * 64 + 768, "these gates have no bias"},
    {12.0 * 768 * 768, "a gate is dh x dh, and dh is only a part of d"},
    {12 * 12, "how many columns has a head?"}};
inline const std::vector<Misreading> wrong_post{
    {768 * 768, "the bias is missing"},
    {12 * 64 * 64 + 768, "that has a square for each head; post has one matrix for all columns"},
    {12 * 64 * 64, "that has a square for each head; post has one matrix for all columns, and a bias"},
    {12.0 * (768 * 768 + 768), "one matrix for all heads together"}};
inline const std::vector<Misreading> wrong_ratio{
    {4, "put d² over H·2·(d/H)² and cancel"},
    {16, "that is for gates of dh x dh; these read twice as many numbers"},
    {32, "wider gates have more numbers, so the ratio gets smaller"},
    {128, "there are 16 such gates: one 16 cancels"},
    {4.5, "that has 16 heads of the width that 12 have: dh is d/16 here"},
    {6, "that is for 12 heads; here H is 16"},
    {256, "there are 16 gates, and each is wider: put d² over H·2·(d/H)² and cancel"},
    {1.0 / 8, "the other way round"}};

inline std::vector<Misreading> wrong_language_model(double right) {
  constexpr double d = 48, vocab = 40, context = 24, layers = 3;
  constexpr double norm = 2 * d, attention = 4 * (d * d + d), feed_forward = 8 * d * d + 5 * d;
  constexpr double layer = 2 * norm + attention + feed_forward;
  return {
      {right - layers * layer, "the three layers are missing"},
      {right - 2 * layer, "that is with one layer"},
      {right - layer, "a layer is missing"},
      {right - vocab * d - vocab, "the read-out is missing; it is one of its own here"},
      {right - vocab * d, "a table of 40 x 48 is missing: there is one for the symbols, and the read-out's"},
      {right - 2 * vocab * d - vocab, "the table for the symbols and the read-out are missing"},
      {right - vocab, "the bias of the read-out is missing"},
      {right - context * d, "the table for the places is missing"},
      {right - vocab * d - context * d, "the tables for the symbols and for the places are missing"},
      {right - norm, "the last norm is missing"},
      {right - layers * norm, "96 are missing in each layer: one of its two norms, or the shifts of both"},
      {right - layers * 2 * norm - norm, "the norms are missing"},
      {right - layers * norm - norm / 2, "a norm has a gain and a shift"},
      {right - layers * 4 * d,
       "4·48 are missing in each layer: the norms, the biases of attention, or the inner ones of the feed-forward"},
      {right - layers * d,
       "48 are missing in each layer: the bias of Wo, the outer one of the feed-forward, or the shift of a norm"},
      {right - layers * 3 * d,
       "3·48 are missing in each layer: the biases of queries, keys and values, or three of the feed-forward's inner"},
      {right - layers * 4 * d * d, "one of the two matrices of the feed-forward part is missing"},
      {right - norm - vocab, "the last norm and the bias of the read-out are missing"},
      {right - norm - context * d, "the last norm and the table for the places are missing"},
      {right - vocab - context * d, "the bias of the read-out and the table for the places are missing"},
      {right + d - vocab, "the read-out's bias has a number for each symbol, not for each column"},
      {right + layers * 3 * d, "the outer bias of the feed-forward part has d numbers"},
      {right + layers * (2 * 16 - 8) * d * d, "one matrix of the feed-forward part is d x 4d, the other 4d x d"},
      {right - layers * 5 * d, "the biases of the feed-forward part are missing"},
      {right - layers * 9 * d, "the biases of attention and of the feed-forward part are missing"},
      {right - layers * 9 * d - vocab, "the biases of linear layers are missing"},
      {right - layers * 9 * d - vocab - layers * norm - norm / 2, "all biases and shifts are missing"},
      {right - layers * (d * d + d), "Wo and its bias are missing"},
      {right - layers * d * d, "Wo is missing"},
      {right + layers * 4 * 12 * 12, "a gate is counted here; the question is without"},
      {right + layers * (d * d + d), "a gate is counted here; the question is without"}};
}
inline const std::vector<Misreading> wrong_bma_in_all{
    {4 * 12 * 12, "that is one layer"},
    {3 * 12 * 12, "that is one head in each layer"},
    {12 * 12, "that is one head of one layer"},
    {3 * 48 * 48, "each head has a square for its own 12 columns"},
    {3 * (48 * 48 + 48), "a gate is dh x dh for each head, and has no bias"},
    {3 * 4 * (12 * 12 + 12), "a gate has no bias"}};
inline const std::vector<Misreading> wrong_kept{
    {3 * 48, "half of it: three layers, and in each a key and a value"},
    {48, "three layers, and in each a key and a value, of 12 numbers for each of the four heads"},
    {2 * 48, "that is one layer"},
    {3 * 2 * 12, "that is one head of each layer"},
    {3 * 3 * 48, "one too many: nobody asks again for the query of a token that is past"},
    {3 * 4 * 48, "two too many: what do later tokens ask of this one?"},
    {3 * 2 * 4 * 48, "the heads share the 48 columns: they divide them"},
    {3 * 24 * 48, "that is for all 24 tokens of the context, of one of two things"},
    {3 * 2 * 24 * 48, "that is for all 24 tokens of the context"}};
inline std::vector<Misreading> wrong_kept_bma() {
  std::vector<Misreading> wrong = wrong_kept;
  for (Misreading& misreading : wrong)
    if (misreading.value == 3 * 3 * 48)
      misreading.reason = "one too many: the gate is the value's own, so the two are one thing before they are kept";
  return wrong;
}

// ------------------------------------------------------------------------------------------------------------- 6.7

inline double mean_of(const std::vector<double>& a) { return spread_of(a).mean; }
inline double deviation_of(const std::vector<double>& a) { return spread_of(a).deviation; }

// Behind `deviation`, divided by n - 1, what it would be if divided by n.
inline double by_n(double deviation, double n) { return deviation * std::sqrt((n - 1) / n); }

inline std::vector<Misreading> wrong_mean(const std::vector<double>& a, const std::vector<double>& b) {
  const double difference = mean_of(b) - mean_of(a);
  return {{-difference, "that is a - b; here it is b - a, below 0 where b is better"},
          {double(a.size()) * difference, "that is the sum; divide by the count of seeds"},
          {double(a.size()) / double(a.size() - 1) * difference, "a mean is divided by n; n - 1 is for the deviation"},
          {mean_of(a), "that is the mean of a"},
          {mean_of(b), "that is the mean of b"}};
}

inline std::vector<Misreading> wrong_paired(const std::vector<double>& a, const std::vector<double>& b, double paired) {
  const double n = double(a.size()), x = deviation_of(a), y = deviation_of(b);
  return {{std::hypot(x, y), "that is the unpaired one: take the differences first, then their deviation"},
          {by_n(paired, n), "divided by n; for a sample it is n - 1"},
          {paired * paired, "that is the variance; take the root"},
          {paired / std::sqrt(n), "that is of the mean; here the deviation of a single difference is asked for"},
          {x - y, "the difference of two deviations; it is the deviation of the differences"},
          {y - x, "the difference of two deviations; it is the deviation of the differences"},
          {x + y, "the sum of two deviations; it is the deviation of the differences"},
          {x, "that is the deviation of a"},
          {y, "that is the deviation of b"}};
}

inline std::vector<Misreading> wrong_unpaired(const std::vector<double>& a, const std::vector<double>& b,
                                              double paired) {
  const double n = double(a.size()), x = deviation_of(a), y = deviation_of(b);
  return {
      {paired, "that is the paired one: here the two spreads are found apart from each other"},
      {x + y, "the squares add, not the deviations: √(α² + β²)"},
      {std::abs(x - y), "the squares add, not the deviations: √(α² + β²)"},
      {std::sqrt(std::abs(x * x - y * y)), "the squares add: √(α² + β²)"},
      {std::hypot(x, y) / std::sqrt(2), "that is of one of the two; the difference of two has both squares"},
      {x, "that is the deviation of a; b has its own"},
      {y, "that is the deviation of b; a has its own"},
      {x * x + y * y, "take the root"},
      {std::sqrt(x + y), "the squares add under the root: √(α² + β²)"},
      {by_n(std::hypot(x, y), n), "divided by n; for a sample it is n - 1"},
      {std::hypot(x, y) / std::sqrt(n), "that is of the mean; here the deviation of a single difference is asked for"}};
}

inline std::vector<Misreading> wrong_luck(const std::vector<double>& a, const std::vector<double>& b, double luck,
                                          double paired) {
  const double root = std::sqrt(double(a.size())), factor = luck * root / paired;
  return {{factor * paired, "the mean of n numbers is less at the mercy of chance than one: divide by √n"},
          {paired / root, "Student's factor is missing"},
          {1.96 * paired / root, "1.96 is for many numbers; of five one knows the spread less well"},
          {2 * paired / root, "2 is for many numbers; of five one knows the spread less well"},
          {factor * paired / (root * root), "divide by √n, not by n"},
          {factor * paired / std::sqrt(root * root - 1), "divide by √n; n - 1 is in the deviation already"},
          {factor * deviation_of(a) / root, "that is a's own; take the deviation of the differences"},
          {factor * deviation_of(b) / root, "that is b's own; take the deviation of the differences"},
          {factor * std::hypot(deviation_of(a), deviation_of(b)) / root,
           "judged without the pairs; take the paired deviation"},
          {paired, "that is the deviation; how far the mean may lie is another thing"}};
}

// ------------------------------------------------------------------------------------------------------------- 6.8

// What stands in each entry of another norm's output or gradient.
template <class Entry>
Matrix<double> by_entries(const Matrix<double>& like, Entry entry) {
  Matrix<double> made(like.rows(), like.cols());
  for (std::size_t i = 0; i < made.rows(); ++i)
    for (std::size_t j = 0; j < made.cols(); ++j) made(i, j) = entry(i, j);
  return made;
}

// The sizes 1/√(mean of x² + ε) of rows, n x 1; of rows less their mean, where `centered`.
inline Matrix<double> inverse_sizes(const Matrix<double>& X, double epsilon) {
  Matrix<double> r(X.rows(), 1);
  for (std::size_t i = 0; i < X.rows(); ++i) r(i, 0) = 1 / std::sqrt(squares_of(X, i) / double(X.cols()) + epsilon);
  return r;
}

inline std::vector<Mistake> wrong_root_mean_square(const Matrix<double>& X, const Matrix<double>& gain,
                                                   double epsilon) {
  const double d = double(X.cols());
  const Matrix<double> centered = less_mean(X), r = inverse_sizes(X, epsilon), r0 = inverse_sizes(centered, epsilon);
  return {
      {by_entries(X, [&](auto i, auto j) { return gain(0, j) * centered(i, j) * r0(i, 0); }),
       "that is layer norm; here no mean is taken away"},
      {by_entries(X, [&](auto i, auto j) { return gain(0, j) * X(i, j) * r0(i, 0); }),
       "divided by the root of the variance; it is the mean of x², from which no mean is taken away"},
      {by_entries(X, [&](auto i, auto j) { return X(i, j) * r(i, 0); }), "γ is missing"},
      {by_entries(X, [&](auto i, auto j) { return gain(0, j) * X(i, j) * r(i, 0) * r(i, 0); }), "the root is missing"},
      {by_entries(X, [&](auto i, auto j) { return gain(0, j) * X(i, j) / std::sqrt(squares_of(X, i) + epsilon); }),
       "divided by the root of the sum of squares; it is their mean"},
      {by_entries(X, [&](auto i, auto j) { return gain(0, j) * X(i, j) / std::sqrt(squares_of(X, i) / d); }),
       "ε is missing"},
      {by_entries(X,
                  [&](auto i, auto j) { return gain(0, j) * X(i, j) / (std::sqrt(squares_of(X, i) / d) + epsilon); }),
       "ε belongs under the root"}};
}

inline std::vector<Mistake> wrong_norm_dX(const Matrix<double>& X, const Matrix<double>& gain, const Matrix<double>& dY,
                                          double epsilon) {
  const double d = double(X.cols());
  const Matrix<double> r = inverse_sizes(X, epsilon),
                       N = by_entries(X, [&](auto i, auto j) { return X(i, j) * r(i, 0); }),
                       dN = by_entries(X, [&](auto i, auto j) { return gain(0, j) * dY(i, j); });
  const Matrix<double> ones(X.cols(), 1, 1), along = 1 / d * matmul(hadamard(dN, N), ones),
                                             mean = 1 / d * matmul(dN, ones),
                                             bare = 1 / d * matmul(hadamard(dY, N), ones);
  const auto made = [&](auto entry) { return by_entries(X, entry); };
  return {
      {made([&](auto i, auto j) { return r(i, 0) * (dN(i, j) - mean(i, 0) - N(i, j) * along(i, 0)); }),
       "that is layer norm's: the mean of dN came through the mean of x, which is not taken away here"},
      {made([&](auto i, auto j) { return r(i, 0) * dN(i, j); }),
       "r is treated as a constant; it depends on every x of the row"},
      {made([&](auto i, auto j) { return dN(i, j) - N(i, j) * along(i, 0); }),
       "the factor r before the bracket is missing"},
      {made([&](auto i, auto j) { return r(i, 0) * (dN(i, j) - X(i, j) * along(i, 0)); }),
       "x stands in the bracket where N belongs: an r is missing there"},
      {made([&](auto i, auto j) { return r(i, 0) * (dN(i, j) - N(i, j) * d * along(i, 0)); }),
       "the sum of dN ⊙ N in the place of its mean"},
      {made([&](auto i, auto j) { return r(i, 0) * (dN(i, j) + N(i, j) * along(i, 0)); }),
       "a sign: a larger x makes r smaller"},
      {made([&](auto i, auto j) { return r(i, 0) * (dY(i, j) - N(i, j) * bare(i, 0)); }), "γ is missing: dN = γ ⊙ dy"},
      {made([&](auto i, auto j) { return r(i, 0) * (dN(i, j) - N(i, j) * bare(i, 0)); }),
       "γ is missing in the mean: it is of dN ⊙ N, not of dy ⊙ N"},
      {made([&](auto i, auto j) { return r(i, 0) * gain(0, j) * (dY(i, j) - N(i, j) * bare(i, 0)); }),
       "γ stands before the bracket: it belongs to dN alone, inside and in the mean"},
      {made([&](auto i, auto j) { return r(i, 0) * (dY(i, j) - N(i, j) * along(i, 0)); }),
       "γ is missing beside dy, and stands in the mean only: dN = γ ⊙ dy in both places"},
      {made([&](auto i, auto j) { return r(i, 0) * (dN(i, j) - 2 * N(i, j) * along(i, 0)); }),
       "a 2 too many: the root halves the slope of the square"}};
}

inline std::vector<Mistake> wrong_norm_dgain(const Matrix<double>& X, const Matrix<double>& gain,
                                             const Matrix<double>& dY, double epsilon) {
  const Matrix<double> r = inverse_sizes(X, epsilon),
                       N = by_entries(X, [&](auto i, auto j) { return X(i, j) * r(i, 0); });
  return {{column_sums(dY), "that is the gradient of a shift; γ is multiplied by N"},
          {column_sums(hadamard(dY, X)), "γ is multiplied by N, not by x"},
          {hadamard(gain, column_sums(hadamard(dY, N))), "γ itself does not stand in the slope of γ ⊙ N in γ"},
          {1 / double(X.rows()) * column_sums(hadamard(dY, N)), "averaged over the rows; they add"},
          {Matrix<double>(row_block(hadamard(dY, N), X.rows() - 1, 1)), "the last row alone: = in the place of +="}};
}

// ------------------------------------------------------------------------------------------------------------- 6.9

// Returns the column of the largest entry of a row.
inline std::size_t largest_of(const Matrix<double>& A, std::size_t i) {
  const std::span<const double> row = A.row(i);
  return std::size_t(std::max_element(row.begin(), row.end()) - row.begin());
}

// Says what a head does that shall look back by one, from its mean weights over contents: which token row i attends to;
// `unmasked` has what it would attend to if it saw all.
inline std::string diagnose_weights(const Matrix<double>& A, const Matrix<double>& unmasked, std::size_t i) {
  const std::size_t most = largest_of(A, i), wanted = largest_of(unmasked, i);
  if (wanted == i + 1)
    return join("token ", i, " asks for the token behind it, where it may not look: the shift goes the other way");
  const std::string weight = join("token ", i, " gives token ", most, " its largest weight, ", fixed(A(i, most), 3));
  if (most + 1 == i && A(i, most) < 0.9) return "the right token, scores too near one another. " + weight;
  if (A(i, most) < 1.5 / double(i + 1)) return "the weights are even: do places meet in the scores? " + weight;
  if (most == i) return "tokens look at themselves: the query must ask for another place. " + weight;
  if (most + 1 == i) return "the right token, but not enough of it: scores must differ by more. " + weight;
  return "tokens look at another place than the one before. " + weight;
}

}  // namespace lesson6
