// Exercise 3.8, solution: which polynomial is in the box?
// Along a line x + t·v a polynomial of degree k in x is one of degree k in t, unless the line is a special one: x0·x1 is
// straight along every axis, and x0² - x1² is 0 along the diagonal. So the line is drawn. At t = 0, 1, ..., 5 a polynomial
// of degree k in t has differences of order k that are not 0, and zeros after that. What counts as zero? A difference of
// order 5 adds 32 values, counted with their factors, each rounded by some 1e-15 of the largest: anything above 1e-12 of
// the largest is no rounding.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

#include "common/initialize.hpp"
#include "common/matrix.hpp"
#include "common/random.hpp"

namespace ex3_8 {

using BlackBox = std::function<double(const Matrix<double>& row)>;

// Returns the degree of the polynomial that f is, 0 to 4, and 5 where it is none of these: of a higher degree, or no
// polynomial. f takes a row of so many inputs, 1 x inputs, and gives one number, right to some 1e-15 of its size.
inline std::size_t degree_of(const BlackBox& f, std::size_t inputs) {
  constexpr std::size_t highest = 5;
  Random random(1);
  const Matrix<double> x = uniform_matrix<double>(1, inputs, 1, random),
                       v = uniform_matrix<double>(1, inputs, 1, random);
  std::vector<double> values;
  double largest = 0;
  for (std::size_t t = 0; t <= highest; ++t) {
    values.push_back(f(x + double(t) * v));
    largest = std::max(largest, std::abs(values.back()));
  }
  std::size_t degree = 0;
  for (std::size_t order = 1; order <= highest; ++order) {
    for (std::size_t t = 0; t + 1 < values.size(); ++t) values[t] = values[t + 1] - values[t];
    values.pop_back();
    if (std::abs(values[0]) > 1e-12 * largest) degree = order;
  }
  return degree;
}

}  // namespace ex3_8
