// Tests of lesson 4's superposition: the inputs and their loss, the geometry of features, the table of a network.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "common/support/words.hpp"
#include "lessons/4_bilinear_gates/model/4_forms.hpp"
#include "lessons/4_bilinear_gates/model/8_superposition.hpp"
#include "tests/check.hpp"

using namespace lesson4;

static void tables(Checks& check) {
  Random random(2);
  Bottleneck model({4, 2, 6}, random);
  model.net.layer.b = normal_matrix<double>(1, 6, 1, random);
  model.net.d = normal_matrix<double>(1, 4, 1, random);
  const std::vector<Matrix<double>> T = folded(model);
  const Matrix<double> X = normal_matrix<double>(9, 4, 1, random), Y = output(model, X);
  for (std::size_t o = 0; o < 4; ++o)
    for (std::size_t r = 0; r < 9; ++r)
      check.near(answer(T[o], X.row(r)), Y(r, o), 1e-13, "the folded table gives the network's answer");
  check.that(input_rank(T, 1e-9) == 3, "two numbers and the constant: rank 3");
  const Matrix<double> one = output(model, one_at_a_time(4, ZeroRow::without));
  check.near(response(T, 1, 2), one(2, 1), 1e-14, "the response to a feature alone");
}

static void inputs_and_geometry(Checks& check) {
  check.that(one_at_a_time(2, ZeroRow::with) == Matrix<double>{{1, 0}, {0, 1}, {0, 0}}, "one at a time, and none");
  const WeightedRows rows = all_inputs(3, 0.25);
  double sum = 0, on = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    sum += rows.weight[i];
    on += rows.weight[i] * rows.X(i, 1);
  }
  check.near(sum, 1, 1e-15, "probabilities sum to 1");
  check.near(on, 0.25, 1e-15, "a feature is on with its probability");
  check.that(most_features(2, Biases::with) == 5 && most_features(3, Biases::with) == 9, "limits with biases");
  check.that(most_features(2, Biases::without) == 3 && most_features(3, Biases::without) == 6, "limits without");

  Random random(3);
  const auto E = normal_matrix<double>(5, 2, 1, random);
  const Matrix<double> plain = in_plain_basis(E), turned = in_plain_basis(matmul(E, Matrix<double>{{2, 1}, {0, 1}}));
  const Matrix<double> moments = 2 / 5.0 * matmul(transpose(plain), plain);
  check.near(max_abs_difference(moments, {{1, 0}, {0, 1}}), 0, 1e-14, "equal second moments");
  std::vector<double> gaps = gaps_between(plain), turned_gaps = gaps_between(turned);
  std::sort(gaps.begin(), gaps.end());
  std::sort(turned_gaps.begin(), turned_gaps.end());
  double total = 0, apart = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    total += gaps[i];
    apart = std::max(apart, std::abs(gaps[i] - turned_gaps[i]));
  }
  check.near(total, 360, 1e-12, "gaps add up to 360 degrees");
  check.near(apart, 0, 1e-10, "the basis of the two numbers does not matter");
}

// Outputs that are the same for every feature, whatever the input: with answer a the expected error is p·(1 - a)² +
// (1 - p)·a², to which the input without features adds (1 - p)ⁿ·a².
static void weighted_error(Checks& check) {
  for (const double p : {0.02, 0.3})
    for (const double a : {0.0, 0.25, 1.0}) {
      const WeightedRows rows = all_inputs(5, p);
      const double expected = p * (1 - a) * (1 - a) + (1 - p) * a * a;
      check.near(expected_error(Matrix<double>(32, 5, a), rows).value, expected, 1e-14,
                 join("expected error, p = ", p, ", answer ", a));
    }
}

// A feature as it is, its mean, nothing, and its opposite: errors 0, p·(1 - p), p and 1 of a variance of p·(1 - p).
static void shares(Checks& check) {
  constexpr double p = 0.25;
  const WeightedRows rows = all_inputs(4, p);
  Matrix<double> Y(16, 4);
  for (std::size_t i = 0; i < 16; ++i) {
    Y(i, 0) = rows.X(i, 0);
    Y(i, 1) = p;
    Y(i, 3) = 1 - rows.X(i, 3);
  }
  const std::vector<double> found = shares_given_back(Y, rows);
  const double variance = p * (1 - p), expected[] = {1, 0, 1 - p / variance, 1 - 1 / variance};
  for (std::size_t j = 0; j < 4; ++j) check.near(found[j], expected[j], 1e-14, join("share of feature ", j));
  WeightedRows unequal = rows;
  unequal.importance = {1, 0, 0, 0.5};
  check.near(expected_error(Y, unequal).value, 0.5 / 4, 1e-15, "only errors that matter count, as much as they matter");
}

static void six_points(Checks& check) {
  check.that(quadratics_at({{2, 3}}) == Matrix<double>{{1, 2, 3, 4, 6, 9}, {1, 0, 0, 0, 0, 0}}, "1, x, y, x², xy, y²");
  check.that(rank_of(quadratics_at({{1, 0}, {2, 0}, {0, 1}, {0, 2}, {0, 3}}), 1e-9) == 5, "two lines are a conic");
  check.that(rank_of(quadratics_at({{1, 0}, {2, 0}, {0, 1}, {0, 2}, {1, 1}}), 1e-9) == 6,
             "and this point is on neither");
}

int main() {
  Checks check;
  tables(check);
  inputs_and_geometry(check);
  weighted_error(check);
  shares(check);
  six_points(check);
  return check.done("test_lesson4_superposition");
}
