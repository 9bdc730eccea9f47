// Lesson 5, part 11: two layers are one tensor of order five; what that costs.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/parts/part2_folding.hpp"

// F[o,p,q,r,s] = Σ_ij T2[o,i,j]·T1[i,p,q]·T1[j,r,s], for n inputs, as one run of n⁴ numbers for each output.   (5.24)
inline std::vector<std::vector<double>> fold_twice(const Tensor3<double>& T1, const Tensor3<double>& T2) {
  const std::size_t n = T1.shape().rows;
  std::vector<std::vector<double>> F(T2.outputs(), std::vector<double>(n * n * n * n));
  for (std::size_t o = 0; o < T2.outputs(); ++o)
    for (std::size_t i = 0; i < T1.outputs(); ++i)
      for (std::size_t j = 0; j < T1.outputs(); ++j)
        for (std::size_t pq = 0; pq < n * n; ++pq)
          for (std::size_t rs = 0; rs < n * n; ++rs)
            F[o][pq * n * n + rs] += T2(o, i, j) * T1.slices[i].values()[pq] * T1.slices[j].values()[rs];
  return F;
}

// Σ_pqrs F[p,q,r,s]·x_p·x_q·x_r·x_s.
inline double evaluate_order_four(const std::vector<double>& F, std::span<const double> x) {
  const std::size_t n = x.size();
  double sum = 0;
  for (std::size_t pq = 0; pq < n * n; ++pq)
    for (std::size_t rs = 0; rs < n * n; ++rs)
      sum += F[pq * n * n + rs] * x[pq / n] * x[pq % n] * x[rs / n] * x[rs % n];
  return sum;
}

// How many polynomials of degree at most 4 in n variables there are: n + 4 over 4.
inline double distinct_of_degree_four(double n) { return (n + 1) * (n + 2) * (n + 3) * (n + 4) / 24; }

inline void part11(Lesson& lesson) {
  Random random(lesson.options().seed, 66);
  const auto W1 = normal_matrix<double>(4, 5, 1, random), V1 = normal_matrix<double>(4, 5, 1, random);
  const auto W2 = normal_matrix<double>(5, 3, 1, random), V2 = normal_matrix<double>(5, 3, 1, random);
  const auto X = normal_matrix<double>(20, 4, 1, random);
  const Matrix<double> H = hadamard(matmul(X, W1), matmul(X, V1)), Y = hadamard(matmul(H, W2), matmul(H, V2));
  const auto F = fold_twice(product_tensor(W1, V1), product_tensor(W2, V2));
  double worst = 0;
  for (std::size_t r = 0; r < X.rows(); ++r)
    for (std::size_t o = 0; o < 3; ++o)
      worst = std::max(worst, std::abs(evaluate_order_four(F[o], X.row(r)) - Y(r, o)));
  lesson.say("Two product layers, 4 inputs, 5 and 3 products: each output is a sum over four inputs at a time, ",
             "F[o,p,q,r,s], a tensor of order five.");
  lesson.claim("the folded pair = the two layers, relative", worst / largest_entry(Y), at_most(1e-12));
  Table table{{"inputs", "one layer", "two layers"}, {}};
  for (const double n : {4.0, 16.0, 64.0, 144.0, 784.0})
    table.rows.push_back(
        {significant(n), significant((n + 1) * (n + 2) / 2, 6), significant(distinct_of_degree_four(n), 6)});
  lesson.say(
      "With biases (the constant is one input more) and those that differ by the order of the inputs counted once, "
      "the ",
      "numbers for each output are:");
  lesson.show(table);
  const double n = 144, h = 24, outputs = 10, folded = outputs * n * (n + 1), factors = 2 * n * h + h * outputs;
  lesson.say(
      "And it is slow: one layer of part 6 takes ", factors, " multiplications as factors, ", folded,
      " folded. Folding is for reading, not for running; beyond one layer, keep the factors and look at one layer at ",
      "a time.");
  lesson.claim("two layers of 784 inputs: distinct numbers for each output", distinct_of_degree_four(784),
               at_least(1e10));
}
