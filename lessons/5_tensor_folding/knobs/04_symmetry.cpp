// Lesson 5, part 4: a slice of four entries, its symmetric and its antisymmetric part.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include "lessons/5_tensor_folding/knobs/shared.hpp"
#include "lessons/5_tensor_folding/model/01_tensor.hpp"
#include "lessons/5_tensor_folding/run/show.hpp"

namespace lesson5 {
namespace {

constexpr knob::Numbers slice{"slice", "T, row by row", {2, -1, 6, -3}, {-6, 6, 0.5}};
constexpr knob::Numbers input{"x", "x0 and x1, the left of the two inputs", {2, 1}, {-2, 2, 0.25}};

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const Matrix<double> T = matrix_of(at[slice], 2, 2), x = matrix_of(at[input], 1, 2);
  const Matrix<double> S = symmetric_part(T), A = T - S, Y = square_of_points();
  const auto both = [&](const Matrix<double>& M) { return matmul(Y, transpose(matmul(x, M))); };  // x·M·yᵀ
  const Matrix<double> by_T = both(T), by_S = both(S), by_A = both(A);
  lesson.picture("turned_symmetry",
                 surfaces("x·T·yᵀ over y, with x held: T, its symmetric part S, and the rest A = T - S",
                          {surface("T", by_T, 0), surface("S", by_S, 0), surface("A", by_A, 0)}, false));
  const auto square = [&](const Matrix<double>& M) { return dot(matmul(x, M), x); };
  lesson.show(Table{{"", "T", "S", "A"},
                    {{"entries", text_of(T), text_of(S), text_of(A)},
                     {"x·M·xᵀ", significant(square(T)), significant(square(S)), significant(std::abs(square(A)))}}});
  lesson.say(
      "With two different inputs A counts: it is 0 only where y lies on the line through 0 and x. "
      "A net puts the same x into both, so its outputs are those of S, and A = ",
      text_of(A), " is only the way in which they were written.");
  Tensor3 all(2, 2, 2);
  all.slices = {T, S};
  const Matrix<double> outputs = evaluate(all, Y);
  double apart = 0;
  for (std::size_t r = 0; r < outputs.rows(); ++r) apart = std::max(apart, std::abs(outputs(r, 0) - outputs(r, 1)));
  // Sums of four numbers up to 24, some roundings of 1e-14.
  lesson.claim("y·T·yᵀ = y·S·yᵀ all over the square: max |diff|", apart, at_most(1e-12));
  lesson.claim("x·A·xᵀ, which must be 0", std::abs(square(A)), at_most(1e-12));
}

}  // namespace

Bench<Session> bench4() { return {"What does a slice hold that no output shows?", {&slice, &input}, run}; }

}  // namespace lesson5
