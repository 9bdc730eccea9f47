// Exercise 4.4: how many product units a quadratic function of x and y needs.
// Hint: u·v = ((u + v)/2)² - ((u - v)/2)². So one product brings at most one positive and one negative square. Write each
// function as a sum of squares with signs.
// Hint: The 1 is a square, too: of 1. x² + y² - 1 has two positive squares and one negative. A positive and a negative one
// fit together: a² - b² = (a + b)(a - b).
// Hint: With p positive and q negative squares it takes max(p, q) units. The squares must be of independent things: x·y is
// ((x + y)/2)² - ((x - y)/2)², and the six terms are (x + y + 1)², one square. A read-out bias can take a constant away.
// SPDX-License-Identifier: MIT
#include <ex4_4_how_many_units.hpp>

#include "common/exercise/exercise.hpp"
#include "lessons/4_bilinear_gates/forms.hpp"

using namespace exercise;

namespace ours::ex4_4 {

// Write the function with squares of independent combinations of x, y and 1: p of them positive, q negative. A product is
// u·v = ((u + v)/2)² - ((u - v)/2)², at most one of each. So it takes p units at least, and q at least. And max(p, q) are
// enough, since a positive and a negative square make one product.

// x² + y² - 1², p = 2, q = 1: (x + 1)(x - 1) + y·y.
inline const double circle = 2;
// (x + 1)² + y² + 2, p = 3, q = 0: no two of the squares can share a unit.
inline const double bowl = 3;
// The bias takes the 2, and (x + 1)² + y² is left: p = 2. No bias takes x² or y².
inline const double bowl_with_readout_bias = 2;
// p = q = 1: (x + y)(x - y).
inline const double saddle = 1;
// x·y is ((x + y)/2)² - ((x - y)/2)², and 1 is one more positive square: p = 2, q = 1. (x + b)(y + c) with b·c = 1 would
// bring c·x and b·y along. With a read-out bias one unit is enough.
inline const double product_and_one = 2;
// (x + y + 1)²: p = 1, however many terms it has when it is multiplied out.
inline const double six_terms = 1;

}  // namespace ours::ex4_4

// How many units the form needs, by the signature of its matrix; a count is exact.
static Prediction units_of(const char* name, double yours, const lesson4::QuadraticForm& form,
                           const std::vector<Misreading>& misreadings) {
  return {name, yours, double(lesson4::signature(matrix_of(form)).units()), 0, misreadings};
}

static Verdict check() {
  using namespace ex4_4;
  const std::string too_many = "counts positive and negative squares together: one product holds one of each";
  return compare({units_of("circle", circle, {1, 1, 0, 0, 0, -1},
                           {{1, "one product is zero on straight lines; this is zero on a circle"}, {3, too_many}}),
                  units_of("bowl", bowl, {1, 1, 0, 2, 0, 3},
                           {{1, "a product is zero where one of its factors is; this is never zero"},
                            {2, "a unit has one positive square; what is left of the constant is a square, too"},
                            {4, "the linear term needs no unit: it completes a square"}}),
                  // The bias takes the 2 away that (x + 1)² + y² leaves: with any other one a square is left.
                  units_of("bowl_with_readout_bias", bowl_with_readout_bias, {1, 1, 0, 2, 0, 1},
                           {{1, "the bias takes no part of x² or y²"}, {3, "the bias can take something over"}}),
                  units_of("saddle", saddle, {1, -1, 0, 0, 0, 0}, {{2, too_many}}),
                  units_of("product_and_one", product_and_one, {0, 0, 1, 0, 0, 1},
                           {{1, "(x + b)(y + c) with b·c = 1 has c·x + b·y in it, too"}, {3, too_many}}),
                  units_of("six_terms", six_terms, {1, 1, 2, 2, 2, 1},
                           {{2, "look for a square that is more than x + y"},
                            {3, "the squares must be of independent things; is there a factor?"},
                            {6, "terms are not units: one product has up to six"}})});
}
static const Exercise here{"4.4", "How many units it takes", check};
