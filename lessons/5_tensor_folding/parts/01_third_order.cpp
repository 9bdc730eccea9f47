// Lesson 5, part 1: a product layer is one tensor of order three.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/model/01_tensor.hpp"
#include "lessons/5_tensor_folding/run/session.hpp"
#include "lessons/5_tensor_folding/run/show.hpp"

namespace lesson5 {

void part1(Lesson& lesson, Session&) {
  // The layer of README.md, "By hand": two inputs, two products.
  const Matrix<double> small_W{{1, 2}, {3, 0}}, small_V{{2, 1}, {-1, 1}}, x{{2, 1}};
  const Tensor3 B = product_tensor(small_W, small_V);
  const Matrix<double> layered = hadamard(matmul(x, small_W), matmul(x, small_V)), tabled = evaluate(B, x);
  Random random(lesson.options().seed, 60);
  const auto W = normal_matrix<double>(6, 5, 1, random), V = normal_matrix<double>(6, 5, 1, random);
  const auto X = normal_matrix<double>(50, 6, 1, random);
  const Matrix<double> H = hadamard(matmul(X, W), matmul(X, V));

  lesson.say("Does a table over pairs of inputs say what a product layer does? For x = ", text_of(x),
             " the layer by hand gives ", text_of(layered), ", and its slices ", text_of(B.slices[0]), " and ",
             text_of(B.slices[1]), " give ", text_of(tabled), ".");
  lesson.claim_same("B by hand", std::max(max_abs_difference(B.slices[0], {{2, -1}, {6, -3}}),
                                          max_abs_difference(B.slices[1], {{2, 2}, {0, 0}})));
  lesson.claim_same("x·B·xᵀ = (x·W) ⊙ (x·V), whole numbers", max_abs_difference(tabled, layered));
  // 36 products of numbers up to 3, in another order: some tens of roundings of 1e-15.
  lesson.claim("the same for 50 random rows, 6 inputs, 5 products: max |diff|",
               max_abs_difference(evaluate(product_tensor(W, V), X), H), at_most(1e-12));
}

}  // namespace lesson5
