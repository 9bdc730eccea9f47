// Lesson 1, part 0: backpropagation by hand through a graph of five numbers.
// SPDX-License-Identifier: MIT
#pragma once

namespace lesson1 {

// Five nodes: a and b are given, p = a·b, q = a + p, r = q². Node a is used twice, so it collects two gradients.
struct Graph {
  double a, b, p, q, r;
  double da = 0, db = 0, dp = 0, dq = 0;  // the gradients of r

  Graph(double a_, double b_) : a(a_), b(b_), p(a * b), q(a + p), r(q * q) {
    dq = 2 * q;    // r = q²
    da += dq;      // q = a + p, first use of a
    dp = dq;       // q = a + p
    da += dp * b;  // p = a·b, second use of a: it adds
    db = dp * a;   // p = a·b
  }
};

}  // namespace lesson1
