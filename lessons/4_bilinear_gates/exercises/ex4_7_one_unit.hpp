// Exercise 4.7 (change, 30 minutes): an activation that finds XOR with one unit.
// A rival of section 6 with a single unit and a read-out has five numbers, one fewer than a
// product. With ReLU, tanh or a sigmoid it is never XOR. Put an activation of your own in ReLU's
// place: at one of section 6's six rates, at least 95 of its hundred starts must find XOR. A
// polynomial of degree 2 is not allowed, since it is a product of equal factors. The check compares
// your slope with differences, trains at all rates, and says where the failed runs stop.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

namespace ex4_7 {

// TODO: in the place of ReLU put an activation that can do it.

// φ(z).
inline double value(double z) { return z > 0 ? z : 0; }

// φ'(z).
inline double slope(double z) { return z > 0 ? 1 : 0; }

}  // namespace ex4_7
