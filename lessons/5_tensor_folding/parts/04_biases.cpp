// Lesson 5, part 4: biases by a constant one, and the constant, linear and quadratic part of an output.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5 {

constexpr knob::Numbers first{"w", "the weights of the first factor", {1, 1}, {-3, 3, 0.25}};
constexpr knob::Numbers second{"v", "those of the second", {1, -1}, {-3, 3, 0.25}};
constexpr knob::Numbers biases{"bias", "b and c of the two factors, and u of the output", {1, 0.5, -1}, {-3, 3, 0.25}};

// Keeps of a slice over (x, 1) the entries that have the constant `times` times among their two inputs.
static Matrix<double> part_of(Matrix<double> S, std::size_t times) {
  const std::size_t n = S.rows() - 1;
  for (std::size_t p = 0; p <= n; ++p)
    for (std::size_t q = 0; q <= n; ++q)
      if (std::size_t(p == n) + std::size_t(q == n) != times) S(p, q) = 0;
  return S;
}

// Claims that constant, linear and quadratic part, read from the slice, are what adding and subtracting outputs finds.
static void claim_parts(Lesson& lesson, const Net<double>& net, const Matrix<double>& S) {
  const auto f = [&](double x0, double x1) { return output(net, Matrix<double>{{x0, x1}})(0, 0); };
  const double zero = f(0, 0), ones[] = {f(1, 0), f(0, 1)}, opposite[] = {f(-1, 0), f(0, -1)};
  double linear = 0, quadratic = 0;
  for (std::size_t p = 0; p < 2; ++p) {
    linear = std::max(linear, std::abs((ones[p] - opposite[p]) / 2 - 2 * S(p, 2)));
    quadratic = std::max(quadratic, std::abs((ones[p] + opposite[p]) / 2 - zero - S(p, p)));
  }
  // Factors up to 15, so outputs up to 228, each of some ten roundings of 3e-14.
  lesson.claim("constant S[o,n,n] = f(0)", std::abs(zero - S(2, 2)), at_most(1e-12));
  lesson.claim("linear 2·S[o,p,n] = (f(e) - f(-e))/2", linear, at_most(1e-12));
  lesson.claim("quadratic S[o,p,p] = (f(e) + f(-e))/2 - f(0)", quadratic, at_most(1e-12));
  lesson.claim("mixed S[o,p,q] + S[o,q,p] = f(e_p + e_q) - f(e_p) - f(e_q) + f(0)",
               std::abs(f(1, 1) - ones[0] - ones[1] + zero - 2 * S(0, 1)), at_most(1e-12));
}

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  Net<double> net({2, 0, 1, 1});
  net.W = matrix_of(at[first], 2, 1);
  net.V = matrix_of(at[second], 2, 1);
  net.b(0, 0) = at[biases][0];
  net.c(0, 0) = at[biases][1];
  net.u(0, 0) = at[biases][2];
  net.U(0, 0) = 1;
  const Matrix<double> X = square_of_points(), Y = output(net, X), S = symmetric(fold(net))[0];
  Tensor3 parts(3, Matrix<double>(3, 3));
  for (std::size_t times = 0; times < 3; ++times) parts[times] = part_of(S, times);
  const Matrix<double> P = evaluate(parts, with_one(X));
  lesson.figure("biases",
                surfaces("(w·x + b)(v·x + c) + u, its quadratic and its linear part, over x0 and x1 from -2 to 2",
                         {"the output", "quadratic", "linear"}, beside(Y, P), Colours::common));
  lesson.say("(w·x + b)(v·x + c) + u over (x0, x1, 1): ", text_of(S), ".");
  const Matrix<double> by_hand = matmul(Matrix<double>{{2, 1, 1}}, extended({{1, 2}, {3, 0}}, {{5, -1}}));
  lesson.claim_same("extended by hand", max_abs_difference(by_hand, {{10, 3, 1}}));
  lesson.claim("tensor = net, the three parts together: max |diff|",
               max_abs_difference(Y, matmul(P, Matrix<double>(3, 1, 1))), at_most(1e-12));
  claim_parts(lesson, net, S);
}

extern const Part<Session> part4(4, "Biases by a constant one", run, "What do biases add to a product?",
                                 {&first, &second, &biases});

}  // namespace lesson5
