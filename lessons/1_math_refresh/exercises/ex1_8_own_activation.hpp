// Exercise 1.8 (change, 30 minutes): an activation of your own. Write one that the course does not
// have, with its slope, and find its gain: the n·Var W at which signals with E[h²] = 1 stay level.
// By (1.16) this is the gain with E[φ(z)²] = 1 for z from N(0, gain); how you find it is up to you.
// The check sends signals through thirty layers of width 256, and allows for luck. Some φ lack such
// a gain, and some have one that networks do not keep to: ask what becomes of a signal that is 1 %
// too large. lesson1::gaussian_mean(f, v) is E[f(z)] for z from N(0, v).
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include "lessons/1_math_refresh/models.hpp"

namespace ex1_8 {

// TODO: put your φ in place of the straight line, then its slope, its gain and the last number.
inline double phi(double z) { return z; }
inline double phi_prime([[maybe_unused]] double z) { return 1; }

// n·Var W, to 0.1 %.
inline double gain() { return 1; }

// ReLU's gain is right for signals of any size. Is yours? Return what one wide layer makes of
// E[h²] = 100 at the same gain, to 1 %.
inline double made_of_100() { return 100; }

}  // namespace ex1_8
