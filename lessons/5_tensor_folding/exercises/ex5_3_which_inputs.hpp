// Exercise 5.3 (transfer, 15 minutes): read from a tensor what a net multiplies.
// Two symmetric slices over the inputs x0 to x4, folded from a net's weights. The small entries of S[0] are rounding's.
//
//     S[0]:       x0      x1      x2      x3      x4         S[1]:   x0     x1     x2     x3     x4
//         x0   2e-17       0   4e-17  -1e-16   6e-17             x0   0    0.5   -0.5     0      0
//         x1       0  -3e-17   1e-16   2e-17    -1.5             x1  0.5    0      0     0.5     0
//         x2   4e-17   1e-16       0   5e-17  -2e-17             x2 -0.5    0      0    -0.5     0
//         x3  -1e-16   2e-17   5e-17   1e-17       0             x3   0    0.5   -0.5     0      0
//         x4   6e-17    -1.5  -2e-17       0   3e-17             x4   0     0      0      0      0
//
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <limits>

namespace ex5_3 {

constexpr double not_answered = std::numeric_limits<double>::quiet_NaN();

// TODO: put your numbers in the place of not_answered, and of the zeros.

// Output 0 multiplies two inputs. Which (1 for x1; either order), and what stands before their product?
const double one_input = not_answered;
const double other_input = not_answered;
const double coefficient = not_answered;

// Output 1 is one product of two sums. Which? Write the weights of x0, x1, x2, x3, x4 in each, signs included: for
// (x0 - x4)(x2 + x3) that would be {1, 0, 0, 0, -1} and {0, 0, 1, 1, 0}. Either order will do.
const std::array<double, 5> one_sum{0, 0, 0, 0, 0};
const std::array<double, 5> other_sum{0, 0, 0, 0, 0};

}  // namespace ex5_3
