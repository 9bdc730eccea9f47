// Lesson 3: the two tasks of its experiments. 16 inputs from U[-3, 3], 4 outputs; suite A of smooth functions, suite B of
// products. The targets are centred by their means over the training rows, since the networks without biases have no
// constant: what is left to tell them apart is the non-linearity.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>

#include "common/matrix.hpp"

inline constexpr std::size_t suite_inputs = 16, suite_outputs = 4;
inline constexpr double suite_range = 3;

using Outputs = std::array<double, suite_outputs>;

inline Outputs suite_a(std::span<const double> x) {
  const auto bump = [](double z) { return 2 * std::exp(-z * z); };
  return {std::sin(2 * x[0]) + std::cos(1.5 * x[1]) + 0.03 * std::sinh(x[2] - x[3]),
          0.85 * std::tanh(x[4] + x[5]) + bump(x[6]) + 0.1 * x[7] * x[7] * x[8],
          1.85 * std::log(std::abs(x[9]) + 1) + 0.6 * x[10] * std::sin(std::numbers::pi * x[11]),
          std::cos(1.5 * x[12]) + bump(x[13]) + 0.85 * std::tanh(x[14] + x[15])};
}

inline Outputs suite_b(std::span<const double> x) {
  return {x[0] * x[1] / 3, (x[2] * x[3] + x[4] * x[5]) / 4 + 0.2 * x[6],
          (x[7] * x[7] - x[8] * x[8]) / 4 - 0.2 * x[9] * x[10], x[11] * (x[12] + x[13] - x[14]) / 5 + 0.3 * x[15]};
}

struct Suite {
  const char* name;
  Outputs (*targets)(std::span<const double> x);
};
inline constexpr Suite suites[] = {{"A", suite_a}, {"B", suite_b}};

// Inputs and targets, a row for each example.
struct Rows {
  Matrix<double> X, T;

  std::size_t size() const { return X.rows(); }
};

// What is learned from, and what is judged by.
struct Split {
  Rows train, test;
};

inline Rows draw_rows(const Suite& suite, std::size_t count, Random& random) {
  Rows rows{Matrix<double>(count, suite_inputs), Matrix<double>(count, suite_outputs)};
  for (double& x : rows.X.values()) x = random.uniform(-suite_range, suite_range);
  for (std::size_t i = 0; i < count; ++i) {
    const Outputs y = suite.targets(rows.X.row(i));
    std::copy(y.begin(), y.end(), rows.T.row(i).begin());
  }
  return rows;
}

// Takes the means of the training targets from both parts.
inline void centre_targets(Split& split) {
  const Matrix<double> minus_mean = -1 / double(split.train.size()) * column_sums(split.train.T);
  for (Rows* rows : {&split.train, &split.test}) rows->T = add_row(std::move(rows->T), minus_mean);
}

// So many rows to learn from, and as many to be judged by.
inline Split draw_suite(const Suite& suite, std::uint64_t seed, std::size_t rows = 4096) {
  Random random(seed, 30);
  Split split{draw_rows(suite, rows, random), draw_rows(suite, rows, random)};
  centre_targets(split);
  return split;
}
