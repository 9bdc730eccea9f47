// Part 4: biases by a constant one.
// SPDX-License-Identifier: MIT
#include "common/training.hpp"
#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5::p4 {

constexpr knob::Numbers first{"w", "the first factor", {1, 1}, {-3, 3, 0.25}, {"w[0]", "w[1]"}};
constexpr knob::Numbers second{"v", "the second factor", {1, -1}, {-3, 3, 0.25}, {"v[0]", "v[1]"}};
constexpr knob::Numbers biases{"bias",
                               "biases of both factors and of the output",
                               {1, 0.5, -1},
                               {-3, 3, 0.25},
                               {"b", "c", "u"}};

// Trains E, W, V, U and all biases to return x0·x1 - x0 + 1/2, and reads the table.
static void train_whole(Lesson& lesson, const Options& o) {
  Random random(o.seed, 74);
  Net<double> net({.inputs = 2, .embedding = 3, .hidden = 6, .outputs = 1}, random);
  const auto X = normal_matrix<double>(64, 2, 1, random);
  Matrix<double> asked(64, 1);
  for (std::size_t r = 0; r < 64; ++r) asked(r, 0) = X(r, 0) * X(r, 1) - X(r, 0) + 0.5;
  const squared_error loss(asked);
  AdamW<double> adam({.decay = 0});
  Pass<Net<double>> pass(net);
  ::train(net, pass, adam, {.steps = o.steps_or(400, 40), .rate = 0.03}, 1e6,
          [&](long) { return pass.run(net, X, loss); });
  const Tensor3 T = fold(net);
  // Outputs up to some 10.
  lesson.claim("E, W, V, U and all biases, trained: tensor = net, max |diff|",
               max_abs_difference(evaluate(T, with_one(X)), output(net, X)), at_most(1e-12));
  // Seeds 1 to 200: at most 1.3e-5.
  lesson.claim_trained(
      "... and the table is the task: max |diff|",
      max_abs_difference(symmetric(T)[0], {{0, 0.5, -0.5}, {0.5, 0, 0}, {-0.5, 0, 0.5}}),
      at_most(1e-3));
}

static void run(Lesson& lesson, Session& session, const knob::Settings& at) {
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
  lesson.say("Over (x0, x1, 1) the table of (w·x + b)(v·x + c) + u is ", text_of(S), ".");
  const Matrix<double> by_hand =
      matmul(Matrix<double>{{2, 1, 1}}, extended({{1, 2}, {3, 0}}, {{5, -1}}));
  lesson.claim_same("(2, 1, 1)·W~ = (10, 3, 1), as by hand",
                    max_abs_difference(by_hand, {{10, 3, 1}}));
  // Outputs up to 228: some ten roundings of 3e-14.
  const Matrix<double> linear(column_block(P, 1, 1)), all = matmul(P, Matrix<double>(3, 1, 1));
  lesson.claim("constant, linear and quadratic part = net: max |diff|", max_abs_difference(Y, all),
               at_most(1e-12));
  lesson.claim("linear part = (f(x) - f(-x))/2",
               max_abs_difference(linear, 0.5 * (Y - output(net, -1 * X))), at_most(1e-12));
  train_whole(lesson, session.options);
}

}  // namespace lesson5::p4

const Part<lesson5::Session> lesson5::part4{.number = 4,
                                            .title = "Biases by a constant one",
                                            .question = "What do biases add to a product?",
                                            .run = p4::run,
                                            .knobs = {&p4::first, &p4::second, &p4::biases}};
