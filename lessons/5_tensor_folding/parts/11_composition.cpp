// Lesson 5, part 11: two layers are one tensor of order five; what that costs.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
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

// Those terms of one output: entries whose inputs are the same, in whatever order, added up.
inline std::map<std::array<std::size_t, 4>, double> terms_of_degree_four(const std::vector<double>& F, std::size_t n) {
  std::map<std::array<std::size_t, 4>, double> terms;
  for (std::size_t place = 0; place < F.size(); ++place) {
    std::array<std::size_t, 4> inputs{place / (n * n * n), place / (n * n) % n, place / n % n, place % n};
    std::sort(inputs.begin(), inputs.end());
    terms[inputs] += F[place];
  }
  return terms;
}

// A product layer with biases, 1 x h each.
struct BiasedLayer {
  Matrix<double> W, b, V, c;

  BiasedLayer(std::size_t inputs, std::size_t products, Random& random)
      : W(normal_matrix<double>(inputs, products, 1, random)),
        b(normal_matrix<double>(1, products, 1, random)),
        V(normal_matrix<double>(inputs, products, 1, random)),
        c(normal_matrix<double>(1, products, 1, random)) {}

  Matrix<double> forward(const Matrix<double>& X) const {
    return hadamard(add_row(matmul(X, W), b), add_row(matmul(X, V), c));
  }
};

inline void part11(Lesson& lesson) {
  Random random(lesson.options().seed, 66);
  const BiasedLayer first(4, 5, random), second(5, 3, random);
  const auto X = normal_matrix<double>(20, 4, 1, random);
  const Matrix<double> Y = second.forward(first.forward(X)), wide = with_one(X);
  // The first layer hands the constant on, as one product more; behind the second nobody needs it.
  const auto F = fold_twice(product_tensor(extended(first.W, first.b), extended(first.V, first.c)),
                            product_tensor(with_last_row(second.W, second.b), with_last_row(second.V, second.c)));
  double whole = 0, by_terms = 0;
  std::ptrdiff_t counted = 0;
  for (std::size_t o = 0; o < F.size(); ++o) {
    const auto terms = terms_of_degree_four(F[o], wide.cols());
    counted += std::count_if(terms.begin(), terms.end(), [](const auto& term) { return term.second != 0; });
    for (std::size_t r = 0; r < X.rows(); ++r) {
      double sum = 0;
      for (const auto& [at, value] : terms)
        sum += value * wide(r, at[0]) * wide(r, at[1]) * wide(r, at[2]) * wide(r, at[3]);
      whole = std::max(whole, std::abs(evaluate_order_four(F[o], wide.row(r)) - Y(r, o)));
      by_terms = std::max(by_terms, std::abs(sum - Y(r, o)));
    }
  }
  lesson.say("Two product layers with biases, 4 inputs and the constant, 5 and 3 products: each output is a sum over ",
             "four inputs at a time, F[o,p,q,r,s], a tensor of order five with 5·5·5·5 = ", F[0].size(),
             " numbers for each output.");
  lesson.claim("the folded pair = the two layers, relative", whole / largest_entry(Y), at_most(1e-12));
  Table table{{"inputs", "one layer", "two layers"}, {}};
  for (const double n : {4.0, 16.0, 64.0, 144.0, 784.0})
    table.rows.push_back(
        {significant(n), significant((n + 1) * (n + 2) / 2, 6), significant(distinct_of_degree_four(n), 6)});
  lesson.say("Those that differ by the order of the inputs only belong to one term. Counted once, so many are left:");
  lesson.claim("terms of the three outputs, counted", double(counted), exactly(3 * distinct_of_degree_four(4)));
  lesson.claim("... and they suffice: their sum = the two layers, relative", by_terms / largest_entry(Y),
               at_most(1e-12));
  lesson.say("For more inputs by the formula, C(n + 4, 4):");
  lesson.show(table);
  const double n = 144, h = 24, outputs = 10, folded = outputs * n * (n + 1), factors = 2 * n * h + h + h * outputs;
  lesson.say(
      "And it is slow: one layer of part 6 takes ", factors, " multiplications as factors, ", folded,
      " folded. Folding is for reading, not for running; beyond one layer, keep the factors and look at one layer at ",
      "a time.");
}
