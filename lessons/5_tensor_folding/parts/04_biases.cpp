// Part 4: biases by a constant one.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5::p4 {

constexpr knob::Numbers first{"w", "the first factor", {1, 1}, {-3, 3, 0.25}, {"w[0]", "w[1]"}};
constexpr knob::Numbers second{"v", "the second", {1, -1}, {-3, 3, 0.25}, {"v[0]", "v[1]"}};
constexpr knob::Numbers biases{
    "bias", "of the factors and the output", {1, 0.5, -1}, {-3, 3, 0.25}, {"b", "c", "u"}};

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  Net<double> net({.inputs = 2, .hidden = 1, .outputs = 1});
  net.W = matrix_of(at[first], 2, 1);
  net.V = matrix_of(at[second], 2, 1);
  net.b(0, 0) = at[biases][0];
  net.c(0, 0) = at[biases][1];
  net.u(0, 0) = at[biases][2];
  net.U(0, 0) = 1;
  const Matrix<double> X = square_of_points(), Y = output(net, X), S = symmetric(fold(net))[0];
  // By how often the constant is among an entry's two inputs.
  Tensor3 parts(3, Matrix<double>(3, 3));
  for (std::size_t p = 0; p < 3; ++p)
    for (std::size_t q = 0; q < 3; ++q)
      parts[std::size_t(p == 2) + std::size_t(q == 2)](p, q) = S(p, q);
  const Matrix<double> P = evaluate(parts, with_one(X));
  lesson.figure("biases",
                surfaces({"the output", "quadratic", "linear"}, beside(Y, P), Colours::common));
  lesson.say("(w·x + b)(v·x + c) + u over (x0, x1, 1): ", text_of(S), ".");
  const Matrix<double> by_hand =
      matmul(Matrix<double>{{2, 1, 1}}, extended({{1, 2}, {3, 0}}, {{5, -1}}));
  lesson.claim_same("extended by hand", max_abs_difference(by_hand, {{10, 3, 1}}));
  // Outputs up to 228: some ten roundings of 3e-14.
  const Matrix<double> linear(column_block(P, 1, 1)), all = matmul(P, Matrix<double>(3, 1, 1));
  lesson.claim("tensor = net, the three parts together: max |diff|", max_abs_difference(Y, all),
               at_most(1e-12));
  lesson.claim("linear part = (f(x) - f(-x))/2",
               max_abs_difference(linear, 0.5 * (Y - output(net, -1 * X))), at_most(1e-12));
}

}  // namespace lesson5::p4

const Part<lesson5::Session> lesson5::part4{.number = 4,
                                            .title = "Biases by a constant one",
                                            .question = "What do biases add to a product?",
                                            .run = p4::run,
                                            .knobs = {&p4::first, &p4::second, &p4::biases}};
