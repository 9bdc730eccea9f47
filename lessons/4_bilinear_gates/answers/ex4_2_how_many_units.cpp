// Exercise 4.2: how many product units a quadratic form of three or four inputs needs.
// Hint: p·q = ((p + q)/2)² - ((p - q)/2)². So one product brings at most one square with plus and one with minus. Write
// each form as a sum of squares with signs.
// Hint: The 1 is a square, too: of 1. A square with plus and one with minus fit together: a² - b² = (a + b)(a - b). And
// begin with x² + 2·x·z + z² = (x + z)²; or look for a common factor.
// Hint: It takes as many units as the larger of the two counts says, if none of the things squared is a weighted sum of the
// others. x·y + y·z + z·x is (x + z)(y + z) - z², and the product brings a square of each sign.
// SPDX-License-Identifier: MIT
#include <ex4_2_how_many_units.hpp>

#include "common/exercise/exercise.hpp"
#include "lessons/4_bilinear_gates/forms.hpp"

using namespace exercise;

namespace ours::ex4_2 {

// Complete the squares: plus of them with a plus, minus with a minus. A product has at most one of each, so it takes as
// many units as the larger count at least. And so many are enough, since a square of each sign is one product.

// Three with plus, one with minus: (x + 1)(x - 1) + y·y + z·z.
inline const double sphere = 3;
// (x + z)² + y² + (z + 1)² + 2: four with plus, and no two of them can share a unit.
inline const double bowl = 4;
// The bias takes the 2, and no bias takes anything of the other three.
inline const double bowl_with_readout_bias = 3;
// (x + z)(y + z) - z·z: one with plus, two with minus.
inline const double triangle = 2;
// (x + z)(y + s): four terms, one product.
inline const double ring = 1;
// A product is a square of each sign, and 1 is one more with plus: three and two.
inline const double two_products_and_one = 3;

}  // namespace ours::ex4_2

// The entries of r = (x, y, z, s, 1), and what stands before the product of two.
enum Entry : std::size_t { x, y, z, s, one };
struct Term {
  Entry i, j;
  double weight;
};

// How many units the sum of such terms needs, by (4.8); a count is exact.
static Prediction units_of(const char* name, double yours, const std::vector<Term>& terms,
                           std::vector<Misreading> misreadings) {
  Matrix<double> S(5, 5);
  for (const auto& [i, j, weight] : terms) {
    S(i, j) += weight / 2;
    S(j, i) += weight / 2;
  }
  misreadings.push_back({0, "a sum of no units is 0 everywhere"});
  return {name, yours, double(lesson4::signature(S).units()), 0, misreadings};
}

static Verdict check() {
  using namespace ex4_2;
  const std::string both = "counts the squares of both signs together: one product holds one of each",
                    terms = "terms are not units: one product has many when it is multiplied out",
                    constant = "the constant that is left takes a square, too, where there is no bias";
  const std::vector<Term> of_bowl{{x, x, 1}, {y, y, 1}, {x, z, 2}, {z, z, 2}, {z, one, 2}};
  std::vector<Term> with_three = of_bowl, with_one = of_bowl;
  with_three.push_back({one, one, 3});
  with_one.push_back({one, one, 1});  // the bias takes the other 2: with any other one a square is left
  return compare(
      {units_of("sphere", sphere, {{x, x, 1}, {y, y, 1}, {z, z, 1}, {one, one, -1}},
                {{4, both},
                 {1, "one product is zero on planes; this is zero on a sphere"},
                 {2, "three squares have a plus, and a unit has one such"}}),
       units_of("bowl", bowl, with_three,
                {{3, constant},
                 {6, terms},
                 {5, "2·x·z and 2·z need no unit of their own: they complete squares"},
                 {1, "a product is zero where one of its factors is; this is never zero"},
                 {2, "a unit has only one square with plus"}}),
       units_of("bowl_with_readout_bias", bowl_with_readout_bias, with_one,
                {{4, "the bias can take over what is left of the constant"},
                 {5, "2·x·z and 2·z need no unit of their own, and the bias takes over a constant"},
                 {2, "the bias takes no part of x², y² or z²"},
                 {1, "the bias takes no part of x², y² or z²"},
                 {6, terms}}),
       units_of("triangle", triangle, {{x, y, 1}, {y, z, 1}, {z, x, 1}},
                {{3, "enough, but not the fewest: two of the three products share a factor"},
                 {1, "(x + z)(y + z) has z² in it, too"},
                 {6, both}}),
       units_of("ring", ring, {{x, y, 1}, {y, z, 1}, {z, s, 1}, {s, x, 1}},
                {{4, terms}, {2, "y is multiplied by x + z: by what is s?"}, {3, "look for a common factor"}}),
       units_of("two_products_and_one", two_products_and_one, {{x, y, 1}, {z, s, 1}, {one, one, 1}},
                {{2, "where would the 1 come from? (x + b)(y + c) with b·c = 1 brings c·x + b·y along"},
                 {5, both},
                 {1, "x·y alone takes a unit, and z·s has nothing in common with it"},
                 {4, "a product has a square of each sign, and 1 is one more with plus"}})});
}
static const Exercise here{"4.2", "How many units it takes", check};
