// Lesson 5, part 5: a symmetric matrix of two inputs, and the two signed squares that it is made of.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "lessons/5_tensor_folding/knobs/shared.hpp"
#include "lessons/5_tensor_folding/model/01_tensor.hpp"
#include "lessons/5_tensor_folding/model/04_jacobi.hpp"
#include "lessons/5_tensor_folding/model/05_spectrum.hpp"
#include "lessons/5_tensor_folding/model/08_svd.hpp"
#include "lessons/5_tensor_folding/run/show.hpp"

namespace lesson5 {
namespace {

constexpr knob::Real first{"a", "the entry of x0², of S = [a b; b c]", 2, {-5, 5, 0.1}};
constexpr knob::Real mixed{"b", "the entries of x0·x1, which are equal", 2, {-5, 5, 0.1}};
constexpr knob::Real second{"c", "the entry of x1²", 5, {-5, 5, 0.1}};

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const Matrix<double> S{{at[first], at[mixed]}, {at[mixed], at[second]}};
  const Eigen eigen = eigen_symmetric(S);
  const Matrix<double> X = square_of_points(), V = eigen.vectors;
  Tensor3 parts(3, 2, 2);
  parts.slices[0] = S;
  double off = std::abs(dot_of_rows(V.row(0), V.row(1)));
  for (std::size_t k = 0; k < 2; ++k) {
    const Matrix<double> v(row_block(V, k, 1));
    parts.slices[k + 1] = eigen.values[k] * matmul(transpose(v), v);
    off = std::max(off, max_abs_difference(matmul(v, S), eigen.values[k] * v));
  }
  const Matrix<double> Y = evaluate(parts, X);
  const auto square = [&](std::size_t k) { return "λ = " + significant(eigen.values[k]); };
  lesson.picture("turned_eigenvectors",
                 surfaces("x·S·xᵀ over x0 and x1 from -2 to 2, and the two squares that it is the sum of",
                          {surface("x·S·xᵀ", Y, 0), surface(square(0), Y, 1), surface(square(1), Y, 2)}, false));
  const double angle = at[mixed] == 0 ? 0 : std::atan(diagonalizing(at[first], at[second], at[mixed]).tangent);
  lesson.show(Table{{"S", "λ", "eigenvectors", "Jacobi's angle", "effective rank"},
                    {{text_of(S), significant(eigen.values[0]) + ", " + significant(eigen.values[1]),
                      text_of(Matrix<double>(row_block(V, 0, 1))) + ", " + text_of(Matrix<double>(row_block(V, 1, 1))),
                      fixed(angle * 180 / std::numbers::pi, 1) + "°", fixed(effective_rank(eigen.values), 2)}}});
  const double product = eigen.values[0] * eigen.values[1];
  lesson.say(product > 0   ? "Both eigenvalues have one sign: the surface is a bowl, and its contours are ellipses."
             : product < 0 ? "The eigenvalues have opposite signs: the surface is a saddle, 0 along two lines."
                           : "An eigenvalue is 0: along its eigenvector nothing changes.");
  // Entries up to 5 and eigenvalues up to 10: a rotation leaves some roundings of 2e-15 of them.
  lesson.claim("v·S - λ·v, and the product of the two v: largest entry", off, at_most(1e-13));
  lesson.claim("λ1 + λ2 less S[0,0] + S[1,1]", std::abs(eigen.values[0] + eigen.values[1] - at[first] - at[second]),
               at_most(1e-13));
}

}  // namespace

Bench<Session> bench5() { return {"Which two squares is a symmetric matrix made of?", {&first, &mixed, &second}, run}; }

}  // namespace lesson5
