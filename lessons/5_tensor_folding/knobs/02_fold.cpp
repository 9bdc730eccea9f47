// Lesson 5, part 2: a small net around the layer by hand, all of whose weights can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "lessons/5_tensor_folding/knobs/shared.hpp"
#include "lessons/5_tensor_folding/model/01_tensor.hpp"
#include "lessons/5_tensor_folding/model/04_jacobi.hpp"
#include "lessons/5_tensor_folding/run/show.hpp"

namespace lesson5 {
namespace {

constexpr knob::Numbers embedding{"e", "E, row by row: two inputs, two numbers", {1, 0, 0, 1}, {-2, 2, 0.25}};
constexpr knob::Numbers first{"w", "W, row by row: two numbers, two products", {1, 2, 3, 0}, {-3, 3, 0.5}};
constexpr knob::Numbers second{"v", "V, likewise", {2, 1, -1, 1}, {-3, 3, 0.5}};
constexpr knob::Numbers behind{"u", "U: how much of each product the output takes", {1, 2}, {-2, 2, 0.25}};

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const Matrix<double> E = matrix_of(at[embedding], 2, 2), W = matrix_of(at[first], 2, 2),
                       V = matrix_of(at[second], 2, 2), U = matrix_of(at[behind], 2, 1);
  const Matrix<double> X = square_of_points(), Z = matmul(X, E);
  const Matrix<double> H = hadamard(matmul(Z, W), matmul(Z, V)), Y = matmul(H, U);
  const Tensor3 UBE = fold_factors(matmul(E, W), matmul(E, V), U);
  const Tensor3 B = product_tensor(W, V), behind_first = fold_in_front(fold_behind(B, U), E),
                front_first = fold_behind(fold_in_front(B, E), U);
  lesson.picture("turned_net",
                 surfaces("The two products at x·E, and the net's output, over x0 and x1 from -2 to 2",
                          {surface("product 0", H, 0), surface("product 1", H, 1), surface("the output", Y, 0)}, true));
  const Matrix<double> S = symmetric_part(UBE.slices[0]);
  const Eigen eigen = eigen_symmetric(S);
  lesson.show(Table{{"B[0]", "B[1]", "UBE", "made symmetric", "its eigenvalues"},
                    {{text_of(B.slices[0]), text_of(B.slices[1]), text_of(UBE.slices[0]), text_of(S),
                      significant(eigen.values[0]) + ", " + significant(eigen.values[1])}}});
  lesson.say("Two products can do what one cannot: a bowl, whose two eigenvalues have one sign.");
  // E·W has entries up to 12 and UBE up to 576, each the sum of some ten roundings of 1e-13.
  lesson.claim("U then E = E then U, and = straight from the factors: max |diff|",
               std::max(largest_difference(behind_first, front_first), largest_difference(behind_first, UBE)),
               at_most(1e-11));
  // Outputs up to 9,216.
  lesson.claim("the slice says what the net says all over the square: max |diff|",
               max_abs_difference(evaluate(UBE, X), Y), at_most(1e-10));
}

}  // namespace

Bench<Session> bench2() {
  return {"Which surfaces can a net of two products make?", {&embedding, &first, &second, &behind}, run};
}

}  // namespace lesson5
