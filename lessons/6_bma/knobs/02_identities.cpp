// Lesson 6, part 2: whose gate stands in the sum, with gates that can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/loss.hpp"
#include "common/support/parts.hpp"
#include "lessons/6_bma/run/session.hpp"

namespace lesson6 {
namespace {

constexpr std::size_t tokens = 4, width = 3;

constexpr knob::Numbers gates{"g", "the gates of tokens 0 to 3", {0.9, 0.1, 0.5, 0.5}, {0, 1, 0.05}};
constexpr knob::Real times{"scale", "what the scores are multiplied by: 0 shares evenly", 1, {0, 10, 0.1}};

// Causal weights of random scores.
Matrix<double> weights_of(double factor, Random& random) {
  Matrix<double> A = factor * normal_matrix<double>(tokens, tokens, 1, random);
  for (std::size_t i = 0; i < tokens; ++i) {
    softmax<double>(A.row(i).first(i + 1));
    std::fill(A.row(i).begin() + std::ptrdiff_t(i) + 1, A.row(i).end(), 0);
  }
  return A;
}

// Returns A with each entry times the gate of the token that is read (its column), or of the reading one (its row).
enum class Whose { read, reading };
Matrix<double> gated(Matrix<double> A, const std::vector<double>& g, Whose whose) {
  for (std::size_t i = 0; i < tokens; ++i)
    for (std::size_t j = 0; j < tokens; ++j) A(i, j) *= g[whose == Whose::read ? j : i];
  return A;
}

// Returns V with each row times its token's gate.
Matrix<double> times_gates(Matrix<double> V, const std::vector<double>& g) {
  for (std::size_t i = 0; i < tokens; ++i)
    for (double& v : V.row(i)) v *= g[i];
  return V;
}

// The three matrices side by side.
plot::HeatMap map_of(const std::vector<Matrix<double>>& all) {
  constexpr std::size_t pitch = tokens + 1;
  plot::HeatMap map{.title = "A, A·g of the token read (bma), A·g of the reading token (attending)"};
  map.rows = tokens;
  map.cols = all.size() * pitch - 1;
  map.values.assign(map.rows * map.cols, 0);
  for (std::size_t k = 0; k < all.size(); ++k)
    for (std::size_t i = 0; i < tokens; ++i)
      for (std::size_t j = 0; j < tokens; ++j)
        map.values[i * map.cols + k * pitch + j] = std::round(100 * all[k](i, j)) / 100;
  for (std::size_t i = 0; i < tokens; ++i) map.row_labels.push_back(std::to_string(i));
  for (std::size_t j = 0; j < map.cols; ++j)
    map.col_labels.push_back(j % pitch < tokens ? std::to_string(j % pitch) : "");
  map.numbers = true;
  map.low = 0;
  map.high = 1;
  return map;
}

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  Random random(lesson.options().seed, 502);
  const std::vector<double> g = at[gates];
  const Matrix<double> A = weights_of(at[times], random), V = normal_matrix<double>(tokens, width, 1, random);
  const Matrix<double> of_read = gated(A, g, Whose::read), of_reading = gated(A, g, Whose::reading);
  lesson.picture("turned_gates", map_of({A, of_read, of_reading}));
  const Matrix<double> read = matmul(of_read, V), reading = matmul(of_reading, V);
  const double apart = max_abs_difference(read, reading);
  const auto [least, most] = std::minmax_element(g.begin(), g.end());
  lesson.say("The mixtures of the two differ by up to ", fixed(apart, 4), "; the gates by up to ",
             fixed(*most - *least, 2), ". Row 0 sees itself alone, so there both have one gate.");
  // Sums of four products of numbers near 1, in another order.
  lesson.claim("bma: Σ A_ij·(g_j ⊙ v_j) is A times gated values, max |diff|",
               max_abs_difference(read, matmul(A, times_gates(V, g))), at_most(1e-14));
  lesson.claim("attending: Σ A_ij·(g_i ⊙ v_j) is a gate behind A·V, max |diff|",
               max_abs_difference(reading, times_gates(matmul(A, V), g)), at_most(1e-14));
  // The weights sum to 1, so Σ A_ij·|g_j - g_i|·|v_j| is at most the widest gap of the gates times the largest |v|.
  lesson.claim("the two differ by no more than the gates do, times the largest |v|: excess",
               apart - (*most - *least) * largest_entry(V), at_most(1e-14));
}

}  // namespace

Bench<Session> bench2() { return {"When does it matter whose gate it is?", {&gates, &times}, run}; }

}  // namespace lesson6
