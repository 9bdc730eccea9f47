// Exercise 4.5: features through a few numbers.
// Hint: Multiplied out, every unit is a sum of the same few functions of the m numbers. For m = 2 and no biases: x², x·y,
// y². What do biases add?
// Hint: To put 1 into one row and 0 into all the others, for each of n features, takes n independent functions. The constant
// is one, but in the row of zeros nothing else is left, and there every output must be 0.
// Hint: Products of two out of m: m(m+1)/2. With biases m more: m(m+3)/2 in all, and the constant on top when no row of
// zeros forbids it. A linear bottleneck has m.
// SPDX-License-Identifier: MIT
#include <ex4_5_features.hpp>

#include "common/exercise/exercise.hpp"
#include "lessons/4_bilinear_gates/forms.hpp"

using namespace exercise;

namespace ours::ex4_5 {

// Whatever the units are, their sums are combinations of a few fixed functions of the m numbers: the m(m+1)/2 products of
// two, and with biases the m numbers themselves and the constant. Feature i must be 1 in one row and 0 in the others: as
// many independent outputs, which take as many independent functions. As many are enough, for almost any E. With biases the
// row of zeros uses up one: only the constant is not 0 there, and there it must not show.

// 4·5/2 products of two, and the four numbers.
inline const double most_with_biases = 14;
// The products of two alone: 4 squares and 6 pairs.
inline const double most_without_biases = 10;
// And the constant, which is free to help where no row of zeros forbids it.
inline const double most_with_biases_no_zeros = 15;

// m(m+3)/2 is 5 for m = 2, and 9 for m = 3.
inline const double smallest_m_with_biases = 3;
// m(m+1)/2 is 6 for m = 3, and 10 for m = 4.
inline const double smallest_m_without_biases = 4;
// Only the m numbers themselves: one for each feature.
inline const double smallest_m_linear = 7;

}  // namespace ours::ex4_5

// The smallest m from which n features come back, when most(m) do.
template <class Most>
static double smallest_m(std::size_t n, Most most) {
  std::size_t m = 1;
  while (most(m) < n) ++m;
  return double(m);
}

static Verdict check() {
  using namespace ex4_5;
  using lesson4::most_features;
  // (4.13), whose limits part 9 finds in training.
  const auto with = [](std::size_t m) { return most_features(m, lesson4::Biases::with); };
  const auto without = [](std::size_t m) { return most_features(m, lesson4::Biases::without); };
  const auto linear = [](std::size_t m) { return m; };
  return compare({{"most_with_biases",
                   most_with_biases,
                   double(with(4)),
                   0,
                   {{4, "that is a linear bottleneck; products of two numbers are functions of them, too"},
                    {10, "that counts the products of two; biases let the four numbers themselves through"},
                    {15, "the constant is a function, too, but the row of zeros forbids it: it is not 0 there"}}},
                  {"most_without_biases",
                   most_without_biases,
                   double(without(4)),
                   0,
                   {{4, "that is a linear bottleneck; count the products of two numbers"},
                    {6, "the squares are products of two, too"},
                    {16, "x·y and y·x are the same function"},
                    {14, "without biases the numbers themselves do not come through, only products of two"}}},
                  {"most_with_biases_no_zeros",
                   most_with_biases_no_zeros,
                   double(with(4) + 1),
                   0,
                   {{10, "that is without biases"},
                    {14, "that is with the row of zeros; what did it forbid?"},
                    {16, "a function for each feature: which would be the sixteenth?"}}},
                  {"smallest_m_with_biases",
                   smallest_m_with_biases,
                   smallest_m(7, with),
                   0,
                   {{2, "two numbers have x², x·y, y², x, y: too few"},
                    {4, "enough, but fewer are, too, with biases"},
                    {7, "that is a linear bottleneck"}}},
                  {"smallest_m_without_biases",
                   smallest_m_without_biases,
                   smallest_m(7, without),
                   0,
                   {{2, "two numbers have three products of two: x², x·y, y²"},
                    {3, "count the products of two out of three numbers; the numbers themselves do not come through"},
                    {7, "that is a linear bottleneck"}}},
                  {"smallest_m_linear",
                   smallest_m_linear,
                   smallest_m(7, linear),
                   0,
                   {{3, "there are no products here"},
                    {4, "there are no products here"},
                    {6, "a constant could replace one number, but for the row of zeros; and X·E·U has none"},
                    {8, "the row of zeros comes back as zeros by itself"}}}});
}
static const Exercise here{"4.5", "Features through a few numbers", check};
