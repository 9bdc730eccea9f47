// Part 2: folding linear maps into the tensor.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5::p2 {

constexpr knob::Numbers embedding{
    "e", "E, the embedding", {1, 0, 0, 1}, {-2, 2, 0.25}, {"E[0,0]", "E[0,1]", "E[1,0]", "E[1,1]"}};
constexpr knob::Numbers first{"w",
                              "W, the first factors",
                              {1, 2, 3, 0},
                              {-3, 3, 0.5},
                              {"W[0,0]", "W[0,1]", "W[1,0]", "W[1,1]"}};
constexpr knob::Numbers second{"v",
                               "V, the second factors",
                               {2, 1, -1, 1},
                               {-3, 3, 0.5},
                               {"V[0,0]", "V[0,1]", "V[1,0]", "V[1,1]"}};
constexpr knob::Numbers behind{"u",
                               "U, how much of each product the output takes",
                               {1, 2},
                               {-2, 2, 0.25},
                               {"U[0,0]", "U[1,0]"}};

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const Matrix<double> E = matrix_of(at[embedding], 2, 2), W = matrix_of(at[first], 2, 2),
                       V = matrix_of(at[second], 2, 2), U = matrix_of(at[behind], 2, 1);
  const Matrix<double> X = square_of_points(), J = matmul(X, E),
                       H = hadamard(matmul(J, W), matmul(J, V)), Y = matmul(H, U);
  const Tensor3 B = product_tensor(W, V), T = fold_factors(matmul(E, W), matmul(E, V), U);
  const Tensor3 behind_first = fold_in_front(fold_behind(B, U), E),
                front_first = fold_behind(fold_in_front(B, E), U);
  lesson.figure("net",
                surfaces({"product 0", "product 1", "the output"}, beside(H, Y), Colours::own));
  lesson.say("Folding U first gives ", text_of(behind_first[0]), ", E first ",
             text_of(front_first[0]), ", and (5.5) both at once ", text_of(T[0]), ".");
  // E·W has entries up to 12, T up to 576: some ten roundings of 1e-13.
  lesson.claim("U first = E first = straight from the factors: max |diff|",
               std::max(max_abs_difference(behind_first[0], front_first[0]),
                        max_abs_difference(behind_first[0], T[0])),
               at_most(1e-11));
  // Outputs up to 9,216.
  lesson.claim("the slice = the net over the square: max |diff|",
               max_abs_difference(evaluate(T, X), Y), at_most(1e-10));
}

}  // namespace lesson5::p2

const Part<lesson5::Session> lesson5::part2{
    .number = 2,
    .title = "Folding",
    .question = "Which surfaces can a net of two products make?",
    .run = p2::run,
    .knobs = {&p2::embedding, &p2::first, &p2::second, &p2::behind}};
