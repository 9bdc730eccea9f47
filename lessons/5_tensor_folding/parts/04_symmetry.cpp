// Lesson 5, part 4: many tensors are one function; the symmetric one among them.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/parts/part2_folding.hpp"

inline void part4(Lesson& lesson) {
  Random random(lesson.options().seed, 63);
  const Net<double> net = random_net({6, 0, 5, 3, false}, random);
  const auto X = normal_matrix<double>(50, 6, 1, random);
  const Tensor3<double> T = fold_factors(net.W, net.V, net.U);
  const Tensor3<double> S = symmetric(T), upper = triangular(T);
  const Matrix<double> Y = evaluate(T, X);
  const double size = largest_entry(Y);
  lesson.say(
      "x_p·x_q and x_q·x_p are one number, so only T[o,p,q] + T[o,q,p] counts. It may be shared out in halves (S, ",
      "symmetric) or put above the diagonal (triangular):");
  lesson.claim("symmetric: the same outputs, relative", max_abs_difference(evaluate(S, X), Y) / size, at_most(1e-12));
  lesson.claim("triangular: the same outputs, relative", max_abs_difference(evaluate(upper, X), Y) / size,
               at_most(1e-12));
  Net<double> exchanged = net;
  std::swap(exchanged.W, exchanged.V);
  const Tensor3<double> other = fold_factors(exchanged.W, exchanged.V, exchanged.U);
  lesson.say("W and V exchanged: another T, the same S. So S is what to look at, and what to compare.");
  lesson.claim("T before and after, largest difference", largest_difference(T, other), at_least(0.1));
  lesson.claim("S before and after, largest difference", largest_difference(S, symmetric(other)), at_most(1e-13));
  const auto distinct = [](std::size_t n) { return n * (n + 1) / 2; };
  lesson.show(
      Table{{"inputs n", "pairs n·n", "distinct n(n + 1)/2"},
            {{"144", "20736", std::to_string(distinct(144))}, {"784", "614656", std::to_string(distinct(784))}}});
  Tensor3<double> ones(1, 144, 144);
  ones.slices[0] = Matrix<double>(144, 144, 1);
  double kept = 0;
  const Tensor3<double> half = triangular(ones);
  for (const double entry : half.slices[0].values()) kept += entry != 0;
  lesson.claim("entries of a triangular slice of 144 inputs, counted", kept, exactly(double(distinct(144))));
}
