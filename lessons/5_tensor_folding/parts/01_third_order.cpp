// Lesson 5, part 1: a product layer is one tensor of order three; its weights, and the input, can be turned.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5 {

// The layer of README.md, "By hand".
constexpr knob::Numbers first{"w", "W, row by row: two inputs, two products", {1, 2, 3, 0}, {-3, 3, 0.5}};
constexpr knob::Numbers second{"v", "V, likewise", {2, 1, -1, 1}, {-3, 3, 0.5}};
constexpr knob::Numbers input{"x", "x0 and x1, where layer and slices are compared", {2, 1}, {-2, 2, 0.25}};

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const Matrix<double> W = matrix_of(at[first], 2, 2), V = matrix_of(at[second], 2, 2), x = matrix_of(at[input], 1, 2);
  const auto layer = [&](const Matrix<double>& X) { return hadamard(matmul(X, W), matmul(X, V)); };
  const Tensor3 B = product_tensor(W, V);
  const Matrix<double> X = square_of_points(), H = layer(X);
  lesson.say("Slices ", text_of(B[0]), " and ", text_of(B[1]), "; for x = ", text_of(x), " they give ",
             text_of(evaluate(B, x)), ", the layer ", text_of(layer(x)), ".");
  lesson.figure("layer", surfaces("Two products over x0 (to the right) and x1 (upwards), from -2 to 2",
                                  {"product 0", "product 1"}, H, Colours::own));
  lesson.claim_usual("B by hand",
                     std::max(max_abs_difference(B[0], {{2, -1}, {6, -3}}), max_abs_difference(B[1], {{2, 2}, {0, 0}})),
                     exactly(0));
  // Products of numbers up to 12, so sums up to 144 of which each rounding is 3e-14.
  lesson.claim("x·B·xᵀ = (x·W) ⊙ (x·V) all over the square: max |diff|", max_abs_difference(evaluate(B, X), H),
               at_most(1e-12));
}

extern const Part<Session> part1(1, "A tensor of third order", run, "What do a product's weights make of two inputs?",
                                 {&first, &second, &input});

}  // namespace lesson5
