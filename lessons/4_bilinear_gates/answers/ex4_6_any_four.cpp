// Exercise 4.6: one unit for any four numbers.
// Hint: You have weights to spare: let the first factor see only x, and be 1 at x = 0. What must
// the second factor be along y, at x = 0?
// Hint: At x = 1 the first factor is some number that stretches the second one's line in y. How
// steep must the product be there, from f(1,0) to f(1,1)?
// Hint: stretch = (f(1,1) - f(1,0)) / (f(0,1) - f(0,0)), so the first factor is (stretch - 1)·x +
// 1. The second factor has its weight of x left: what must that do?
// SPDX-License-Identifier: MIT
#include <utility>

#include "lessons/4_bilinear_gates/forms.hpp"

// For the check:
#include <ex4_6_any_four.hpp>

#include "common/frame/exercise/exercise.hpp"

using namespace exercise;
using lesson4::Factor, lesson4::TruthTable;

static Factor turned(const Factor& one) { return {one.one, one.x, one.y}; }

namespace ours::ex4_6 {

using lesson4::Factor, lesson4::TruthTable;

// Returns the factors of a unit that is f[0], f[1], f[2], f[3] at 00, 10, 01, 11 (x first), as the
// hints say. No divisor is 0 when the four are different.
inline std::pair<Factor, Factor> unit_for(TruthTable f) {
  slip(f, TruthTable{f[0], f[2], f[1], f[3]},
       "x and y are exchanged: f[1] is wanted at 10, f[2] at 01");
  double rise = f[2] - f[0];
  slip(rise, -rise,
       "a difference has the wrong sign: a weight is what the factor gains from 0 to 1");
  slip(rise, f[2], "a weight is what the factor gains from 0 to 1: a difference of two corners");
  double stretch = (f[3] - f[1]) / rise;
  slip(stretch, 1 / stretch,
       "three corners are right; at 11 the stretch from one side to the other is upside down");
  slip(stretch, -stretch,
       "three corners are right; at 11 the stretch from one side to the other has the wrong sign");
  slip(stretch, f[3] - f[1],
       "the stretch is a ratio: how much steeper the far side is than the near one");
  double lift = f[1] / stretch - f[0];
  slip(
      lift, f[1] - f[0],
      "right on the near side; on the far side the first factor stretches all of the second, its lift, too");
  slip(lift, f[1] / stretch,
       "the second factor has its bias already: the lift is only what is missing");
  slip(
      lift, 0.0,
      "right on the near side; the second factor has one weight left, which lifts it on the far side");
  double gain = stretch - 1;
  slip(
      gain, stretch,
      "the bias of the first factor counts on the far side, too: weight and bias together are the stretch");
  Factor w{gain, 0, 1}, v{lift, rise, f[0]};
  slip(w, turned(w), "the first factor's numbers are {of x, of y, bias}");
  slip(v, turned(v), "the second factor's numbers are {of x, of y, bias}");
  return {w, v};
}

}  // namespace ours::ex4_6

static Matrix<double> said_by(const std::pair<Factor, Factor>& unit) {
  const auto& [w, v] = unit;
  return {
      {w.one * v.one, w.at(1, 0) * v.at(1, 0), w.at(0, 1) * v.at(0, 1), w.at(1, 1) * v.at(1, 1)}};
}

static Matrix<double> exchanged(Matrix<double> said) {
  std::swap(said(0, 1), said(0, 2));
  return said;
}

static std::string by_weights(const Factor& w, const Factor& v, const Matrix<double>& right) {
  const Matrix<double> said = said_by({w, v});
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + std::abs(b)); };
  const auto is = [&](std::size_t k) { return near(said(0, k), right(0, k)); };
  const std::size_t count = is(0) + is(1) + is(2) + is(3);
  if (agrees(said, right, 1e-3))
    return "right to some digits only: is there a float, or a number that was rounded?";
  for (const Factor& one : {w, v})
    if (near(one.x, right(0, 1)) || near(one.y, right(0, 2)))
      return "a corner's value stands as a weight; but at 10 a factor is its weight of x plus its bias";
  if (near(v.one, right(0, 0)) != near(w.one, right(0, 0)) && !is(0))
    return "f(0,0) is the product of the two biases: if one is f(0,0), the other must be 1";
  const lesson4::QuadraticForm f = lesson4::multiplied_out(w, v);
  if (near(f.x, right(0, 1) - right(0, 0)) && near(f.y, right(0, 2) - right(0, 0)) && is(0) &&
      count == 1)
    return "the product's coefficients of x and y are right; but at 1 its x² and y² count, too";
  constexpr const char* by_count[] = {
      "no corner is right: begin with 00, where the product is that of the two biases",
      "one corner is right: at each of the others weights count, not biases alone",
      "right at two corners: what do the free weights do at the other two?",
      "three corners are right: which freedom of the six weights is left for the fourth?"};
  return by_count[count];
}

static Assessment check() {
  Random random(8);
  for (int draw = 0; draw < 20; ++draw) {
    TruthTable wanted;
    for (double& number : wanted) number = random.normal();
    const auto [w, v] = calling("unit_for", [&] { return ex4_6::unit_for(wanted); });
    const Matrix<double> said = said_by({w, v}),
                         right{{wanted[0], wanted[1], wanted[2], wanted[3]}};
    if (largest_entry(said) == 0)
      return draw == 0 ? not_started()
                       : wrong(join("unit_for: both factors are zero for draw ", draw));
    if (!std::isfinite(largest_entry(said)))
      return wrong(join(
          "unit_for: a weight of draw ", draw,
          " is not a finite number: is there a division by 0, or the root of a negative number?"));
    const Answer answer{"", said, right, {"00", "10", "01", "11"}};
    const Tolerance tolerance{1e-9, "wanted"};
    std::string cause =
        diagnose(answer, tolerance, [&] { return said_by(ours::ex4_6::unit_for(wanted)); });
    if (cause.empty()) continue;
    const std::string plain = diagnose(answer, tolerance);
    const TruthTable of_y_and_x{wanted[0], wanted[2], wanted[1], wanted[3]};
    const bool flat_w = w.x == 0 && w.y == 0, flat_v = v.x == 0 && v.y == 0;
    if (flat_w && flat_v) cause = "both factors are constants: one must look at x, and one at y";
    else if (flat_w || flat_v)
      cause =
          "one factor is a constant: the other alone is a plane, which is right at three corners at most";
    else if (said_by(ex4_6::unit_for({wanted[1], wanted[2], wanted[3], wanted[0]})) == said)
      cause = "the unit is the same, whatever f is";
    else if (cause == plain)  // the first factor may see y instead
      cause = cause_of(
          said, [&] { return exchanged(said_by(ours::ex4_6::unit_for(of_y_and_x))); },
          [](const auto& a, const auto& b) { return agrees(a, b, rounding); });
    return wrong(join("unit_for: ", cause.empty() ? by_weights(w, v, right) : cause, "\ndraw ",
                      draw, ", ", plain));
  }
  return done();
}
static const Exercise here{"4.6", "One unit for any four numbers", check};
