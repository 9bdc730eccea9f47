// Exercise 1.5: the variance law for leaky ReLU.
// Hint: The weights are symmetric around 0, and so is z. Write E[φ(z)²] as the part that comes from
// z > 0 plus the part that comes from z < 0.
// Hint: For z > 0 the square is z², for z < 0 it is (a·z)². Since z is symmetric, each half of z²
// contributes the same: E[z²]/2.
// Hint: E[φ(z)²] = (1 + a²)/2 · E[z²], and E[z²] = n·Var W·E[h²]. The gain is what makes the
// product of the two factors 1.
// SPDX-License-Identifier: MIT
#include <cmath>

// For the check:
#include <ex1_5_leaky_gain.hpp>

#include "common/frame/exercise/exercise.hpp"

using namespace exercise;

namespace ours::ex1_5 {

// A layer multiplies E[h²] by n·Var W·(1 + a²)/2, so ReLU (a = 0) needs 2 and a linear layer (a =
// 1) needs 1.
inline double gain(double a) {
  double below = a * a;
  slip(below, 0.0, "that is the same for every a, but what passes below zero adds to E[h²]");
  slip(below, a, "below zero the square of h counts, so a counts as its square");
  slip(below, 2 * a + a * a, "that has (1 + a)² in it, but each z lies in one half, never in both");
  slip(below, a + a * a / 2 - 0.5,
       "that squares the mean of the slopes 1 and a; we ask for the mean of their squares");
  slip(below, a * a - 2 * a,
       "that has (1 - a)² in it, but each z lies in one half, and its square is never mixed");
  slip(below, a * a / 2, "the half below zero has its weight of 1/2 twice");
  slip(below, 2 * a * a, "the half above zero has its weight of 1/2, but the half below lacks it");
  slip(below, -a * a, "squares add: what passes below zero is more, not less");
  double passes = (1 + below) / 2;
  slip(passes, 1.0, "that is the gain without any activation");
  slip(passes, 1 + below, "each half of the z has a weight of 1/2 in the mean");
  slip(passes, passes - (1 - a) * (1 - a) / (2 * std::acos(-1.0)),
       "that keeps the variance of h; the next layer multiplies h itself, so E[h²] counts");
  double gain = 1 / passes;
  slip(gain, std::sqrt(gain), "this scales the deviation, not the variance");
  slip(gain, passes, "upside down: that is what a layer does to E[z²]; undo it");
  slip(gain, 4 * passes, "more gets through, so Var W must be smaller, not larger");
  slip(gain, 2 - below, "undo a factor by dividing, not by subtracting");
  return gain;
}

}  // namespace ours::ex1_5

static Assessment check() {
  const Matrix<double> slopes{{0, 0.01, 0.2, 0.5, 0.9}};  // at 1 a wrong formula may be infinite
  Answer gain{"gain", map_entries(slopes, ex1_5::gain),
              map_entries(slopes, [](double a) { return 2 / (1 + a * a); })};
  for (const double a : slopes.values()) gain.places.push_back(join("gain(", a, ")"));
  if (untouched(gain)) return not_started();
  Findings findings;
  findings.add("gain", gain, {1e-12, "right"},
               [&] { return map_entries(slopes, ours::ex1_5::gain); });
  return findings.verdict();
}
static const Exercise here{"1.5", "The variance law for leaky ReLU", check};
