// Lesson 3: a task that a bench learns while one waits: 4 inputs, 1 output, of which one says how much is straight.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "common/support/plot.hpp"
#include "lessons/3_swish_vs_bmlp/run/train.hpp"

namespace lesson3 {

inline constexpr std::size_t small_inputs = 4;

// A sum over the inputs of Legendre polynomials: of degree 1 with the variance 1 - bent, of `degree` with the variance
// bent; and noise. Polynomials of two degrees are uncorrelated.
struct SmallTask {
  double bent = 0.5, noise = 0;
  std::size_t degree = 2, count = 512;
};
Rows draw_rows(const SmallTask& task, Random& random);

// Returns the loss that the best linear map with a constant has on these rows.
double affine_floor(const Rows& rows);

plot::Series series_of(const std::string& name, const Curve& curve);

}  // namespace lesson3
