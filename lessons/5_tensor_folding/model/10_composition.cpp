// Lesson 5, part 11: two product layers as one tensor of order five. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/model/10_composition.hpp"

#include <algorithm>

namespace lesson5 {

std::vector<std::vector<double>> fold_twice(const Tensor3& T1, const Tensor3& T2) {
  const std::size_t n = T1.shape().rows;
  std::vector<std::vector<double>> F(T2.outputs(), std::vector<double>(n * n * n * n));
  for (std::size_t o = 0; o < T2.outputs(); ++o)
    for (std::size_t i = 0; i < T1.outputs(); ++i)
      for (std::size_t j = 0; j < T1.outputs(); ++j)
        for (std::size_t pq = 0; pq < n * n; ++pq)
          for (std::size_t rs = 0; rs < n * n; ++rs)
            F[o][pq * n * n + rs] += T2(o, i, j) * T1.slices[i].values()[pq] * T1.slices[j].values()[rs];  // (5.24)
  return F;
}

double evaluate_order_four(const std::vector<double>& F, std::span<const double> x) {
  const std::size_t n = x.size();
  double sum = 0;
  for (std::size_t pq = 0; pq < n * n; ++pq)
    for (std::size_t rs = 0; rs < n * n; ++rs)
      sum += F[pq * n * n + rs] * x[pq / n] * x[pq % n] * x[rs / n] * x[rs % n];
  return sum;
}

double distinct_of_degree_four(double n) { return (n + 1) * (n + 2) * (n + 3) * (n + 4) / 24; }

std::map<std::array<std::size_t, 4>, double> terms_of_degree_four(const std::vector<double>& F, std::size_t n) {
  std::map<std::array<std::size_t, 4>, double> terms;
  for (std::size_t place = 0; place < F.size(); ++place) {
    std::array<std::size_t, 4> inputs{place / (n * n * n), place / (n * n) % n, place / n % n, place % n};
    std::sort(inputs.begin(), inputs.end());
    terms[inputs] += F[place];
  }
  return terms;
}

}  // namespace lesson5
