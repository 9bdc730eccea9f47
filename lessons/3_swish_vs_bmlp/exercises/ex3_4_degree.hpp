// Exercise 3.4 (open, 40 minutes): which polynomial is in the box?
// A function of several inputs, of which you see nothing but what it answers to rows of your
// choice. How does one find out its degree? The way is yours. `make exercise3` tries networks of
// this lesson, and functions that are easy to get wrong.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>

#include "common/matrix.hpp"
#include "common/random.hpp"

namespace ex3_4 {

using BlackBox = std::function<double(const Matrix<double>& row)>;

// TODO: write degree_of.

constexpr std::size_t not_written = 99;

// Returns the degree of the polynomial that f is, 0 to 4, and 5 where it is none of these: of a
// higher degree, or no polynomial. f takes a row, 1 x inputs, and gives one number. Its rounding is
// some 1e-15 of the largest that it gives you; at rows with entries near 1 its terms of the highest
// degree are more than 1e-9 of that.
inline std::size_t degree_of([[maybe_unused]] const BlackBox& f,
                             [[maybe_unused]] std::size_t inputs) {
  return not_written;
}

}  // namespace ex3_4
