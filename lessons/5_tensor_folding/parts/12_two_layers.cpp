// Lesson 5, part 12: two product layers folded into one table, and how many terms that has.
// SPDX-License-Identifier: MIT
#include <map>

#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5 {

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  constexpr std::size_t n = 5, h = 6;  // 4 inputs and the constant
  Random random(session.options.seed, 66);
  const auto W = normal_matrix<double>(n, h, 1, random), V = normal_matrix<double>(n, h, 1, random),
             W2 = normal_matrix<double>(h, 1, 1, random), V2 = normal_matrix<double>(h, 1, 1, random);
  const Tensor3 first = product_tensor(W, V), second = product_tensor(W2, V2);
  const Matrix<double> x = with_one(normal_matrix<double>(1, n - 1, 1, random)),
                       H = hadamard(matmul(x, W), matmul(x, V)), Y = hadamard(matmul(H, W2), matmul(H, V2));
  std::map<std::array<std::size_t, 4>, double> terms;  // by their inputs in ascending order
  double sum = 0, size = 0;
  for (std::size_t place = 0; place < n * n * n * n; ++place) {
    const std::size_t p = place / (n * n * n), q = place / (n * n) % n, r = place / n % n, s = place % n;
    double entry = 0;
    for (std::size_t i = 0; i < h; ++i)
      for (std::size_t j = 0; j < h; ++j) entry += second(0, i, j) * first(i, p, q) * first(j, r, s);  // (5.23)
    std::array<std::size_t, 4> inputs{p, q, r, s};
    std::sort(inputs.begin(), inputs.end());
    const double term = entry * x(0, p) * x(0, q) * x(0, r) * x(0, s);
    terms[inputs] += term;
    sum += term;
    size += std::abs(term);
  }
  lesson.say("4 inputs and the constant, two layers: ", terms.size(), " terms for each output.");
  // Sums of 22,500 products, relative to the sum of their sizes: some 1e-14.
  lesson.claim("the sum of all entries = the two layers, relative", std::abs(sum - Y(0, 0)) / size, at_most(1e-12));
  lesson.claim("terms, counted", double(terms.size()), exactly(5 * 6 * 7 * 8 / 24));
}

extern const Part<Session> part12(12, "Two layers", run, "", {}, nullptr, nullptr, PartKind::further);

}  // namespace lesson5
