// Lesson 5, part 3: biases by a constant one, and the constant, linear and quadratic part of each output.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/parts/part1_third_order.hpp"
#include "lessons/5_tensor_folding/parts/part2_folding.hpp"

inline void part3(Lesson& lesson) {
  const Matrix<double> W{{1, 2}, {3, 0}}, b{{5, -1}}, x{{2, 1}};
  lesson.say("A bias is the weight of a number that is always 1. By hand: x·W + b with W = ", text_of(W),
             ", b = (5, -1), ", "x = (2, 1) is (10, 3). Extended, W~ = ", text_of(extended(W, b)),
             ", and (2, 1, 1)·W~ = ", text_of(matmul(with_one(x), extended(W, b))),
             ": the same, and the 1 comes out again, for the next layer's bias. It survives a product too: 1·1 = 1.");
  lesson.claim("extended by hand: max |diff|", max_abs_difference(matmul(with_one(x), extended(W, b)), {{10, 3, 1}}),
               exactly(0));

  Random random(lesson.options().seed, 62);
  const Net<double> net = random_net({6, 4, 5, 3, true}, random);
  const auto X = normal_matrix<double>(50, 6, 1, random);
  const Matrix<double> Y = net.forward(X).logits;
  const double size = largest_entry(Y);
  const Tensor3<double> S = symmetric(fold(net));
  lesson.say("A net with all its biases, 6 inputs and the 1: ", S.outputs(), " slices of ", to_text(S.shape()), ".");
  lesson.claim("tensor = net, relative", max_abs_difference(evaluate(S, with_one(X)), Y) / size, at_most(1e-12));

  // Constant, linear, quadratic: read from the slice, and found from the net by adding and subtracting outputs.
  const std::size_t n = 6;
  double constant = 0, linear = 0, quadratic = 0, mixed = 0;
  const auto at = [&](const Matrix<double>& point, std::size_t o) { return net.forward(point).logits(0, o); };
  for (std::size_t o = 0; o < S.outputs(); ++o) {
    const Matrix<double> zero(1, n);
    constant = std::max(constant, std::abs(at(zero, o) - S(o, n, n)));
    for (std::size_t p = 0; p < n; ++p) {
      Matrix<double> e(1, n);
      e(0, p) = 1;
      linear = std::max(linear, std::abs((at(e, o) - at(-1 * e, o)) / 2 - 2 * S(o, p, n)));
      for (std::size_t q = p + 1; q < n; ++q) {
        Matrix<double> other(1, n);
        other(0, q) = 1;
        const double both = at(e + other, o) - at(e, o) - at(other, o) + at(zero, o);
        mixed = std::max(mixed, std::abs(both - S(o, p, q) - S(o, q, p)));
      }
      quadratic = std::max(quadratic, std::abs((at(e, o) + at(-1 * e, o)) / 2 - at(zero, o) - S(o, p, p)));
    }
  }
  lesson.say(
      "What is read from a slice, against what the net itself says at 0, at each unit vector and at its opposite:");
  lesson.claim("constant S[o,n,n] = f(0), relative", constant / size, at_most(1e-12));
  lesson.claim("linear 2·S[o,p,n] = (f(e) - f(-e))/2, relative", linear / size, at_most(1e-12));
  lesson.claim("quadratic S[o,p,p] = (f(e) + f(-e))/2 - f(0), relative", quadratic / size, at_most(1e-12));
  lesson.claim("mixed S[o,p,q] + S[o,q,p] = D(e_p, e_q) of lesson 3, relative", mixed / size, at_most(1e-12));
}
