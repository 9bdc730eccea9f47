// Exercise 4.1: NAND and x OR NOT y for inputs -1 and 1.
// Hint: NAND cannot tell x from y: let both factors see only s = x + y, which is -2, 0 or 2 at the corners. Which values
// must a function of s have there?
// Hint: A product of two factors in s is a parabola, and its zeros are those of its factors. NAND wants 1, 1, 0. For x OR
// NOT y look at x - y in the same way.
// Hint: A parabola is symmetric: where it says the same at -2 and at 0, its zeros lie equally far from -1. One is at 2.
// Scale it to 1 at s = 0.
// SPDX-License-Identifier: MIT
#include <ex4_1_two_gates.hpp>

#include "common/exercise/exercise.hpp"

using namespace exercise;
using namespace lesson4;

namespace ours::ex4_1 {

using lesson4::Factor;

// NAND sees only s = x + y, which is -2, 0 or 2 at the corners, and wants 1, 1, 0 there. A parabola with a zero at 2 that
// has the same value at -2 and 0 is symmetric about -1, so its other zero is at -4: (2 - s)(s + 4)/8.
inline const Factor nand_w{-1.0 / 8, -1.0 / 8, 2.0 / 8};
inline const Factor nand_v{1, 1, 4};

// x OR NOT y sees only x - y and wants 0, 1, 1: zeros at -2 and 4, (s + 2)(4 - s)/8.
inline const Factor or_not_w{1.0 / 8, -1.0 / 8, 2.0 / 8};
inline const Factor or_not_v{-1, 1, 4};

}  // namespace ours::ex4_1

static Matrix<double> row_of(const TruthTable& values) { return {{values[0], values[1], values[2], values[3]}}; }

// What a reader's product says at the corners of the square from -1 to 1, in the order 00, 10, 01, 11.
static Matrix<double> on_signs(const Factor& w, const Factor& v) {
  const QuadraticForm f = multiplied_out(w, v);
  return {{f.at(-1, -1), f.at(1, -1), f.at(-1, 1), f.at(1, 1)}};
}

static bool is_zero(const Factor& f) { return f.x == 0 && f.y == 0 && f.one == 0; }

// What may have been done to a right factor, by what undoes it.
struct Slip {
  Factor (*undone)(const Factor& f);
  const char* cause;
};
static const Slip known_slips[] = {
    {[](const Factor& f) {
       return Factor{f.x / 2, f.y / 2, f.one + (f.x + f.y) / 2};
     },
     "right for inputs 0 and 1; here they are -1 and 1"},
    {[](const Factor& f) {
       return Factor{f.x, f.y, f.one + f.x + f.y};
     },
     "a bit is (1 + s)/2 of an input s: half of each weight goes to the bias, too"},
    {[](const Factor& f) {
       return Factor{f.x, f.y, f.one + 2 * (f.x + f.y)};
     },
     "a bit is (1 + s)/2 of an input s: half of each weight goes to the bias with a plus"},
    {[](const Factor& f) {
       return Factor{f.x / 4, f.y / 4, f.one + 3 * (f.x + f.y) / 4};
     },
     "2·s - 1 makes a sign of a bit; here a bit is to be made of a sign, (1 + s)/2"},
    {[](const Factor& f) {
       return Factor{f.y, f.one, f.x};
     },
     "the numbers of a factor are {of x, of y, bias}"}};

// Says what is wrong with a reader's gate. A weight moves all four corners at once, so no single corner is said to lack a
// factor.
static std::string diagnose_gate(const Factor& w, const Factor& v, const Gate& wanted) {
  const Matrix<double> yours = on_signs(w, v), right = row_of(wanted.truth);
  constexpr double tolerance = 1e-9;  // sums of three terms round; a fraction written as 0.3333 is off by more
  if (agrees(yours, right, tolerance)) return "";
  if (is_zero(w) && is_zero(v)) return "both factors are still zero";
  if (is_zero(w) || is_zero(v)) return "one factor is still zero, and so is the product";
  const Matrix<double> ones(1, 4, 1);
  if (agrees(yours, 2 * right - ones, tolerance)) return "the outputs are -1 and 1; they must be 0 and 1";
  // By accident the factors of section 4 with halved weights alone are another gate, as NAND's are OR.
  const auto halved = [](const Factor& mine, const Factor& given) {
    return mine.x == given.x / 2 && mine.y == given.y / 2 && mine.one == given.one;
  };
  const Gate* gate = gate_of({yours(0, 0), yours(0, 1), yours(0, 2), yours(0, 3)}, tolerance);
  if (gate && !(halved(w, wanted.w) && halved(v, wanted.v)) && !(halved(w, wanted.v) && halved(v, wanted.w)))
    return join("that is ", gate->name,
                row_of(gate->truth) == ones - right ? "; 1 minus it is what is wanted" : " for inputs -1 and 1");
  for (const auto& [undone, cause] : known_slips) {
    if (agrees(on_signs(undone(w), undone(v)), right, tolerance)) return cause;
    if (agrees(on_signs(undone(w), v), right, tolerance)) return join("in the first factor: ", cause);
    if (agrees(on_signs(w, undone(v)), right, tolerance)) return join("in the second factor: ", cause);
  }
  const double factor = dot(yours, right) / dot(right, right);
  if (agrees(yours, factor * right, tolerance))
    return join("every corner is ", significant(factor), " times what it must be: divide one of the factors");
  return diagnose(Answer{"", yours, right, {"at (-1,-1)", "at (1,-1)", "at (-1,1)", "at (1,1)"}},
                  {tolerance, "wanted"});
}

static Verdict check() {
  using namespace ex4_1;
  if (is_zero(nand_w) && is_zero(nand_v) && is_zero(or_not_w) && is_zero(or_not_v)) return not_started();
  Findings findings;
  findings.add("NAND", diagnose_gate(nand_w, nand_v, gates[14]));
  findings.add("x OR NOT y", diagnose_gate(or_not_w, or_not_v, gates[11]));
  return findings.verdict();
}
static const Exercise here{"4.1", "NAND and x OR NOT y on -1 and 1", check};
