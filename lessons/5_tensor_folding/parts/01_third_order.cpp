// Part 1: a product layer is a tensor of order three.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5::p1 {

static void run(Lesson& lesson, Session&, const knob::Settings&) {
  const Matrix<double> W{{1, 2}, {3, 0}}, V{{2, 1}, {-1, 1}}, x{{2, 1}};  // README.md, "By hand"
  const auto layer = [&](const Matrix<double>& X) { return hadamard(matmul(X, W), matmul(X, V)); };
  const Tensor3 B = product_tensor(W, V);
  lesson.say("The slices are ", text_of(B[0]), " and ", text_of(B[1]), ". For x = ", text_of(x),
             " they give ", text_of(evaluate(B, x)), ", and the layer gives ", text_of(layer(x)),
             ".");
  // Sums up to 144, each rounded by 3e-14.
  const Matrix<double> X = square_of_points();
  lesson.claim("x·B·xᵀ = (x·W) ⊙ (x·V): max |diff|", max_abs_difference(evaluate(B, X), layer(X)),
               at_most(1e-12));
}

}  // namespace lesson5::p1

const Part<lesson5::Session> lesson5::part1{
    .number = 1, .title = "A tensor of third order", .run = p1::run};
