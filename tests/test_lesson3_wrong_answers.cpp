// The wrong answers that the exercises of lesson 3 know: none is right, no two are the same, and who gives one is told
// what is wrong with it.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/answers/wrong_answers.hpp"
#include "tests/wrong_answers.hpp"

using namespace exercise;

// 3.1. The steepest place solves z·tanh z = 1, and the slope there is z, too.
static void gated_tanh(Checks& check) {
  check_all(check, "slope", at_places([](double z, double t) { return t + z * (1 - t * t); }), wrong_slopes);
  double place = 1;
  for (int round = 0; round < 200; ++round) place = 1 / std::tanh(place);
  check.near(place, 1.19968, 1e-5, "the steepest place");  // by hand, to five decimals
  constexpr double off = 0.00005;                          // as near as the check looks
  for (const auto& [what, misreadings] :
       {std::pair{"steepest_z", wrong_places(place)}, std::pair{"steepest_slope", wrong_steepest(place)}})
    check_all(check, what, place, misreadings, off / place);
}

static void mean_square(Checks& check) {
  Random random(2);
  const auto H = normal_matrix<double>(5, 4, 1, random), u2 = normal_matrix<double>(1, 3, 1, random),
             W2 = normal_matrix<double>(4, 3, 1, random), R = normal_matrix<double>(5, 3, 1, random);
  check_all(check, "dH", dH_with(2.0 / 4, H, W2, u2, R), wrong_squares(H, W2, u2, R));
  check_all(check, "du2", matmul(transpose(lesson3::row_means(hadamard(H, H))), R), wrong_mean_weights(H, R));
}

static void fold(Checks& check) {
  Bmlp<double> model({3, 5, 2});
  Random random(3);
  fill_normal(model.tensors(), random);
  const Matrix<double> into_hidden = add_row(model.W1, 1.0 / 3 * model.u1);
  const Matrix<double> right = matmul(into_hidden, add_row(model.W2, 1.0 / 5 * model.u2)) + model.W3;
  check_all(check, "fold", right, wrong_folds(model));
  const Matrix<double> half = matmul(into_hidden, add_row(model.W2, 0.5 / 5 * model.u2)) + model.W3;  // 1/(2h)
  check_cause(check, "fold", half, right, wrong_folds(model), "mean(H) is half as large");
}

static void second_gate(Checks& check) {
  Random random(5);
  const auto H = normal_matrix<double>(6, 4, 1, random), W2 = normal_matrix<double>(4, 3, 1, random),
             U2 = normal_matrix<double>(4, 3, 1, random), R = normal_matrix<double>(6, 3, 1, random);
  const Matrix<double> dF = lesson3::scale_rows(R, lesson3::row_means(H));
  const Matrix<double> plain = matmul(R, transpose(W2)) + matmul(dF, transpose(U2));
  const Matrix<double> dm = lesson3::row_dots(R, matmul(H, U2)), right = add_column(plain, 0.25 * dm);
  const std::vector<Mistake> known = wrong_gates(H, W2, U2, R);
  check_all(check, "dH", right, known);
  check_cause(check, "dH", add_column(plain, 0.125 * dm), right, known, "through the mean is halved");  // 1/(2h)
}

static void factors(Checks& check) {
  Random random(6);
  const auto T = normal_matrix<double>(5, 3, 2, random);
  const Matrix<double> apart = add_row(T, -1 * lesson3::column_means(T));
  const std::vector<Misreading> known = wrong_factors_of_loss(T, dot(apart, apart), 14.6);
  check_misreadings(check, "factor", 1, known, 1e-6);
  for (const Misreading& wrong : known) check.equal(diagnose_factor(wrong.value, known), wrong.reason, "factor");
  check.equal(diagnose_factor(1, known), "", "the right factor");
  check.equal(diagnose_factor(0, known), "", "no common factor");
  check.equal(diagnose_factor(7, known), "all gradients are off by one factor, 7", "an unknown factor");
}

static void second_call(Checks& check) {
  Random random(7);
  const auto X = normal_matrix<double>(5, 4, 1, random), W1 = normal_matrix<double>(4, 3, 1, random),
             u1 = normal_matrix<double>(1, 3, 1, random);
  check_all(check, "H of call 2", matmul(X, W1) + matmul(lesson3::row_means(X), u1), wrong_second_H(X, W1, u1));
}

static void degrees(Checks& check) {
  check.equal(same_for_all({0, 1, 2}), "", "answers that differ");
  check.equal(same_for_all({5, 5, 5}), "you say 5 of every function: the answer does not depend on f", "one answer");
}

int main() {
  Checks check;
  gated_tanh(check);
  mean_square(check);
  fold(check);
  second_gate(check);
  factors(check);
  second_call(check);
  degrees(check);
  return check.done("test_lesson3_wrong_answers");
}
