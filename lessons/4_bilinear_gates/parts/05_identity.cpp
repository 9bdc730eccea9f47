// Lesson 4, part 5: the identity: impossible on Rⁿ without biases, exact with them, and possible on {0, 1}ⁿ.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "lessons/4_bilinear_gates/model/6_cube.hpp"
#include "lessons/4_bilinear_gates/run/session.hpp"
#include "lessons/4_bilinear_gates/run/train.hpp"

namespace lesson4 {
namespace {

// The lowest loss of some trained nets that are asked to give X back, 8 products and a read-out.
double best_identity(Session& session, const Matrix<double>& X, Biases biases) {
  const std::size_t starts = session.options.quick_or<std::size_t>(2, 10);
  std::vector<double> losses(starts);
  FitSettings settings;
  settings.steps = session.options.steps_or(2000, 50);
  settings.enough = 0;
  settings.cosine = true;
  session.run("training", starts, [&](std::size_t k) {
    Random random(seed_of_run(session.options.seed, k), 44);
    ProductNet net({X.cols(), 8, X.cols(), biases}, random);
    losses[k] = fit(net, X, X, settings).loss;
  });
  return *std::min_element(losses.begin(), losses.end());
}

}  // namespace

void part5(Lesson& lesson, Session& session) {
  constexpr std::size_t n = 3;
  Random random(lesson.options().seed, 45);
  const auto half = normal_matrix<double>(16, n, 1, random);
  Matrix<double> X(32, n), bits(8, n), identity(n, n);
  for (std::size_t i = 0; i < 32; ++i)
    for (std::size_t j = 0; j < n; ++j) X(i, j) = i < 16 ? half(i, j) : -half(i - 16, j);
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < n; ++j) bits(i, j) = input_bit(i, j);
  for (std::size_t j = 0; j < n; ++j) identity(j, j) = 1;

  ProductLayer with({n, n}), without({n, n, Biases::without});
  with.W = identity;  // (x·I + 0) ⊙ (x·0 + 1)
  with.c = Matrix<double>(1, n, 1);
  without.W = identity;  // x ⊙ x
  without.V = identity;
  lesson.claim_same("with biases, (x·I + 0) ⊙ (x·0 + 1) = x on numbers of any kind",
                    max_abs_difference(output(with, X), X));
  lesson.claim_same("x ⊙ x = x on {0, 1}³", max_abs_difference(output(without, bits), bits));

  const double floor = mean_square(X);
  const double even = best_identity(session, X, Biases::without), any = best_identity(session, X, Biases::with);
  lesson.say("Can a product layer pass a number on? 16 points and their opposites, the best loss of ",
             session.options.quick_or(2, 10), " runs: ", significant(any, 2), " with biases, ", fixed(even, 6),
             " without. The mean of x² is ", fixed(floor, 6), ".");
  lesson.claim("without biases: not below the mean of x², loss over it - 1", even / floor - 1, at_least(-1e-12));
  lesson.claim_trained("without biases: on it, loss over it - 1", even / floor - 1, at_most(1e-6));  // 10 of 10 seeds
  lesson.claim_trained("with biases", any, at_most(1e-12));  // below 1e-20 in 20 seeds
}

}  // namespace lesson4
