// Exercise 3.6 (design, 40 minutes): which polynomial is in the box?
// You cannot look into a function of several inputs, but you may ask what it answers to any row.
// How do you find out its degree? The way is yours. `make exercise3` tries networks of this lesson,
// and functions that are easy to get wrong.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>

#include "common/matrix.hpp"
#include "common/random.hpp"

namespace ex3_6 {

using BlackBox = std::function<double(const Matrix<double>& row)>;

// TODO: write degree_of.

constexpr std::size_t not_written = 99;

// Returns the degree of the polynomial f, 0 to 4, or 5 when f has a higher degree or is not a
// polynomial. f takes a row, 1 x inputs, and returns one number, rounded by some 1e-15 of the
// largest that it has returned to you. At rows with entries near 1 its terms of the highest degree
// are more than 1e-9 of that largest number.
inline std::size_t degree_of([[maybe_unused]] const BlackBox& f,
                             [[maybe_unused]] std::size_t inputs) {
  return not_written;
}

}  // namespace ex3_6
