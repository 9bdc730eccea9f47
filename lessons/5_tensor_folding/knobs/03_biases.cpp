// Lesson 5, part 3: one product with biases; weights and biases can be turned.
// SPDX-License-Identifier: MIT
#include <string>

#include "lessons/5_tensor_folding/knobs/shared.hpp"
#include "lessons/5_tensor_folding/model/03_fold.hpp"

namespace lesson5 {
namespace {

constexpr knob::Numbers first{"w", "the weights of the first factor", {1, 1}, {-3, 3, 0.25}};
constexpr knob::Numbers second{"v", "those of the second", {1, -1}, {-3, 3, 0.25}};
constexpr knob::Numbers biases{"bias", "b and c of the two factors, and d of the output", {1, 0.5, -1}, {-3, 3, 0.25}};

// Keeps of a slice over (x, 1) the entries that have the constant `times` times among their two inputs.
Matrix<double> part_of(const Matrix<double>& S, std::size_t times) {
  Matrix<double> part = S;
  const std::size_t n = S.rows() - 1;
  for (std::size_t p = 0; p <= n; ++p)
    for (std::size_t q = 0; q <= n; ++q)
      if (std::size_t(p == n) + std::size_t(q == n) != times) part(p, q) = 0;
  return part;
}

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  Net<double> net({2, 0, 1, 1});
  net.W = matrix_of(at[first], 2, 1);
  net.V = matrix_of(at[second], 2, 1);
  net.b(0, 0) = at[biases][0];
  net.c(0, 0) = at[biases][1];
  net.d(0, 0) = at[biases][2];
  net.U(0, 0) = 1;
  const Matrix<double> X = square_of_points(), wide = with_one(X), Y = output(net, X);
  const Matrix<double> S = symmetric(fold(net)).slices[0];
  Tensor3 parts(3, 3, 3);
  for (std::size_t times = 0; times < 3; ++times) parts.slices[times] = part_of(S, times);
  const Matrix<double> P = evaluate(parts, wide);
  lesson.picture("turned_biases",
                 surfaces("(w·x + b)(v·x + c) + d, its quadratic and its linear part, over x0 and x1 from -2 to 2",
                          {surface("the output", Y, 0), surface("quadratic", P, 0), surface("linear", P, 1)}, false));
  Table table{{"S over (x, 1)", "x0", "x1", "1"}, {}};
  const char* names[] = {"x0", "x1", "1"};
  for (std::size_t p = 0; p < 3; ++p)
    table.rows.push_back({names[p], significant(S(p, 0)), significant(S(p, 1)), significant(S(p, 2))});
  lesson.show(table);
  lesson.say("Linear part: ", 2 * S(0, 2), "·x0 and ", 2 * S(1, 2),
             "·x1, twice the entries beside the 1; constant: ", S(2, 2),
             ". Turning the biases leaves the four entries of the quadratic part alone.");
  // Factors up to 15, so outputs up to 228, each of some ten roundings of 3e-14.
  lesson.claim("the three parts together are the output: max |diff|",
               max_abs_difference(Y, matmul(P, Matrix<double>(3, 1, 1))), at_most(1e-12));
}

}  // namespace

Bench<Session> bench3() { return {"What do biases add to a product?", {&first, &second, &biases}, run}; }

}  // namespace lesson5
