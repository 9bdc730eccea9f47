// Lesson 5, part 3: many tensors are one function. A slice of four entries can be turned.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5 {

constexpr knob::Numbers slice{"slice", "T, row by row", {2, -1, 6, -3}, {-6, 6, 0.5}};
constexpr knob::Numbers input{"x", "x0 and x1, the left of the two inputs", {2, 1}, {-2, 2, 0.25}};

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const Matrix<double> x = matrix_of(at[input], 1, 2), Y = square_of_points();
  Tensor3 T(1, Matrix<double>(2, 2)), exchanged = T;
  T[0] = matrix_of(at[slice], 2, 2);
  exchanged[0] = Matrix<double>(transpose(T[0]));  // what W and V in each other's place make
  const Tensor3 S = symmetric(T);
  const Matrix<double> A = T[0] - S[0], outputs = evaluate(T, Y);
  const auto with = [&](const Matrix<double>& M) { return matmul(Y, transpose(matmul(x, M))); };  // y·(x·M)ᵀ
  lesson.figure("symmetry",
                surfaces("x·T·yᵀ over y, with x held: T, its symmetric part S, and the rest A = T - S", {"T", "S", "A"},
                         beside(beside(with(T[0]), with(S[0])), with(A)), Colours::common));
  lesson.say(text_of(T[0]), " becomes ", text_of(exchanged[0]), " when W and V are exchanged, and ", text_of(S[0]),
             " stays.");
  // Sums of four numbers up to 24, some roundings of 1e-14.
  lesson.claim("symmetric: the same outputs all over the square, max |diff|",
               max_abs_difference(evaluate(S, Y), outputs), at_most(1e-12));
  const Matrix<double> f = evaluate(T, {{1, 0}, {0, 1}, {1, 1}});  // f(p), f(q), f(p, q)
  lesson.claim("2·S[p,q] = f(p, q) - f(p) - f(q)", std::abs(f(2, 0) - f(1, 0) - f(0, 0) - 2 * S[0](0, 1)),
               at_most(1e-12));
  lesson.claim_usual("T before and after, largest difference", max_abs_difference(T[0], exchanged[0]), at_least(0.1));
  lesson.claim_same("S before and after", max_abs_difference(S[0], symmetric(exchanged)[0]));
  const auto factors = double(parameters_of(Net<float>({144, 0, 24, 10, Biases::without})));
  lesson.claim("the digit net's numbers, folded over those of its factors", 10 * 144 * 145 / 2 / factors,
               within(14.6, 0.05));
}

extern const Part<Session> part3(3, "Symmetry", run, "What does a slice hold that no output shows?", {&slice, &input});

}  // namespace lesson5
