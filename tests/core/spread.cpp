// What tables say of many runs in one number, at numbers whose summaries all differ.
// SPDX-License-Identifier: MIT
#include "common/spread.hpp"

#include "tests/check.hpp"

namespace test_spread {

static void spread(Checks& check) {
  const Spread s = spread_of({1, 2, 3, 6});
  check.equal(s.text(2), "3.00 ± 2.16", "mean and sample deviation");
  check.near(s.half_width_95(), 3.182 * std::sqrt(14 / 12.0), 1e-15,
             "Student's factor for four numbers by the standard error");
  std::vector<double> thirty_one(31);
  thirty_one[0] = 1;
  const Spread many = spread_of(thirty_one);
  check.near(many.half_width_95(), 2.042 * many.standard_error(), 1e-15, "and for thirty-one");
  check.that(std::isinf(spread_of({7}).half_width_95()), "nobody knows one number's spread");
  check.that(spread_of({7}).deviation == 0);
  check.that(spread_of({}).standard_error() == 0);
  // Deviation √(14/3), of four.
  check.that(s.with_error(2) == "3.00 (1.08)", "a mean with its error");
  check.that(spread_of({7}).with_error(1) == "7.0", "a single number has none");
  std::vector<double> losses(25, 9);
  losses[23] = 1;
  losses[24] = 2;
  check.that(spread_of_last_tenth(losses).mean == 1.5, "two of twenty-five are the last tenth");
  check.that(spread_of_last_tenth({3, 5}).mean == 5, "a tenth of two is the last");
}

static void middles(Checks& check) {
  const std::vector<double> four{16, 1, 2, 8}, five{9, 1, 16, 4, 2};  // in no order
  check.near(median_of(four), 5, 0, "the median of four is between the two in the middle");
  check.near(upper_median_of(four), 8, 0, "the upper one is the larger of these");
  check.near(median_of(five), 4, 0, "the median of five is one of them");
  check.near(upper_median_of(five), 4, 0, "and so is the upper one");
  check.near(geometric_mean(four), 4, 1e-14, "the geometric mean: the fourth root of 256");
  check.near(geometric_mean({1e-300, 1e-200}), 1e-250, 1e-262, "of a product that is no number");
}

static void steps(Checks& check) {
  check.near(first_below(2, {5, 2, 1, 3}), 2, 0, "the first loss below 2");
  check.near(first_below(1, {5, 2, 1, 3}), 4, 0, "none is below 1");
}

static const Listed here("spread", {spread, middles, steps});

}  // namespace test_spread
