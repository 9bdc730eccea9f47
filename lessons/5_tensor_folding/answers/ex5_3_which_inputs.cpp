// Exercise 5.3: read from a tensor what a net multiplies.
// Hint: Entries of 1e-16 are what rounding leaves of zeros. For output 0, multiply out (x1, x4)·[0 s; s 0]·(x1, x4)ᵀ.
// Hint: Output 1: two inputs in the same sum are not multiplied by each other. So which inputs does x0 not meet? (x4
// is in neither sum.)
// Hint: The sums are of x0 and x3, and of x1 and x2. Compare their rows: equal rows mean equal signs, opposite rows
// opposite signs.
// SPDX-License-Identifier: MIT
#include <ex5_3_which_inputs.hpp>

#include "common/exercise/exercise.hpp"

using namespace exercise;

namespace ours::ex5_3 {

// In S[0] only one pair of entries is more than rounding. Both belong to x1·x4, and add.
const double one_input = 1;
const double other_input = 4;
const double coefficient = -3;

// (x0 + x3)(x1 - x2). The diagonal is zero, so no input is in both sums. x0 meets x1 and x2 but not x3, and x1 meets x0
// and x3 but not x2. The rows of x0 and x3 are equal, so both have the same sign; that of x2 is the opposite of that of
// x1. 2·0.5 = 1 stands before x0·x1.
const std::array<double, 5> one_sum{1, 0, 0, 1, 0};
const std::array<double, 5> other_sum{0, 1, -1, 0, 0};

}  // namespace ours::ex5_3

using Sum = std::array<double, 5>;  // weights of x0 to x4

// What stands before x[p]·x[q] when two sums are multiplied out.
static double before(const Sum& a, const Sum& b, std::size_t p, std::size_t q) {
  return a[p] * b[q] + (p == q ? 0 : a[q] * b[p]);
}

// What is wrong with two sums: an input in both, or two in one sum that the slice multiplies, or sizes, or signs.
static std::string diagnose_sums(const Sum& a, const Sum& b) {
  std::string off, together;
  bool sizes = true;
  for (std::size_t p = 0; p < a.size(); ++p)
    for (std::size_t q = p; q < a.size(); ++q) {
      const double yours = before(a, b, p, q), right = before(ours::ex5_3::one_sum, ours::ex5_3::other_sum, p, q);
      if (!(std::abs(yours - right) <= rounding)) off = join("multiplied out, ", yours, " stands before x", p, "·x", q);
      sizes = sizes && std::abs(std::abs(yours) - std::abs(right)) <= rounding;
      if (p != q && right != 0 && (a[p] * a[q] != 0 || b[p] * b[q] != 0))
        together = join("x", p, " and x", q, " are in one sum, but the slice multiplies them");
    }
  if (off.empty()) return "";
  if (a == Sum{} || b == Sum{}) return "a sum is still zero, and so is the product";
  for (std::size_t p = 0; p < a.size(); ++p)
    if (a[p] != 0 && b[p] != 0) return join("x", p, " is in both sums, which makes x", p, "²; the diagonal has none");
  if (a[4] != 0 || b[4] != 0) return "x4 is in a sum, but its row is all zeros";
  if (!together.empty()) return together;
  if (const double share = std::abs(before(a, b, 0, 1)); share == 0.5 || share == 0.25)
    return "an entry is one of two, x0·x1 and x1·x0, and both count";
  return (sizes ? "the right inputs, but not their signs: " : "") + off;
}

// For the right input and the one that it is multiplied by.
static std::vector<Misreading> wrong_input(double input, double partner) {
  std::vector<Misreading> wrong{{input + 1, "the inputs are counted from 0: the second row is that of x1"},
                                {partner, "that is the other one again; a square would stand on the diagonal"}};
  for (const double other : {0.0, 2.0, 3.0})
    if (other != input + 1) wrong.push_back({other, "its row holds 1e-16 and less, which rounding leaves of 0"});
  return wrong;
}

static Verdict check() {
  using namespace ex5_3;
  if (std::isnan(one_input) && std::isnan(other_input) && std::isnan(coefficient) && one_sum == Sum{} &&
      other_sum == Sum{})
    return not_started();
  constexpr double low = 1, high = 4;
  Prediction lower{"one_input", one_input, low, 0, wrong_input(low, high)};
  Prediction higher{"other_input", other_input, high, 0, wrong_input(high, low)};
  if (one_input == high || other_input == low) {
    std::swap(lower.name, higher.name);
    std::swap(lower.yours, higher.yours);
  }
  Findings findings;
  findings.add(lower.name, diagnose(lower));
  findings.add(higher.name, diagnose(higher));
  const std::string one_of_two = "that is one of two entries; x1·x4 and x4·x1 are the same", add = "the entries add";
  const std::vector<Misreading> wrong{
      {-1.5, one_of_two}, {1.5, one_of_two}, {2.25, add}, {-2.25, add}, {3, "its sign"}};
  findings.add("coefficient", diagnose(Prediction{"", coefficient, -3, 0, wrong}));
  findings.add("the sums", diagnose_sums(one_sum, other_sum));
  return findings.verdict();
}
static const Exercise here{"5.3", "Which inputs are multiplied", check};
