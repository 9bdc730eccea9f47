// Lesson 6, part 1: the weights of one head, with a scale, a window and a mask that can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/loss.hpp"
#include "common/support/parts.hpp"
#include "lessons/6_bma/model/1_attention.hpp"
#include "lessons/6_bma/run/session.hpp"

namespace lesson6 {
namespace {

constexpr std::size_t tokens = 8, width = 4;

constexpr knob::Real times{"scale", "what all scores are multiplied by, after 1/√dh", 1, {0, 10, 0.1}};
constexpr knob::Whole window{"window", "how many tokens one sees, itself among them", 8, {1, 8, 1}};
constexpr knob::Choice look{"look", "back alone, as in writing, or ahead as well", {"back", "both"}};
constexpr const char* none_hidden =
    "00000000"
    "00000000"
    "00000000"
    "00000000"
    "00000000"
    "00000000"
    "00000000"
    "00000000";
constexpr knob::Cells hidden{"hidden", "ink hides: rows attend to columns", none_hidden, tokens};

struct Head {
  Matrix<double> Q, K;  // tokens x width
};

// Returns softmax(scale·Q·Kᵀ/√dh) over what each row sees; a row that sees nothing is 0.   (6.3)
Matrix<double> weights_of(const Head& head, const knob::Settings& at) {
  const std::vector<double> ink = at[hidden];
  Matrix<double> A = at[times] / std::sqrt(double(width)) * matmul(head.Q, transpose(head.K));
  for (std::size_t i = 0; i < tokens; ++i) {
    std::vector<std::size_t> seen;
    for (std::size_t j = 0; j < tokens; ++j) {
      const std::size_t far = i > j ? i - j : j - i;
      if (far < at[window] && (j <= i || at[look] == 1) && ink[i * tokens + j] == 0) seen.push_back(j);
    }
    std::vector<double> weights;
    for (const std::size_t j : seen) weights.push_back(A(i, j));
    if (!weights.empty()) softmax<double>(weights);
    std::fill(A.row(i).begin(), A.row(i).end(), 0);
    for (std::size_t k = 0; k < seen.size(); ++k) A(i, seen[k]) = weights[k];
  }
  return A;
}

// e to the entropy: over how many tokens a row spreads.
double spread_of_row(std::span<const double> row) {
  double entropy = 0;
  for (const double a : row)
    if (a > 0) entropy -= a * std::log(a);
  return std::exp(entropy);
}

plot::HeatMap map_of(const Matrix<double>& A) {
  plot::HeatMap map{.title = "Weights of one head: rows attend to columns", .rows = tokens, .cols = tokens};
  for (const double a : A.values()) map.values.push_back(std::round(100 * a) / 100);
  for (std::size_t i = 0; i < tokens; ++i) map.row_labels.push_back(std::to_string(i));
  map.col_labels = map.row_labels;
  map.numbers = true;
  map.low = 0;
  map.high = 1;
  return map;
}

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  Random random(lesson.options().seed, 501);
  const Head head{normal_matrix<double>(tokens, width, 1, random), normal_matrix<double>(tokens, width, 1, random)};
  const Matrix<double> A = weights_of(head, at);
  lesson.picture("turned_weights", map_of(A));
  double off = 0;
  std::size_t blind = 0;
  for (std::size_t i = 0; i < tokens; ++i) {
    double sum = 0;
    for (const double a : A.row(i)) sum += a;
    if (sum == 0) ++blind;
    else off = std::max(off, std::abs(sum - 1));
  }
  lesson.say("The last token spreads its weight over ", fixed(spread_of_row(A.row(tokens - 1)), 2),
             " tokens (e to the entropy); ", blind, " of ", tokens, " see nothing.");
  lesson.claim("a row that sees something sums to 1, off by", off, at_most(1e-14));  // a few roundings
  Attention<double> layer({.width = width, .heads = 1});
  Attention<double>::Trace t;
  t.Q = head.Q;
  t.K = head.K;
  layer.mix(head.K, {tokens}, t, nullptr);
  lesson.claim_trained("with nothing turned these are the weights of the layer, max |diff|", max_abs_difference(A, t.A),
                       at_most(1e-14));  // likewise
}

}  // namespace

Bench<Session> bench1() {
  return {"What do scale, window and mask do to the weights of a head?", {&times, &window, &look, &hidden}, run};
}

}  // namespace lesson6
