// Lesson 5, part 4: many tensors are one function; the symmetric one among them.
// SPDX-License-Identifier: MIT
#include <string>
#include <utility>

#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/model/01_tensor.hpp"
#include "lessons/5_tensor_folding/run/session.hpp"

namespace lesson5 {
namespace {

std::size_t distinct(std::size_t n) { return n * (n + 1) / 2; }

// The entries of a triangular slice of n inputs that are not zero, counted.
std::size_t counted(std::size_t n) {
  Tensor3 ones(1, n, n);
  ones.slices[0] = Matrix<double>(n, n, 1);
  const Tensor3 half = triangular(ones);
  std::size_t kept = 0;
  for (const double entry : half.slices[0].values()) kept += entry != 0;
  return kept;
}

}  // namespace

void part4(Lesson& lesson, Session&) {
  Random random(lesson.options().seed, 63);
  Net<double> net({6, 0, 5, 3, Biases::without});
  fill_normal(net.tensors(), random);
  const auto X = normal_matrix<double>(50, 6, 1, random);
  const Tensor3 T = fold_factors(net.W, net.V, net.U), exchanged = fold_factors(net.V, net.W, net.U);
  const Tensor3 S = symmetric(T);
  const Matrix<double> Y = evaluate(T, X);
  const double size = largest_entry(Y);
  const double T_apart = largest_difference(T, exchanged), S_apart = largest_difference(S, symmetric(exchanged));

  lesson.say("Which tensor is the net? With W and V exchanged an entry of T changes by up to ", significant(T_apart, 3),
             ", one of S by ", significant(S_apart, 2), ": S is what to look at, and what to compare.");
  // Sums of some hundred products, and halves of numbers near 1: some 1e-15. Numbers that are not the same differ by 1.
  lesson.claim("symmetric: the same outputs, relative", max_abs_difference(evaluate(S, X), Y) / size, at_most(1e-12));
  lesson.claim("triangular: the same outputs, relative", max_abs_difference(evaluate(triangular(T), X), Y) / size,
               at_most(1e-12));
  lesson.claim("T before and after, largest difference", T_apart, at_least(0.1));
  lesson.claim("S before and after, largest difference", S_apart, at_most(1e-13));
  lesson.detail(
      Table{{"inputs n", "pairs n·n", "distinct n(n + 1)/2"},
            {{"144", "20736", std::to_string(distinct(144))}, {"784", "614656", std::to_string(distinct(784))}}});
  lesson.claim("entries of a triangular slice of 144 inputs, counted", double(counted(144)),
               exactly(double(distinct(144))));
}

}  // namespace lesson5
