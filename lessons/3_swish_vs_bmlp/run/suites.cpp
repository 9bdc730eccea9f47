// Lesson 3: the two tasks of its experiments. README.md writes the functions down.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/run/suites.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "lessons/3_swish_vs_bmlp/models.hpp"

namespace lesson3 {

Outputs suite_a(std::span<const double> x) {
  const auto bump = [](double z) { return 2 * std::exp(-z * z); };
  return {std::sin(2 * x[0]) + std::cos(1.5 * x[1]) + 0.03 * std::sinh(x[2] - x[3]),
          0.85 * std::tanh(x[4] + x[5]) + bump(x[6]) + 0.1 * x[7] * x[7] * x[8],
          1.85 * std::log(std::abs(x[9]) + 1) + 0.6 * x[10] * std::sin(std::numbers::pi * x[11]),
          std::cos(1.5 * x[12]) + bump(x[13]) + 0.85 * std::tanh(x[14] + x[15])};
}

Outputs suite_b(std::span<const double> x) {
  return {x[0] * x[1] / 3, (x[2] * x[3] + x[4] * x[5]) / 4 + 0.2 * x[6],
          (x[7] * x[7] - x[8] * x[8]) / 4 - 0.2 * x[9] * x[10], x[11] * (x[12] + x[13] - x[14]) / 5 + 0.3 * x[15]};
}

Rows draw_rows(const Suite& suite, std::size_t count, Random& random) {
  Rows rows{Matrix<double>(count, suite_inputs), Matrix<double>(count, suite_outputs)};
  for (double& x : rows.X.values()) x = random.uniform(-suite_range, suite_range);
  for (std::size_t i = 0; i < count; ++i) {
    const Outputs y = suite.targets(rows.X.row(i));
    std::copy(y.begin(), y.end(), rows.T.row(i).begin());
  }
  return rows;
}

SplitRows draw_suite(const Suite& suite, std::uint64_t seed, std::size_t rows) {
  Random random(seed, 30);
  SplitRows split{draw_rows(suite, rows, random), draw_rows(suite, rows, random)};
  const Matrix<double> minus_mean = -1 * column_means(split.train.T);
  for (Rows* part : {&split.train, &split.test}) part->T = add_row(std::move(part->T), minus_mean);
  return split;
}

}  // namespace lesson3
