// Lesson 6: the wrong answers to its exercises that come to mind, and what is wrong with each. check.cpp compares with
// them what does not pass, so that a reader learns more than where two numbers differ.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "common/support/diagnosis.hpp"
#include "common/support/exercise.hpp"
#include "common/support/spread.hpp"
#include "one_head.hpp"

namespace exercise {

inline Matrix<double> turned(const Matrix<double>& A) { return Matrix<double>(transpose(A)); }
inline Matrix<double> sigmoid_of(const Matrix<double>& Z) { return map(Z, elementary::sigmoid<double>); }
inline Matrix<double> slope_of_sigmoid(const Matrix<double>& G) {
  return map(G, [](double g) { return g * (1 - g); });
}

// A result made of a matrix that is wrong already; nothing when that one is right or does not fit.
template <class Made>
void add_follower(std::vector<Mistake>& mistakes, const Answer& source, Made made) {
  if (source.yours.shape() != source.right.shape() || agrees(source.yours, source.right, numeric.tolerance)) return;
  mistakes.push_back({made(source.yours), "follows from your " + source.name + ": mend that first"});
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
          {hadamard(dM, G), "that is multiplied by G; the slope in G is the other factor"},
          {hadamard(hadamard(dM, V), slope_of_sigmoid(sigmoid_of(G))), "the slope of the sigmoid; there is none here"},
          {hadamard(hadamard(dM, V), slope_of_sigmoid(G)), "the slope of the sigmoid; there is none here"},
          {hadamard(hadamard(dM, V), G), "M itself times dM: G does not stand in its own slope"}};
}

inline std::vector<Mistake> wrong_dV(const Matrix<double>& G, const Matrix<double>& V, const Matrix<double>& dM) {
  return {{dM, "M = G ⊙ V: the slope of M in V is the other factor"},
          {hadamard(dM, V), "that is multiplied by V; the slope in V is the other factor"},
          {hadamard(dM, sigmoid_of(G)), "that has the sigmoid; here the gate is Q·Wg itself"},
          {hadamard(hadamard(dM, V), G), "M itself times dM: V does not stand in its own slope"}};
}

inline std::vector<Mistake> wrong_dWg(const Matrix<double>& Q, const Matrix<double>& V, const Matrix<double>& dM,
                                      const Answer& dG) {
  std::vector<Mistake> mistakes{
      {matmul(transpose(Q), dM), "made from dM; G = Q·Wg is a linear layer, and dG comes back to it"},
      {matmul(transpose(V), dG.right), "Wg is multiplied by Q, not by V: Qᵀ stands before dG"},
      {matmul(transpose(V), dM), "Wg is multiplied by Q, and what comes back to it is dG"},
      {1 / double(Q.rows()) * matmul(transpose(Q), dG.right), "averaged over the n tokens; they add"}};
  add_follower(mistakes, dG, [&](const Matrix<double>& yours) { return matmul(transpose(Q), yours); });
  return mistakes;
}

inline std::vector<Mistake> wrong_gate_dQ(const Matrix<double>& Wg, const Matrix<double>& dM, const Answer& dG) {
  std::vector<Mistake> mistakes{
      {matmul(dM, transpose(Wg)), "made from dM; G = Q·Wg is a linear layer, and dG comes back to it"},
      {matmul(dG.right, Wg), "Wg without its transpose: dX = dY·Wᵀ"},
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

// s·A ⊙ (dA - mean(i, j)).
template <class Mean>
Matrix<double> softmax_back_with(const Matrix<double>& A, const Matrix<double>& dA, double s, Mean mean) {
  Matrix<double> dS(A.rows(), A.cols());
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) dS(i, j) = s * A(i, j) * (dA(i, j) - mean(i, j));
  return dS;
}

// With the factor s and, if `also` is given, with another one and those words behind the reason.
inline void add_softmax_mistakes(std::vector<Mistake>& mistakes, const Matrix<double>& A, const Matrix<double>& dA,
                                 double s, const std::string& also) {
  const Matrix<double> ones(1, A.cols(), 1);
  const Matrix<double> weighted = hadamard(A, dA), column = column_sums(weighted);
  const Matrix<double> row = matmul(weighted, transpose(ones)), row_of_dA = matmul(dA, transpose(ones));
  const double all = dot(A, dA), n = double(A.cols());
  const auto with = [&](auto mean) { return softmax_back_with(A, dA, s, mean); };
  const std::vector<Mistake> found{
      {with([](std::size_t, std::size_t) { return 0.0; }), "the row's sum Σ_j dA_j·a_j is missing"},
      {with([&](std::size_t, std::size_t j) { return column(0, j); }),
       "Σ dA·a is taken down the columns; a softmax runs along a row"},
      {with([&](std::size_t i, std::size_t) { return column(0, i); }),
       "Σ dA·a is taken down the columns; a softmax runs along a row"},
      {with([&](std::size_t, std::size_t) { return all; }),
       "Σ dA·a is taken over the whole matrix; each row has its own"},
      {with([&](std::size_t i, std::size_t) { return row_of_dA(i, 0); }),
       "the row's sum is of dA alone; each is weighed by a_j"},
      {with([&](std::size_t i, std::size_t) { return row_of_dA(i, 0) / n; }),
       "the plain mean of the row's dA; it is weighed by the a_j"},
      {with([&](std::size_t i, std::size_t) { return row(i, 0) / n; }),
       "Σ_j dA_j·a_j is divided by n; it is a mean already"},
      {with([&](std::size_t i, std::size_t) { return -row(i, 0); }), "right but for the sign before Σ_j dA_j·a_j"},
      {with([&](std::size_t i, std::size_t j) { return weighted(i, j); }),
       "that is a_k·(1 - a_k)·dA_k, the diagonal of the Jacobian: the other a_j of the row move, too"},
      {s * softmax_back_with(map(A, [](double) { return 1.0; }), dA, 1,
                             [&](std::size_t i, std::size_t) { return row(i, 0); }),
       "the factor a_k is missing"}};
  for (const Mistake& mistake : found) mistakes.push_back({mistake.value, mistake.reason + also});
}

inline std::vector<Mistake> wrong_softmax_back(const Matrix<double>& A, const Matrix<double>& dA, double s) {
  const Matrix<double> right = softmax_back(A, dA, 1);
  std::vector<Mistake> mistakes{{right, "the scale is missing: A is the softmax of s·S, so s comes back, too"},
                                {1 / s * right, "divided by s; A is the softmax of s·S, so s multiplies"},
                                {s * s * right, "s counts once"},
                                {dA, "that is dA as it came"},
                                {s * dA, "that is s·dA: the softmax itself has no part in it"}};
  add_softmax_mistakes(mistakes, A, dA, s, "");
  add_softmax_mistakes(mistakes, A, dA, 1, "; and the scale s is missing");
  return mistakes;
}

inline const std::vector<Misreading> wrong_row_sum{
    {1, "that is what a row of A adds up to; its weights can only trade with each other"}};

// ------------------------------------------------------------------------------------------------------------- 6.3

// What the given code makes of Q and K.
inline Matrix<double> weights_that_see_one_more(const Matrix<double>& Q, const Matrix<double>& K) {
  return softmax_rows(scores(Q, K), scale_of_scores(Q), [](std::size_t i, std::size_t j) { return j <= i + 1; });
}

inline std::vector<Mistake> wrong_weights(const Matrix<double>& Q, const Matrix<double>& K) {
  const Matrix<double> S = scores(Q, K);
  const double s = scale_of_scores(Q);
  const auto all = [](std::size_t, std::size_t) { return true; };
  const auto cut = [](Matrix<double> A) {
    for (std::size_t i = 0; i < A.rows(); ++i)
      for (std::size_t j = i + 1; j < A.cols(); ++j) A(i, j) = 0;
    return A;
  };
  return {{softmax_rows(S, s, all), "no token is hidden from any"},
          {softmax_rows(S, s, [](std::size_t i, std::size_t j) { return j >= i; }),
           "the wrong triangle: tokens see what stands behind them, and nothing before"},
          {softmax_rows(S, s, [](std::size_t i, std::size_t j) { return j < i; }),
           "no token sees itself; token 0 then sees nothing at all"},
          {softmax_rows(cut(S), s, all), "hidden scores are 0; but e^0 is 1, so they still get weight"},
          {cut(softmax_rows(S, s, all)),
           "the weights are set to 0 behind the softmax: what is left of a row no longer adds up to 1"},
          {softmax_rows(S, 1, causal), "the mask is right; the scale 1/√dh got lost"},
          {softmax_rows(S, s * s, causal), "the mask is right; the scale is 1/√dh, not 1/dh"}};
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

// ------------------------------------------------------------------------------------------------------------- 6.5

inline std::vector<Mistake> wrong_gated_sum(const Matrix<double>& A, const Matrix<double>& G, const Matrix<double>& V,
                                            bool own) {
  const auto mixed = [&](const auto& weights, bool inside) {
    return inside ? matmul(weights, hadamard(G, V)) : hadamard(G, matmul(weights, V));
  };
  Matrix<double> last_only = A;
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j + 1 < A.cols(); ++j) last_only(i, j) = 0;
  const std::string other = own ? "that has G_i, the gate of the token that attends"
                                : "that has G_j, the gate of the token that is looked at";
  std::vector<Mistake> mistakes{
      {mixed(A, !own), other},
      {matmul(A, V), "the gate is missing"},
      {mixed(transpose(A), own), "A is read as A_ji; row i of A holds the weights of token i"},
      {hadamard(G, V), "the weights are missing: Σ_j A_ij"},
      {matmul(A, G), "the values are missing"},
      {mixed(last_only, own), "that is the last term of the sum over j: = in the place of +="}};
  if (own) mistakes.push_back({hadamard(matmul(A, G), V), "that has V_i; the values are those of token j"});
  return mistakes;
}

inline std::vector<Mistake> wrong_gate_after_sum(const Matrix<double>& A, const Matrix<double>& G,
                                                 const Matrix<double>& V) {
  return {{matmul(A, hadamard(G, V)), "that is A·(G ⊙ V), with the gate inside the sum"},
          {matmul(A, V), "the gate is missing"},
          {hadamard(G, V), "A is missing"},
          {hadamard(G, matmul(transpose(A), V)), "A has no transpose here"},
          {hadamard(V, matmul(A, G)), "gate and value are exchanged"}};
}

inline const std::vector<Misreading> wrong_rows{
    {0, "there is a token that sees nobody but itself"},
    {6, "not in all: the two sums are different as soon as a second j comes in"},
    {5, "that is how many differ"}};

// ------------------------------------------------------------------------------------------------------------- 6.6

inline const std::vector<Misreading> wrong_attention{
    {4.0 * 512 * 512, "the biases are missing"},
    {3.0 * 512 * 512 + 3 * 512, "Wo and its bias are missing"},
    {3.0 * 512 * 512, "Wo is missing, and so are the biases"},
    {3.0 * 512 * 512 + 4 * 512, "Wo is missing"},
    {4.0 * 512 * 512 + 3 * 512, "bo is missing"},
    {8 * (4.0 * 512 * 512 + 4 * 512), "the heads share the 512 columns: they divide them, and multiply nothing"},
    {8 * 4.0 * 512 * 512, "the heads share the 512 columns: they divide them, and multiply nothing"},
    {8 * 4.0 * 64 * 64 + 4 * 512, "a head's query is made from all 512 columns of X, not only from its own 64"},
    {8 * 4.0 * 64 * 64, "a head's query is made from all 512 columns of X, not only from its own 64"},
    {4.0 * 512 * 512 + 4 * 512 + 8 * 64 * 64, "that is with BMA already"}};
inline const std::vector<Misreading> wrong_bma{
    {64 * 64, "that is the gate of one head"},
    {512 * 512, "that would be one gate for all 512 columns; each head has a square for its own 64"},
    {8 * 64 * 64 + 512, "these gates have no bias"},
    {8.0 * 512 * 512, "a gate is dh x dh, and dh is d/8"},
    {8 * 8, "the head has 512/8 columns, not 8"}};
inline const std::vector<Misreading> wrong_post{
    {512 * 512, "the bias is missing"},
    {8 * 64 * 64 + 512, "that has a square for each head; post has one for all columns"},
    {8 * 64 * 64, "that is BMA"},
    {8.0 * (512 * 512 + 512), "one matrix for all heads together"}};
inline const std::vector<Misreading> wrong_ratio{{4, "4 has been claimed in print; put d²/(H·(d/H)²) down and cancel"},
                                                 {8, "that is for 8 heads"},
                                                 {256, "there are 16 gates of (d/16)²: one 16 cancels"},
                                                 {1.0 / 16, "the other way round"}};

inline std::vector<Misreading> wrong_language_model(double right) {
  constexpr double d = 64, vocab = 65, context = 64, layers = 2;
  constexpr double norm = 2 * d, attention = 4 * (d * d + d), feed_forward = 8 * d * d + 5 * d;
  constexpr double layer = 2 * norm + attention + feed_forward;
  return {{right - layers * layer, "the two layers are missing"},
          {right - layer, "that is with one layer"},
          {right - vocab * d - vocab, "the head is missing; it is one of its own here"},
          {right - vocab * d, "a table of 65 x 64 is missing: there is one for the symbols, and the head's"},
          {right - vocab, "the head's bias is missing"},
          {right - context * d, "the table for the places is missing"},
          {right - vocab * d - context * d, "the tables for the symbols and for the places are missing"},
          {right - norm, "the last norm is missing"},
          {right - layers * norm, "there are two norms in each layer"},
          {right - layers * norm - norm / 2, "a norm has a gain and a shift"},
          {right - layers * 4 * d, "4·64 are missing in each layer: the norms, or the biases of attention"},
          {right - layers * 5 * d, "10·64 are missing: all of the norms, or the biases of the feed-forward part"},
          {right - layers * 9 * d, "the biases of attention and of the feed-forward part are missing"},
          {right - layers * 9 * d - vocab, "the biases of linear layers are missing"},
          {right - layers * 9 * d - vocab - layers * norm - norm / 2, "all biases and shifts are missing"},
          {right - layers * (d * d + d), "65·64 is missing twice: Wo and bo, or the tables of symbols and head"},
          {right - layers * d * d, "Wo is missing"},
          {right + layers * 4 * 16 * 16, "that is with BMA already"},
          {right + layers * (d * d + d), "that is with post already"}};
}
inline const std::vector<Misreading> wrong_bma_in_all{{4 * 16 * 16, "that is one layer"},
                                                      {2 * 16 * 16, "that is one head in each layer"},
                                                      {16 * 16, "that is one head of one layer"},
                                                      {2 * 64 * 64, "each head has a square for its own 16 columns"},
                                                      {2 * (64 * 64 + 64), "that is post"}};
inline const std::vector<Misreading> wrong_kept{
    {2 * 64, "half of it: two layers, and in each a key and a value"},
    {64, "two layers, and in each a key and a value, of 16 numbers for each of the four heads"},
    {2 * 3 * 64, "one too many: nobody asks again for the query of a token that is past"},
    {2 * 4 * 64, "two too many: what do later tokens ask of this one?"},
    {2 * 64 * 64, "that is for all 64 tokens of the context, of one of two things"},
    {2 * 2 * 64 * 64, "that is for all 64 tokens of the context"},
    {3 * 64, "two layers, and in each a key and a value"}};
inline std::vector<Misreading> wrong_kept_bma() {
  std::vector<Misreading> wrong = wrong_kept;
  wrong[2].reason = "one too many: the gate is the value's own, so the two are one thing before they are kept";
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
          {mean_of(a), "that is the mean of a"},
          {mean_of(b), "that is the mean of b"}};
}

inline std::vector<Misreading> wrong_paired(const std::vector<double>& a, const std::vector<double>& b, double paired) {
  const double n = double(a.size()), x = deviation_of(a), y = deviation_of(b);
  return {{std::hypot(x, y), "that is the unpaired one: take the differences first, then their deviation"},
          {by_n(paired, n), "divided by n; for a sample it is n - 1"},
          {paired * paired, "that is the variance; take the root"},
          {paired / std::sqrt(n), "that is of the mean; here the deviation of a single difference is asked for"},
          {std::abs(x - y), "the difference of two deviations; it is the deviation of the differences"},
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
      {x * x + y * y, "take the root"},
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
          {factor * std::hypot(deviation_of(a), deviation_of(b)) / root,
           "judged without the pairs; take the paired deviation"},
          {paired, "that is the deviation; how far the mean may lie is another thing"}};
}

}  // namespace exercise
