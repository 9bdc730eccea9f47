// Exercise 4.6: one unit for any four numbers.
// Hint: Spend the freedom: let the first factor see only x, and be 1 at x = 0. What must the second factor be along y, at x
// = 0?
// Hint: At x = 1 the first factor is some number that stretches the second one's line in y. How steep must the product be
// there, from f(1,0) to f(1,1)?
// Hint: stretch = (f(1,1) - f(1,0)) / (f(0,1) - f(0,0)), so the first factor is (stretch - 1)·x + 1. The second has the
// weight of x left: what must it do?
// SPDX-License-Identifier: MIT
#include <ex4_6_any_four.hpp>

#include "common/exercise/exercise.hpp"

using namespace exercise;
using lesson4::Factor, lesson4::TruthTable;

namespace ours::ex4_6 {

using lesson4::Factor, lesson4::TruthTable;

// Returns the two factors of a unit that says f[0], f[1], f[2], f[3] at 00, 10, 01, 11 (x first). The four are different.
// Spend the freedom: let the first factor see x alone and be 1 at x = 0. Then at x = 0 the second factor must be the line
// from f(0,0) to f(0,1). At x = 1 the first factor is some number s that stretches that line: its slope in y becomes s times
// as steep. The weight of x in the second factor then lifts it to where s times it is f(1,0). Both divisions are by numbers
// that are not 0 when the four are different.
inline std::pair<Factor, Factor> unit_for(TruthTable f) {
  slip(f, TruthTable{f[0], f[2], f[1], f[3]}, "x and y are exchanged: f[1] is wanted at 10, f[2] at 01");
  const double rise = f[2] - f[0];
  double stretch = (f[3] - f[1]) / rise;
  slip(stretch, 1 / stretch, "three corners are right; at 11 the stretch from one side to the other is upside down");
  double lift = f[1] / stretch - f[0];
  slip(lift, f[1] - f[0],
       "right at x = 0; at x = 1 the first factor stretches what the second says, its weight of x, too");
  return {{stretch - 1, 0, 1}, {lift, rise, f[0]}};
}

}  // namespace ours::ex4_6

static Matrix<double> said_by(const std::pair<Factor, Factor>& unit) {
  const auto& [w, v] = unit;
  return {{w.one * v.one, w.at(1, 0) * v.at(1, 0), w.at(0, 1) * v.at(0, 1), w.at(1, 1) * v.at(1, 1)}};
}

// Says what is wrong with what a unit says at the four corners, where that is told by how many are right.
static std::string by_count(const Matrix<double>& said, const Matrix<double>& wanted) {
  const auto right = [&](std::size_t k) {
    return std::abs(said(0, k) - wanted(0, k)) <= 1e-9 * (1 + std::abs(wanted(0, k)));
  };
  const std::size_t count = right(0) + right(1) + right(2) + right(3);
  if (said == Matrix<double>(1, 4, said(0, 0)))
    return "both factors are constants: a factor must look at x, and one at y";
  if (count == 3)
    return "three corners are right; two weights of the six are still free: which of them moves the fourth alone?";
  if (right(0) && count == 1)
    return "right at 00; along x and along y the product has a square, too: what does it add at 1?";
  return count == 2 ? "right at two corners: what do the free weights do at the other two?" : "";
}

static Verdict check() {
  Random random(8);
  for (int draw = 0; draw < 20; ++draw) {
    TruthTable wanted;
    for (double& number : wanted) number = random.normal();
    const auto [w, v] = calling("unit_for", [&] { return ex4_6::unit_for(wanted); });
    const Matrix<double> said = said_by({w, v}), right{{wanted[0], wanted[1], wanted[2], wanted[3]}};
    if (largest_entry(said) == 0)
      return draw == 0 ? not_started() : wrong(join("unit_for: both factors are zero for draw ", draw));
    if (!std::isfinite(largest_entry(said)))
      return wrong(join("unit_for: a weight of draw ", draw,
                        " is no finite number: is there a division by 0, or the root of a negative number?"));
    const Answer answer{"", said, right, {"00", "10", "01", "11"}};
    const Judge judge{1e-9, "wanted"};
    const std::string text = diagnose(answer, judge, [&] { return said_by(ours::ex4_6::unit_for(wanted)); });
    if (text.empty()) continue;
    const std::string plain = diagnose(answer, judge), cause = text == plain ? by_count(said, right) : text;
    return wrong(join("unit_for: ", cause.empty() ? "" : cause + "\n", "draw ", draw, ", ", plain));
  }
  return done();
}
static const Exercise here{"4.6", "One unit for any four numbers", check};
