// Lesson 5, part 1: the weights of a layer of two products, and the input, can be turned.
// SPDX-License-Identifier: MIT
#include <string>

#include "lessons/5_tensor_folding/knobs/shared.hpp"
#include "lessons/5_tensor_folding/model/01_tensor.hpp"
#include "lessons/5_tensor_folding/model/04_jacobi.hpp"
#include "lessons/5_tensor_folding/run/show.hpp"

namespace lesson5 {
namespace {

constexpr knob::Numbers first{"w", "W, row by row: two inputs, two products", {1, 2, 3, 0}, {-3, 3, 0.5}};
constexpr knob::Numbers second{"v", "V, likewise", {2, 1, -1, 1}, {-3, 3, 0.5}};
constexpr knob::Numbers input{"x", "x0 and x1, where layer and slices are compared", {2, 1}, {-2, 2, 0.25}};

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const Matrix<double> W = matrix_of(at[first], 2, 2), V = matrix_of(at[second], 2, 2), x = matrix_of(at[input], 1, 2);
  const auto layer = [&](const Matrix<double>& X) { return hadamard(matmul(X, W), matmul(X, V)); };
  const Tensor3 B = product_tensor(W, V);
  const Matrix<double> X = square_of_points(), H = layer(X), by_layer = layer(x), by_slice = evaluate(B, x);
  lesson.picture("turned_layer", surfaces("Two products over x0 (to the right) and x1 (upwards), from -2 to 2",
                                          {surface("product 0", H, 0), surface("product 1", H, 1)}, true));
  Table table{{"product", "slice", "eigenvalues", "layer at x", "slice at x"}, {}};
  for (std::size_t k = 0; k < 2; ++k) {
    const Eigen eigen = eigen_symmetric(symmetric_part(B.slices[k]));
    table.rows.push_back({std::to_string(k), text_of(B.slices[k]),
                          significant(eigen.values[0]) + ", " + significant(eigen.values[1]),
                          significant(by_layer(0, k)), significant(by_slice(0, k))});
  }
  lesson.show(table);
  lesson.say(
      "A product is 0 along two lines, where one factor is 0. Its symmetric slice never has two eigenvalues of "
      "one sign: one product brings at most one of each (section 5).");
  // Products of numbers up to 12, so sums up to 144 of which each rounding is 3e-14.
  lesson.claim("x·B·xᵀ = (x·W) ⊙ (x·V) all over the square: max |diff|", max_abs_difference(evaluate(B, X), H),
               at_most(1e-12));
}

}  // namespace

Bench<Session> bench1() { return {"What do a product's weights make of two inputs?", {&first, &second, &input}, run}; }

}  // namespace lesson5
