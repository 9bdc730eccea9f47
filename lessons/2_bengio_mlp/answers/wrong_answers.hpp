// Lesson 2: the wrong answers to its exercises that come to mind, and what is wrong with each. check.cpp compares with
// them what does not pass, so that a reader learns the cause and not only where two numbers differ.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/support/exercise.hpp"
#include "lessons/2_bengio_mlp/model/1_windows.hpp"

namespace exercise {

using lesson2::Windows;

// ------------------------------------------------------------------------------------------------------------- 2.1

inline const std::vector<Misreading> wrong_chances{
    {std::log2(27.0), "that is in bits; nats have e as their base"},
    {std::log10(27.0), "the logarithm to base 10; nats have e as their base"},
    {std::log(65.0), "that is for 65 symbols; here there are 27"},
    {std::log(28.0), "padding is seen, but never predicted"},
    {std::log(27.0) / 27, "p·ln p of one symbol; the mean runs over what comes, and each time the loss is the same"},
    {1.0 / 27, "that is the probability; the loss is minus its logarithm"},
    {27, "that is the perplexity"}};
inline const std::vector<Misreading> wrong_quarters{
    {2, "that is in bits; nats have e as their base"},
    {0.25, "that is the probability; the loss is minus its logarithm"},
    {0.75, "the loss is minus the logarithm of the probability"},
    {std::log(4.0) / 4, "p·ln p: the right symbol came every time, so nothing weighs it with 1/4"},
    {-std::log(0.75), "that is for a probability of 3/4"},
    {0.25 * std::log(4.0) + 0.75 * std::log(4.0 / 3),
     "that is the entropy of 1/4 and 3/4; the loss looks at the symbol that came alone"},
    {4, "that is its perplexity"}};
inline const std::vector<Misreading> wrong_perplexities{
    {std::exp2(1.5), "2^loss is for a loss in bits"},
    {std::pow(10, 1.5), "10^loss is for a logarithm to base 10"},
    {std::log(1.5), "the other way round: the loss is the logarithm"},
    {std::exp(-1.5), "that is the probability; the perplexity is one over it"},
    {1.5, "that is the loss itself"}};
inline std::vector<Misreading> wrong_parameters(double all) {
  return {{all - 10, "C has a row for padding too"},
          {all - 227, "the biases are parameters too"},
          {all - 237, "C has a row for padding too, and the biases are parameters"},
          {all - 280, "the table C is learned too"},
          {all - 270, "of the table C there is only a part"},
          {all - 4000, "W1 has a row for each of the 3·10 numbers that go in"},
          {all + 201, "padding has a row in C, but is never predicted"},
          {all + 560, "the three places share one table C"},
          {all - 27, "the bias of the output layer is missing"},
          {all - 200, "the bias of the hidden layer is missing"}};
}
inline const std::vector<Misreading> wrong_letters{
    {10, "that is its row of C; it can also be predicted"},
    {200, "that is its column of W2; two other tensors grow, too"},
    {201, "it can also be seen: C grows"},
    {210, "it has a bias among the outputs"},
    {11, "it can be predicted: W2 grows"},
    {2000, "that is for one more symbol of context"},
    {211 + 600, "W1 does not grow: it sees numbers, not symbols"},
    {211 + 6000, "W1 does not grow: it sees numbers, not symbols"},
    {211 + 2000, "W1 does not grow: it sees numbers, not symbols"},
    {30 + 200 + 1, "C is shared by the places, and so its row counts once"}};

// ------------------------------------------------------------------------------------------------------------- 2.2

inline const std::vector<Misreading> wrong_alone{
    {5.0 / 11, "that is the frequency: λ is missing"},
    {6.0 / 12, "λ is multiplied by p₀"},
    {6.0 / 16, "that adds 1 to the count of every symbol; λ·p₀ is shared among them"},
    {5.2 / 11, "λ is missing below: the probabilities would not add up to 1"},
    {5.0 / 12, "λ·p₀ is missing above: the probabilities would not add up to 1"},
    {5.2 / 11.2, "below stands λ, not λ·p₀"},
    {4.2 / 12, "there are five a"},
    {5.8 / 15, "that is with the lesson's λ, 4; here λ is 1"},
    {0.2, "that is p₀"}};
inline const std::vector<Misreading> wrong_after_a{
    {0.5, "that is the frequency behind a: λ is missing"},
    {0.4, "λ·p_1 is missing above: the probabilities would not add up to 1"},
    {0.44, "p₀ was mixed in; the next shorter context is p_1"},
    {(2 + 2.0 / 11) / 5, "p_1 is an interpolation, too, not the frequency of b"},
    {(2 + 2.2 / 12) / 4, "λ is missing below: the probabilities would not add up to 1"},
    {(2 + 2.2 / 12) / 6, "the last a has nothing behind it, so its context occurred less often"},
    {(2 + 2.2 / 12) / 12, "total is how often the context occurred, not all symbols"},
    {(2 + 5.2 / 12) / 5, "p_1 is that of b, not of a"},
    {(2 + 4 * 2.8 / 15) / 8, "that is with the lesson's λ, 4; here λ is 1"},
    {2.2 / 6, "p₀ was mixed in, and the last a has nothing behind it"},
    {2.2 / 12, "that is p_1(b): what stands before it is known"},
    {(1 + 2.2 / 12) / 5, "b follows an a more often"},
    {3.0 / 5, "λ is multiplied by p_1"},
    {3.0 / 9, "that adds 1 to the count of every symbol; λ·p_1 is shared among them"}};
inline const std::vector<Misreading> wrong_aa{
    {5.2 / 60, "that is the probability; the loss is minus its logarithm"},
    {-std::log2(5.2 / 60), "that is in bits; nats have e as their base"},
    {-std::log(0.04), "p₀ was mixed in; the next shorter context is p_1"},
    {-std::log(1.0 / 11), "p_1 is an interpolation, too, not the frequency of a"},
    {-std::log(5.2 / 48), "λ is missing below: the probabilities would not add up to 1"},
    {-std::log(5.2 / 72), "the last a has nothing behind it, so its context occurred less often"},
    {-std::log(5.2 / 12), "that is for p_1: the context was seen, and a never behind it"},
    {-std::log(1.0 / 9), "that adds 1 to the count of every symbol; λ·p_1 is shared among them"},
    {-std::log10(5.2 / 60), "the logarithm to base 10; nats have e as their base"},
    {-std::log(4 * 5.8 / 15 / 8), "that is with the lesson's λ, 4; here λ is 1"},
    {-std::log(0.2 / 6), "p₀ was mixed in, and the last a has nothing behind it"},
    {-std::log(0.2 / 12), "p₀ was mixed in, and total is how often anything came after an a"}};

// ------------------------------------------------------------------------------------------------------------- 2.3

// Rows of windows in which column k holds what `at(place, k)` says.
template <class At>
Matrix<double> windows_by(std::size_t places, std::size_t length, At at) {
  Matrix<double> rows(places, length);
  for (std::size_t i = 0; i < places; ++i)
    for (std::size_t k = 0; k < length; ++k) rows(i, k) = double(at(i, k));
  return rows;
}

// The right windows first, then those that come to mind.
inline std::vector<Mistake> newest_first(const std::vector<std::uint32_t>& text, std::size_t length,
                                         std::uint32_t vocab) {
  const auto back = [&](std::size_t i, std::size_t far, std::uint32_t pad) { return i >= far ? text[i - far] : pad; };
  const auto rows = [&](auto at) { return windows_by(text.size(), length, at); };
  const std::uint32_t first = text.front();
  return {{rows([&](std::size_t i, std::size_t k) { return back(i, k + 1, vocab); }), ""},
          {rows([&](std::size_t i, std::size_t k) { return back(i, length - k, vocab); }),
           "these windows have the oldest symbol first"},
          {rows([&](std::size_t i, std::size_t k) { return i > k + 1 ? text[i - k - 1] : vocab; }),
           "the first symbol of the text is known, and was padded"},
          {rows([&](std::size_t i, std::size_t k) {
             const std::size_t at = i * length + k;  // in a table that was filled column after column
             return back(at % text.size(), at / text.size() + 1, vocab);
           }),
           "the numbers stand column after column; row after row is asked for"},
          {rows([&](std::size_t i, std::size_t k) { return back(i, k + 1, 0); }),
           "before the text stands symbol 0, which is a symbol of the text"},
          {rows([&](std::size_t i, std::size_t k) { return back(i, length - k, 0); }),
           "the oldest symbol is first, and before the text stands a symbol of the text"},
          {rows([&](std::size_t i, std::size_t k) { return back(i, k + 1, vocab - 1); }),
           "padding has the number vocab; vocab - 1 is the last symbol of the text"},
          {rows([&](std::size_t i, std::size_t k) { return back(i, k + 1, vocab + 1); }),
           "padding has the number vocab; C has no row vocab + 1"},
          {rows([&](std::size_t i, std::size_t k) { return back(i, k + 1, first); }),
           "before the text its first symbol is repeated"},
          {rows([&](std::size_t i, std::size_t k) { return back(i, k, vocab); }),
           "the symbol to be predicted stands in its own window"},
          {rows([&](std::size_t i, std::size_t k) { return back(i, k + 2, vocab); }),
           "the symbol just before the place is left out"},
          {rows([&](std::size_t i, std::size_t k) { return i + k + 1 < text.size() ? text[i + k + 1] : vocab; }),
           "these windows look forward"},
          {rows([&](std::size_t i, std::size_t k) { return i < length ? vocab : back(i, k + 1, vocab); }),
           "a window that is only partly before the text keeps what the text has"},
          {rows([&](std::size_t i, std::size_t k) {
             const std::size_t missing = length - std::min(i, length);
             return k < missing ? vocab : back(i, k - missing + 1, vocab);
           }),
           "padding stands where the oldest symbols would be, not in front of the newest"}};
}

// ------------------------------------------------------------------------------------------------------------- 2.4

struct WrongScaled {
  std::vector<Mistake> ds, dZ, dW1, db1, dE;
};

// The mistakes in each gradient of H = s ⊙ U, U = tanh(Z), Z = E·W1 + b1.
inline WrongScaled wrong_scaled(const Matrix<double>& E, const Matrix<double>& W1, const Matrix<double>& s,
                                const Matrix<double>& U, const Matrix<double>& dH) {
  Matrix<double> S(U.rows(), U.cols());  // s in every row
  S = add_row(S, s);
  const auto by_slope = [&](const Matrix<double>& d, auto slope) { return hadamard(d, map(U, slope)); };
  const auto right = [](double u) { return 1 - u * u; };
  const Matrix<double> dU = hadamard(dH, S), dZ = by_slope(dU, right), H = hadamard(S, U), product = hadamard(dH, U);
  const double n = double(E.rows());
  WrongScaled wrong;
  wrong.ds = {
      {1 / n * column_sums(product), "divided by n; dH has the mean over the windows already"},
      {column_sums(dH), "that is the gradient of something added; s_j is multiplied by its tanh"},
      {column_sums(hadamard(dH, H)), "s_j was multiplied by U, not by H"},
      {column_sums(by_slope(product, right)), "tanh stands behind s_j, not in front: its slope has no part here"},
      {column_sums(dZ), "that is db1"},
      {Matrix<double>(row_block(product, U.rows() - 1, 1)), "that is the last window alone; all of them use s"},
      {Matrix<double>(row_block(product, 0, 1)), "that is the first window alone; all of them use s"}};
  wrong.dZ = {{by_slope(dH, right), "the scale is missing on the way through: H moves s_j times as much as U"},
              {dU, "tanh' is missing"},
              {dH, "tanh' and the scale are missing"},
              {hadamard(dU, map(H, right)), "tanh' is made of U, not of H"},
              {by_slope(dH, [](double u) { return u; }), "tanh' is 1 - tanh², not tanh"},
              {by_slope(dU, [](double u) { return u; }), "tanh' is 1 - tanh², not tanh"},
              {by_slope(dU, [](double u) { return 1 - std::tanh(u) * std::tanh(u); }),
               "tanh' was taken at U; U is tanh(Z) already"},
              {by_slope(dH, [](double u) { return 1 - std::tanh(u) * std::tanh(u); }),
               "tanh' was taken at U, which is tanh(Z) already; and the scale is missing"},
              {by_slope(dU, [](double u) { return 1 - u; }), "tanh' is made of the square of tanh"},
              {by_slope(dU, [](double u) { return u * (1 - u); }), "that is the slope of the sigmoid"},
              {hadamard(dZ, S), "the scale came in twice"}};
  wrong.dW1 = {{matmul(transpose(E), dH), "made of dH; tanh and the scale lie between"},
               {matmul(transpose(E), dU), "made of what came back before tanh"},
               {1 / n * matmul(transpose(E), dZ), "divided by n; dH has the mean over the windows already"}};
  wrong.db1 = {{column_sums(dH), "made of dH; tanh and the scale lie between"},
               {column_sums(dU), "made of what came back before tanh"},
               {1 / n * column_sums(dZ), "divided by n; dH has the mean over the windows already"},
               {Matrix<double>(row_block(dZ, U.rows() - 1, 1)), "that is the last window alone; all of them use b1"}};
  wrong.dE = {{matmul(dH, transpose(W1)), "made of dH; tanh and the scale lie between"},
              {matmul(dU, transpose(W1)), "made of what came back before tanh"}};
  return wrong;
}

// ------------------------------------------------------------------------------------------------------------- 2.5

enum class Scatter { adding, overwriting };

// dC when the piece of place k and number a is read from column(k, a) of dE.
template <class Column>
Matrix<double> scattered(const Windows& windows, const Matrix<double>& dE, Shape table, Scatter scatter,
                         Column column) {
  Matrix<double> dC(table.rows, table.cols);
  for (std::size_t i = 0; i < windows.size(); ++i)
    for (std::size_t k = 0; k < windows.length; ++k)
      for (std::size_t a = 0; a < table.cols; ++a) {
        double& entry = dC(windows.context(i)[k], a);
        entry = (scatter == Scatter::adding ? entry : 0) + dE(i, column(k, a));
      }
  return dC;
}

// The given code first.
inline std::vector<Mistake> wrong_scatters(const Windows& windows, const Matrix<double>& dE, Shape table) {
  const std::size_t c = windows.length, d = table.cols;
  const auto with = [&](Scatter scatter, auto column) { return scattered(windows, dE, table, scatter, column); };
  const auto here = [c](std::size_t k, std::size_t a) { return a * c + k; };
  const auto lesson = [d](std::size_t k, std::size_t a) { return k * d + a; };
  const Matrix<double> right = with(Scatter::adding, here);
  return {{with(Scatter::adding, lesson), "the columns are those of the lesson's layout, in which a place is a block"},
          {with(Scatter::overwriting, here), "the columns are right, but a symbol that stands twice has to add"},
          {with(Scatter::overwriting, lesson), "the lesson's layout, and a symbol that stands twice has to add"},
          {with(Scatter::adding, [c, d](std::size_t k, std::size_t a) { return (a * d + k) % (c * d); }),
           "a block of this layout has c columns, one for each place"},
          {with(Scatter::adding, [c, d](std::size_t k, std::size_t a) { return (k * c + a) % (c * d); }),
           "k and a are exchanged: the block belongs to the number, not to the place"},
          {with(Scatter::adding, [c](std::size_t k, std::size_t a) { return a * c + (c - 1 - k); }),
           "the places are read in the wrong order"},
          {1 / double(windows.size()) * right, "divided by n; dE has the mean over the windows already"}};
}

// ------------------------------------------------------------------------------------------------------------- 2.6

// Scores for which a yes is asked; for a no they are turned round.
inline const std::vector<double> scores{-1000, -40, -3, -0.5, 0, 0.5, 3, 40, 1000};

// 1 x 18: the losses of yes, then of no.
template <class F>
Matrix<double> yes_no_losses(F loss) {
  const std::size_t count = scores.size();
  Matrix<double> found(1, 2 * count);
  for (std::size_t k = 0; k < count; ++k) {
    found(0, k) = loss(scores[k], true);
    found(0, count + k) = loss(scores[k], false);
  }
  return found;
}

// ln(1 + e^-r), right for every r.
inline double softplus_of_minus(double r) { return std::max(0.0, -r) + std::log1p(std::exp(-std::abs(r))); }

inline double right_yes_no(double score, bool yes) { return softplus_of_minus(yes ? score : -score); }

inline double given_yes_no(double score, bool yes) {
  const double p = 1 / (1 + std::exp(-score));
  return yes ? -std::log(p) : -std::log(1 - p);
}

inline double clamped_yes_no(double score, bool yes, double least) {
  const double p = std::clamp(1 / (1 + std::exp(-score)), least, 1 - least);
  return yes ? -std::log(p) : -std::log(1 - p);
}

inline std::vector<Mistake> wrong_yes_no() {
  const auto turned = [](double score, bool yes) { return yes ? score : -score; };
  std::vector<Mistake> wrong{
      {yes_no_losses([](double score, bool yes) { return right_yes_no(score, !yes); }), "yes and no are exchanged"},
      {yes_no_losses([](double score, bool) { return right_yes_no(score, true); }), "no is treated as if it were yes"},
      {yes_no_losses([](double score, bool) { return right_yes_no(score, false); }), "yes is treated as if it were no"},
      {yes_no_losses([&](double score, bool yes) { return std::log1p(std::exp(-std::abs(turned(score, yes)))); }),
       "a large loss is missing: taking the size of the score needs its own term to make up for it"},
      {yes_no_losses([&](double score, bool yes) { return std::max(0.0, -turned(score, yes)); }),
       "that is the loss far out alone; near 0 the logarithm counts"},
      {yes_no_losses([&](double score, bool yes) {
         return std::max(0.0, -turned(score, yes)) + std::log(1 + std::exp(-std::abs(turned(score, yes))));
       }),
       "nothing overflows now, but 1 plus a small number loses its digits before the logarithm sees it"}};
  for (const double more : {1e-7, 1e-8, 1e-9, 1e-10, 1e-12, 1e-15})
    wrong.push_back({yes_no_losses([&](double score, bool yes) {
                       const double p = 1 / (1 + std::exp(-score));
                       return -std::log((yes ? p : 1 - p) + more);
                     }),
                     "what is added to the probability keeps the loss finite by force: a large one is wrong then"});
  for (const double least : {1e-7, 1e-8, 1e-10, 1e-12, 1e-15})
    wrong.push_back({yes_no_losses([&](double score, bool yes) { return clamped_yes_no(score, yes, least); }),
                     "cutting the probability off makes the loss of a large score wrong, and finite by force"});
  return wrong;
}

// ------------------------------------------------------------------------------------------------------------- 2.7

struct WrongTemperature {
  std::vector<Mistake> dS, dtau;
};

inline WrongTemperature wrong_temperature(const Matrix<double>& S, const Matrix<double>& P,
                                          const std::vector<std::uint32_t>& y, double tau) {
  const double n = double(S.rows());
  Matrix<double> error = P;  // P - one-hot
  for (std::size_t i = 0; i < P.rows(); ++i) error(i, y[i]) -= 1;
  const Matrix<double> dA = 1 / n * error;
  const auto number = [](double x) { return Matrix<double>{{x}}; };
  const double along = dot(dA, S);
  double targets = 0;
  for (std::size_t i = 0; i < S.rows(); ++i) targets += dA(i, y[i]) * S(i, y[i]);
  WrongTemperature wrong;
  wrong.dS = {{dA, "that is the gradient of S/τ; where S moves, S/τ moves by 1/τ of it"},
              {tau * dA, "S is divided by τ, and so is its gradient"},
              {1 / (tau * tau) * dA, "divided by τ twice"},
              {1 / tau * error, "the mean over the windows is missing"},
              {error, "the mean over the windows is missing, and the division by τ"},
              {1 / (n * n * tau) * error, "divided by n twice"},
              {1 / (n * tau) * P, "the target's 1 is missing: P - one-hot"},
              {-1 / (n * tau) * error, "the sign: P - one-hot, not one-hot - P"},
              {1 / (double(S.size()) * tau) * error, "the mean runs over the windows, not over all entries"}};
  wrong.dtau = {
      {number(along), "the slope of S/τ in τ is missing"},
      {number(-along), "the slope of S/τ in τ lacks its τ²"},
      {number(along / tau), "the slope of 1/τ is not 1/τ"},
      {number(-along / tau), "the slope of S/τ in τ lacks one of its two τ"},
      {number(-along / (tau * tau * tau)), "divided by τ once too often"},
      {number(along / (tau * tau)), "the sign: where τ grows, S/τ shrinks"},
      {number(-dA(S.rows() - 1, S.cols() - 1) * S(S.rows() - 1, S.cols() - 1) / (tau * tau)),
       "that is the last entry alone: τ moves every entry, and the contributions add"},
      {number(-dot(Matrix<double>(row_block(dA, S.rows() - 1, 1)), Matrix<double>(row_block(S, S.rows() - 1, 1))) /
              (tau * tau)),
       "that is the last row alone: τ moves every entry, and the contributions add"},
      {number(-targets / (tau * tau)), "that is from the targets alone: τ moves every score"},
      {number(-n * along / (tau * tau)), "the mean over the windows is missing"},
      {number(-along / (n * tau * tau)), "divided by n twice"},
      {number(-along / (double(S.size()) * tau * tau)), "τ moves every entry: the contributions add"},
      {number(-dot(P, S) / (n * tau * tau)), "the target's 1 is missing: P - one-hot"}};
  return wrong;
}

// ------------------------------------------------------------------------------------------------------------- 2.8

// What two models gave the symbols that came.
struct Voters {
  const char* title;
  std::vector<double> network, table;
};

inline std::vector<Voters> voters() {
  std::vector<Voters> all{
      {"one good at what the other is bad at", {0.9, 0.8, 0.1, 0.7, 0.2}, {0.2, 0.1, 0.8, 0.3, 0.9}},
      {"the network mostly ahead", {0.6, 0.5, 0.4, 0.3, 0.02}, {0.3, 0.2, 0.2, 0.1, 0.3}},
      {"the table mostly ahead", {0.1, 0.2, 0.05, 0.6}, {0.5, 0.6, 0.4, 0.1}},
      {"the network always ahead", {0.6, 0.5, 0.4}, {0.3, 0.2, 0.2}},
      {"the table always ahead", {0.1, 0.2}, {0.5, 0.4}},
      {"many places", {}, {}}};
  Random random(8);
  for (int i = 0; i < 500; ++i) {
    all.back().network.push_back(random.uniform(0.01, 0.9));
    all.back().table.push_back(random.uniform(0.01, 0.7));
  }
  return all;
}

inline double loss_of_votes(const Voters& v, double w) {
  double sum = 0;
  for (std::size_t i = 0; i < v.network.size(); ++i) sum -= std::log(w * v.network[i] + (1 - w) * v.table[i]);
  return sum / double(v.network.size());
}

// The best of steps + 1 weights at equal distances.
inline double best_of(const Voters& v, int steps) {
  double best = 0;
  for (int k = 1; k <= steps; ++k)
    if (loss_of_votes(v, double(k) / steps) < loss_of_votes(v, best)) best = double(k) / steps;
  return best;
}

template <class F>
Matrix<double> at_voters(F weight) {
  const std::vector<Voters> all = voters();
  Matrix<double> found(1, all.size());
  for (std::size_t k = 0; k < all.size(); ++k) found(0, k) = weight(all[k]);
  return found;
}

inline std::vector<Mistake> wrong_weights() {
  const auto share = [](const Voters& v) {
    double ahead = 0;
    for (std::size_t i = 0; i < v.network.size(); ++i) ahead += v.network[i] > v.table[i];
    return ahead / double(v.network.size());
  };
  const auto by_sums = [](const Voters& v) {
    double network = 0, table = 0;
    for (std::size_t i = 0; i < v.network.size(); ++i) {
      network += v.network[i];
      table += v.table[i];
    }
    return network / (network + table);
  };
  const auto step = [](const Voters& v) {
    double sum = 0;
    for (std::size_t i = 0; i < v.network.size(); ++i) sum += v.network[i] / (v.network[i] + v.table[i]);
    return sum / double(v.network.size());
  };
  const auto better = [](const Voters& v) { return loss_of_votes(v, 1) < loss_of_votes(v, 0) ? 1.0 : 0.0; };
  const auto worst = [](const Voters& v) { return loss_of_votes(v, 1) < loss_of_votes(v, 0) ? 0.0 : 1.0; };
  // With steps of 1/100 that stop in front of 1, as they do when they are added up.
  const auto short_of_1 = [](auto weight) { return [weight](const Voters& v) { return std::min(weight(v), 0.99); }; };
  const char* const all_to_one =
      "that hands all to the better one, as where logarithms are mixed or none is taken: mix the probabilities, then take -ln";
  return {{at_voters([](const Voters& v) { return 1 - best_of(v, 1000); }), "that is the weight of the table"},
          {at_voters([](const Voters&) { return 0.5; }), "half each is the paper's choice, not the best"},
          {at_voters([](const Voters& v) { return best_of(v, 10); }), "in tenths: now look between them"},
          {at_voters([](const Voters& v) { return best_of(v, 100); }), "in hundredths: now look between them"},
          {at_voters(better), all_to_one},
          {at_voters(short_of_1(better)), all_to_one},
          {at_voters(short_of_1(worst)), "that hands all to the worse one"},
          {at_voters(step), "the mean of p/(p + q) is one step from 1/2 toward the best weight: go on from there"},
          {at_voters(worst), "that hands all to the worse one"},
          {at_voters(share), "that is how often the network was ahead, and not by how much"},
          {at_voters(by_sums), "the sums of the probabilities say nothing of where the two err differently"}};
}

}  // namespace exercise
