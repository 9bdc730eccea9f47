// Tests common/initialize.hpp: shapes, bounds and spread of uniform weights; and common/support/spread.hpp.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "common/initialize.hpp"
#include "common/support/spread.hpp"
#include "tests/check.hpp"

template <class T>
static void uniform(Checks& check) {
  constexpr std::size_t rows = 300, cols = 40;
  Random random(5), same(5);
  const Matrix<T> A = uniform_matrix<T>(rows, cols, 0.5, random);
  check.that(A.shape() == Shape{rows, cols}, "the shape asked for");
  const auto [least, most] = std::minmax_element(A.values().begin(), A.values().end());
  // Of 12,000 draws the extremes lie within 20/12,000 of the ends but for a chance of e^-20.
  check.that(*least >= T(-0.5) && *least < T(-0.498) && *most <= T(0.5) && *most > T(0.498), "the bounds are reached");
  // x² of U[-a, a] has the mean a²/3 and the deviation a²·√(4/45); four standard errors.
  check.near(mean_square(A), 0.25 / 3, 4 * 0.25 * std::sqrt(4 / 45.0 / 12000), "second moment a²/3");
  check.that(A == uniform_matrix<T>(rows, cols, 0.5, same), "the same seed, the same numbers");

  const Matrix<T> W = uniform_weights<T>(25, 8, random);
  check.that(W.shape() == Shape{25, 8}, "weights are in x out");
  const auto largest = *std::max_element(W.values().begin(), W.values().end());
  check.that(largest <= T(0.2) && largest > T(0.15), "their bound is 1/√in");
}

static void spread(Checks& check) {
  const Spread s = spread_of({1, 2, 3, 6});
  check.near(s.mean, 3, 0, "mean");
  check.near(s.deviation, std::sqrt(14 / 3.0), 1e-15, "sample deviation: Σ/(n - 1)");
  check.near(s.standard_error(), std::sqrt(14 / 12.0), 1e-15, "standard error");
  check.near(s.luck(), 3.182 * s.standard_error(), 1e-15, "Student's factor for four numbers");
  std::vector<double> thirty_one(31);
  thirty_one[0] = 1;
  const Spread many = spread_of(thirty_one);
  check.near(many.luck(), 2.042 * many.standard_error(), 1e-15, "and for thirty-one");
  check.near(spread_of(std::vector<double>(32, 1.0)).luck(), 0, 0, "no spread, no luck");
  check.that(std::isinf(spread_of({7}).luck()), "of one number's luck nothing is known");
  check.that(s.text(2) == "3.00 ± 2.16", "text");
  check.that(spread_of({7}).deviation == 0 && spread_of({7}).mean == 7, "one number has no spread");
  check.that(spread_of({}).count == 0 && spread_of({}).standard_error() == 0, "none at all");
}

int main() {
  Checks check;
  uniform<float>(check);
  uniform<double>(check);
  spread(check);
  return check.done("test_initialize");
}
