// Exercise 4.3: what three bits ask of a layer of products.
// Hint: Write down the odd corners, with one or three bits that are 1, and the even ones. At which of either is the function
// 1?
// Hint: If it said 0 in the place of -1, κ would be the number of odd corners at which it is 1, less the number of even
// ones. What do twice the values do to κ, and what does a 1 taken from all eight? The best quadratic misses every corner by
// |κ|/8.
// Hint: For κ = 6 let it be 1 at a odd and b even corners with a - b = 3. There are two such pairs; choose the corners in
// each.
// SPDX-License-Identifier: MIT
#include <ex4_3_three_bits.hpp>

#include "common/exercise/exercise.hpp"
#include "lessons/4_bilinear_gates/forms.hpp"

using namespace exercise;

namespace ours::ex4_3 {

// The odd corners are 100, 010, 001 and 111, the even ones 000, 110, 101 and 011. A function of -1 and 1 is twice the one of
// 0 and 1, less 1 everywhere; that 1 counts plus four times and minus four times. So κ is twice the number of odd corners at
// which it is 1, less twice the number of even ones.

// 1 at 111 and at three even corners: 2·(1 - 3).
inline const double majority = -4;
// 1 at three odd corners.
inline const double exactly_one = 6;
// 1 at all four odd corners and three even ones.
inline const double at_least_one = 2;
// Where z does not matter the corners come in pairs of one odd and one even, which cancel.
inline const double without_z = 0;

// The best quadratic misses each corner by |κ|/8.
inline const double majority_missed_by = 4.0 / 8;

// Three odd corners and no even one, 4 ways, or all four odd ones and one even one, 4 ways again.
inline const double functions_with_six = 8;

}  // namespace ours::ex4_3

// Returns κ of the function that is 1 where `holds` says so of x, y and z, and -1 elsewhere: twice that of 0 and 1, as a
// constant has none.
template <class Holds>
static double kappa(Holds holds) {
  std::size_t function = 0;
  for (std::size_t i = 0; i < 8; ++i) function |= std::size_t(holds(i & 1, i >> 1 & 1, i >> 2 & 1)) << i;
  return 2 * lesson4::cubic_coefficient(function);
}

static Verdict check() {
  using namespace ex4_3;
  using Bit = std::size_t;
  const double of_majority = kappa([](Bit x, Bit y, Bit z) { return x + y + z >= 2; });
  double sixes = 0;
  for (std::size_t f = 0; f < 256; ++f) sixes += 2 * lesson4::cubic_coefficient(f) == 6;
  const std::string of_bits = "that is of outputs 0 and 1; here they are -1 and 1",
                    unsigned_corners = "counted without signs: even corners count minus",
                    shared_out = "|κ| is shared out among the eight corners";
  return compare({{"majority",
                   majority,
                   of_majority,
                   0,
                   {{-2, of_bits},
                    {4, "the sign: at which corners is it 1, odd or even ones?"},
                    {2, "the sign, and it is of outputs 0 and 1"},
                    {0, unsigned_corners},
                    {-6, "one odd corner has a majority, too"},
                    {-1, "the even corners have a part in it, too"}}},
                  {"exactly_one",
                   exactly_one,
                   kappa([](Bit x, Bit y, Bit z) { return x + y + z == 1; }),
                   0,
                   {{3, of_bits},
                    {-6, "the sign: corners with one 1 are odd"},
                    {-2, unsigned_corners},
                    {2, "the even corners say -1 each, and count minus"},
                    {8, "at the fourth odd corner all three are 1"}}},
                  {"at_least_one",
                   at_least_one,
                   kappa([](Bit x, Bit y, Bit z) { return x + y + z >= 1; }),
                   0,
                   {{1, of_bits},
                    {6, unsigned_corners},
                    {-2, "the sign: one even corner says -1, and no odd one"},
                    {4, "it is 1 at three even corners, too"},
                    {0, "000 is the one corner at which it is -1: odd or even?"}}},
                  {"without_z",
                   without_z,
                   kappa([](Bit x, Bit y, Bit) { return x == 1 && y == 0; }),
                   0,
                   {{2, "z is 0 or 1: there are two corners with x AND NOT y"},
                    {-2, "z is 0 or 1: there are two corners with x AND NOT y"},
                    {1, "z is 0 or 1: there are two corners with x AND NOT y"},
                    {-1, "z is 0 or 1: there are two corners with x AND NOT y"},
                    {-4, unsigned_corners},
                    {4, "the two corners differ in z: one of them is even"}}},
                  {"majority_missed_by",
                   majority_missed_by,
                   std::abs(of_majority) / 8,
                   0,
                   {{4, "that is |κ|; it is shared out among the eight corners"},
                    {-0.5, "a distance is not negative"},
                    {1, "shared out among four corners, but there are eight"},
                    {0.25, "that is of outputs 0 and 1, or the square of the distance"},
                    {0.75, "that follows from κ = 6 or -6, which the majority has not: " + shared_out},
                    {0.125, "that follows from κ = 1 or -1, which the majority has not: " + shared_out}}},
                  {"functions_with_six",
                   functions_with_six,
                   sixes,
                   0,
                   {{4, "three odd corners and no even one is one way; is there another?"},
                    {1, "three of four odd corners can be chosen in more than one way"},
                    {16, "of each kind there are four"},
                    {2, "those are the kinds; in each there are corners to choose"},
                    {5, "all four odd corners and one even one: which of the four?"},
                    {56, "so many have κ = 2"},
                    {28, "so many have κ = 4"},
                    {70, "so many have κ = 0"},
                    {0, "some have it: at which corners must it be 1?"}}}});
}
static const Exercise here{"4.3", "What three bits ask", check};
