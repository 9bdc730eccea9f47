// The wrong answers that the exercises of lesson 5 know: none is right, no two are the same, and who gives one is told
// what is wrong with it.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/answers/wrong_answers.hpp"
#include "lessons/5_tensor_folding/model/03_fold.hpp"
#include "tests/wrong_answers.hpp"

using namespace lesson5;

constexpr exercise::Judge by_formula{rounding, "right"};

// 5.1. By hand UB = [3 1; -3 -1] + 2·[4 -2; 6 -3].
static void fold_by_hand(Checks& check) {
  const SmallLayer layer;
  const Matrix<double> UB{{11, -3}, {9, -7}}, S{{11, 3}, {3, -7}};
  check.that(layer.UB() == UB, "UB by hand");
  const auto by_hand = [&](const std::string& what, const Matrix<double>& right, const std::vector<Mistake>& mistakes) {
    check_mistakes(check, what, right, mistakes);
    for (const Mistake& mistake : mistakes)
      check.equal(diagnose_by_hand({what, mistake.value, right}, mistakes), mistake.reason, what);
    check.equal(diagnose_by_hand({what, right, right}, mistakes), "", what);
    check.equal(diagnose_by_hand({what, Matrix<double>(2, 2), right}, mistakes), "still all zero", what);
    Matrix<double> near = right;
    near(1, 0) += 0.125;
    check.equal(diagnose_by_hand({what, near, right}, mistakes), "not yet; look again at entry " + what + "(1,0)",
                what);
  };
  by_hand("UB", UB, wrong_UB(layer));
  by_hand("S", S, wrong_symmetric_UB(UB, UB));
  by_hand("S", S, wrong_symmetric_UB({{1, 2}, {4, 5}}, UB));
  Random random(1);
  Tensor3 B(3, 4, 4);
  for (Matrix<double>& slice : B.slices) slice = normal_matrix<double>(4, 4, 1, random);
  const auto U = normal_matrix<double>(3, 3, 1, random);
  check_all(check, "folded_slice", fold_behind(B, U).slices[2], wrong_folded_slice(B, U, 2));
}

// 5.2. Some of what is made instead of [A 0; a 1] has another shape, of which the reader is told the reason, too.
static void extended_matrix(Checks& check) {
  Random random(3);
  const auto A = normal_matrix<double>(3, 4, 1, random), a = normal_matrix<double>(1, 4, 1, random);
  const Matrix<double> right = extended(A, a);
  const std::vector<Mistake> all = wrong_extended(A, right);
  std::vector<Mistake> fitting = all;
  std::erase_if(fitting, [&](const Mistake& m) { return m.value.shape() != right.shape(); });
  check.that(fitting.size() + 2 == all.size(), "two have another shape");
  check_mistakes(check, "extended", right, fitting);
  check_told(check, "extended", right, all, by_formula);
  check_all(check, "constant", 10, wrong_constant);
  check_all(check, "entry_of_x0_and_one", 0.5, wrong_entry);
  check_all(check, "constant_behind_embedding", 50, wrong_constant_behind);
}

static void eigenvalues(Checks& check) {
  check_all(check, "square_largest", 1, wrong_square_largest);
  check_all(check, "square_smallest", 0, wrong_square_smallest);
  check_all(check, "product_largest", 2, wrong_product_largest);
  check_all(check, "product_smallest", -2, wrong_product_smallest);
  check_all(check, "saddle_largest", 1, wrong_saddle_largest);
  check_all(check, "saddle_smallest", -1, wrong_saddle_smallest);
  check_all(check, "square_of_sum_largest", 2, wrong_square_of_sum_largest);
  check_all(check, "square_of_sum_smallest", 0, wrong_square_of_sum_smallest);
  check_all(check, "product_and_one_largest", 2, wrong_one_largest);
  check_all(check, "product_and_one_middle", 1, wrong_one_middle);
  check_all(check, "product_and_one_smallest", -2, wrong_one_smallest);
  check_all(check, "product_and_one_effective_rank", 25.0 / 9, wrong_one_rank, 0.001);
}

// 5.4: the slice that the check begins with, and what the given code makes of it.
static void symmetric_slice(Checks& check) {
  const Matrix<double> T{{2, 4, -2}, {1, 0, 5}, {3, 1, 0}};
  const std::vector<Mistake> mistakes = wrong_symmetric_slice(T);
  check_mistakes(check, "symmetric_slice", symmetric_of(T), mistakes);
  for (const Mistake& mistake : mistakes)
    check.equal(reason_among(mistakes, mistake.value, rounding), mistake.reason, "symmetric_slice");
  check.equal(reason_among(mistakes, symmetric_of(T), rounding), "", "symmetric_slice, right");
  check.equal(reason_among(mistakes, doubled_diagonal(T), rounding), "", "symmetric_slice, as given");
}

// 5.5: (x0 + x3)(x1 - x2), in either order and with any factor shared out.
static void which_inputs(Checks& check) {
  check_all(check, "one_input", 1, wrong_input(1, 4));
  check_all(check, "other_input", 4, wrong_input(4, 1));
  check_all(check, "coefficient", -3, wrong_coefficient);
  const auto told = [&](const Sum& a, const Sum& b, const std::string& part) {
    const std::string text = diagnose_sums(a, b);
    check.that(part.empty() ? text.empty() : text.starts_with(part), "the sums: " + part + ", told: " + text);
  };
  told({1, 0, 0, 1, 0}, {0, 1, -1, 0, 0}, "");
  told({0, -2, 2, 0, 0}, {-0.5, 0, 0, -0.5, 0}, "");
  told({}, {}, "both are still zero");
  told({1, 0, 0, 1, 0}, {}, "one sum is still zero");
  told({1, 0, 0, 1, 0}, {1, 1, -1, 0, 0}, "x0 is in both sums");
  told({1, 0, 0, 1, 1}, {0, 1, -1, 0, 0}, "x4 is in a sum");
  told({1, 1, 0, 0, 0}, {0, 0, 1, 1, 0}, "x0 and x1 are in one sum");
  told({1, 0, 0, 1, 0}, {0, 1, 1, 0, 0}, "the right inputs, but not their signs");
}

static void slope(Checks& check) {
  Random random(6);
  const auto T = normal_matrix<double>(5, 5, 1, random), x = normal_matrix<double>(1, 5, 1, random);
  check_all(check, "slope", matmul(x, T) + matmul(x, transpose(T)), wrong_slope(x, T), exercise::numeric);
  check_all(check, "times_y", 2, wrong_times_y);
}

static void squares(Checks& check) {
  Random random(8);
  const auto W = normal_matrix<double>(3, 4, 1, random), U = normal_matrix<double>(4, 2, 1, random);
  Matrix<double> right(4, 4);
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t p = 0; p < 3; ++p)
      for (std::size_t q = 0; q < 3; ++q) right(p, q) += U(k, 1) * W(p, k) * W(q, k);
  right(3, 3) = 0.75;
  check_all(check, "slice_of_squares", right, wrong_slice_of_squares(W, U, right, 1));
  check_all(check, "most_eigenvalues", 24, wrong_most_eigenvalues);
  check_all(check, "negative_eigenvalues", 7, wrong_negative_eigenvalues);
  check_all(check, "squares_for_a_product", 2, wrong_squares_for_a_product);
}

static void svd_counts(Checks& check) {
  check_all(check, "output_mode_of_S", 2, wrong_outputs_of_S);
  check_all(check, "output_mode_of_T", 3, wrong_outputs_of_T);
  check_all(check, "input_mode_of_S", 2, wrong_inputs_of_S);
  check_all(check, "output_mode_with_y4", 3, wrong_outputs_with_y4);
  check_all(check, "input_mode_with_y4", 3, wrong_inputs_with_y4);
  check_all(check, "singular_value", std::sqrt(5.0), wrong_singular_value, 0.001);
}

// What comes to mind after 5.9's second hint, half read: x·M + size·v·M, at length 1, in the place of v again and again.
static Matrix<double> run_to_and_fro(const Matrix<double>& x, const Matrix<double>& M, double size, std::size_t axis) {
  Matrix<double> v(1, x.cols());
  v(0, axis) = 1;
  for (int step = 0; step < 500; ++step) v = unit_rows(matmul(x, M) + size * matmul(v, M));
  return v;
}

// 5.9: none of the directions reaches .999 of the greatest gain at any of the sizes, and each is named.
static void worst_pattern(Checks& check) {
  std::size_t image = 0;
  for (const auto& [M, x] : drawn_forms()) {
    ++image;
    const std::vector<Mistake> mistakes = wrong_patterns(x, M);
    for (std::size_t i = 0; i < mistakes.size(); ++i) {
      const Matrix<double>& v = mistakes[i].value;
      check.equal(reason_among(mistakes, v, 1e-6), mistakes[i].reason, "worst_pattern");
      for (const double size : {0.3, 1.0, 4.0})
        check.that(diagnose_pattern(x, M, size, v).starts_with(mistakes[i].reason),
                   "as good as the best: " + mistakes[i].reason);
      for (std::size_t j = 0; j < i; ++j)
        check.that(!agrees(v, mistakes[j].value, 1e-6), mistakes[i].reason + ": the same as " + mistakes[j].reason);
    }
    // Where the largest |λ| is negative by far it is right for no beginning.
    for (std::size_t axis = 0; image > 1 && axis < 12; ++axis)
      for (const double size : {1.0, 4.0})
        check.that(!diagnose_pattern(x, M, size, run_to_and_fro(x, M, size, axis)).empty(),
                   join("image ", image, ", axis ", axis, ": it does not run to and fro"));
  }
  const Matrix<double> x{{1, 0}}, M{{2, 0}, {0, 1}};
  check.equal(diagnose_pattern(x, M, 1, {{1, 0}}), "", "the best");
  check.that(
      has(diagnose_pattern({{1, 1}}, {{0, 1}, {1, 0}}, 1, {{-std::sqrt(0.5), -std::sqrt(0.5)}}), "top eigenvector"),
      "the other way");
  check.that(diagnose_pattern({{1, 2}}, {{0, 1}, {1, 0}}, 0.5, {{2, 0}}).starts_with("the direction is 2 long"),
             "too long");
}

int main() {
  Checks check;
  fold_by_hand(check);
  extended_matrix(check);
  eigenvalues(check);
  symmetric_slice(check);
  which_inputs(check);
  slope(check);
  squares(check);
  svd_counts(check);
  worst_pattern(check);
  return check.done("test_lesson5_wrong_answers");
}
