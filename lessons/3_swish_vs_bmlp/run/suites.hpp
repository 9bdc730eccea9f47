// Lesson 3: the two tasks of its experiments. 16 inputs from U[-3, 3], 4 outputs; suite A of smooth functions, suite B
// of products. The targets are centred by their means over the training rows, since the networks without biases have no
// constant: what is left to tell them apart is the non-linearity.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/matrix.hpp"

namespace lesson3 {

inline constexpr std::size_t suite_inputs = 16, suite_outputs = 4;
inline constexpr double suite_range = 3;

using Outputs = std::array<double, suite_outputs>;

Outputs suite_a(std::span<const double> x);
Outputs suite_b(std::span<const double> x);

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
struct SplitRows {
  Rows train, test;
};

// Draws so many rows, their targets as they are.
Rows draw_rows(const Suite& suite, std::size_t count, Random& random);

// Draws so many rows to learn from, and as many to be judged by; the means of the training targets are taken from both.
SplitRows draw_suite(const Suite& suite, std::uint64_t seed, std::size_t rows = 4096);

}  // namespace lesson3
