// Lesson 5: checks the answers to its exercises. The folder on the include path decides whose: exercises/ holds the
// reader's, answers/solutions/ ours.
// Run: make exercise5
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <ex5_1_fold_by_hand.hpp>
#include <ex5_2_extended_matrix.hpp>
#include <ex5_3_eigenvalues.hpp>
#include <ex5_4_symmetric_slice.hpp>
#include <ex5_5_which_inputs.hpp>
#include <ex5_6_slope_of_a_logit.hpp>
#include <ex5_7_squares.hpp>
#include <ex5_8_what_an_svd_counts.hpp>
#include <ex5_9_worst_pattern.hpp>
#include <string>
#include <utility>
#include <vector>

#include "common/support/exercise.hpp"
#include "lessons/5_tensor_folding/answers/wrong_answers.hpp"
#include "lessons/5_tensor_folding/model/03_fold.hpp"
#include "lessons/5_tensor_folding/model/05_spectrum.hpp"
#include "lessons/5_tensor_folding/model/09_unfolding.hpp"

using namespace exercise;
using namespace lesson5;

constexpr Judge by_formula{rounding, "right"};

static bool is_open(double answer) { return std::isnan(answer); }

// ------------------------------------------------------------------------------------------------------------- 5.1

static Tensor3 drawn_tensor(std::size_t outputs, std::size_t n, Random& random) {
  Tensor3 t(outputs, n, n);
  for (Matrix<double>& slice : t.slices) slice = normal_matrix<double>(n, n, 1, random);
  return t;
}

static Verdict fold_by_hand() {
  const SmallLayer layer;
  const Answer UB{"UB", ex5_1::UB(), layer.UB()};
  const Answer S{"symmetric_UB", ex5_1::symmetric_UB(), symmetric_of(layer.UB())};
  // As many outputs as products, so that U's rows can be taken for its columns.
  constexpr std::size_t h = 3, m = 4, o = 2;
  Random random(1);
  const Tensor3 B = drawn_tensor(h, m, random);
  const auto U = normal_matrix<double>(h, h, 1, random);
  const Attempt<Matrix<double>> folded = attempt([&] { return ex5_1::folded_slice(B, U, o); });
  const Answer slice{"folded_slice", folded.value, fold_behind(B, U).slices[o]};
  if (untouched(UB) && untouched(S) && untouched(slice)) return not_started();
  Findings findings;
  findings.add("UB", diagnose_by_hand(UB, wrong_UB(layer)));
  findings.add("symmetric_UB", diagnose_by_hand(S, wrong_symmetric_UB(UB.yours, UB.right)));
  findings.add("folded_slice", folded.or_else(diagnose(slice, by_formula, wrong_folded_slice(B, U, o))));
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 5.2

// The net of the exercise. With an embedding E is drawn, since the constant must not depend on it.
static Net<double> net_with_biases(std::size_t embedding) {
  const SmallLayer layer;
  Net<double> net({2, embedding, 2, 1});
  net.W = layer.W;
  net.V = layer.V;
  net.U = layer.U;
  net.b = {{3, -1}};
  net.c = {{4, -2}};
  net.d = {{-6}};
  Random random(2);
  if (embedding == 0) return net;
  net.E = normal_matrix<double>(2, 2, 1, random);
  net.e = {{2, 1}};
  return net;
}

// From outputs alone: at 0 only the constant is left, and of f(x0) - f(-x0) at x0 = 1 only twice the linear part, of
// which S[0,2] is half.
static std::vector<Prediction> parts_of_net() {
  using namespace ex5_2;
  const auto at = [](const Net<double>& net, double x0) { return output(net, Matrix<double>{{x0, 0}})(0, 0); };
  const Net<double> net = net_with_biases(0);
  return {
      {"constant", constant, at(net, 0), 0, wrong_constant},
      {"entry_of_x0_and_one", entry_of_x0_and_one, (at(net, 1) - at(net, -1)) / 4, 0, wrong_entry},
      {"constant_behind_embedding", constant_behind_embedding, at(net_with_biases(2), 0), 0, wrong_constant_behind}};
}

static Verdict extended_matrix() {
  Random random(3);
  const auto A = normal_matrix<double>(3, 4, 1, random), a = normal_matrix<double>(1, 4, 1, random);
  const Attempt<Matrix<double>> wide = attempt([&] { return ex5_2::extended(A, a); });
  const Answer answer{"extended", wide.value, lesson5::extended(A, a)};
  const std::vector<Prediction> parts = parts_of_net();
  if (untouched(answer) && std::all_of(parts.begin(), parts.end(), [](const auto& p) { return is_open(p.yours); }))
    return not_started();
  Findings findings;
  findings.add(answer.name, wide.or_else(diagnose(answer, by_formula, wrong_extended(A, answer.right))));
  for (const Prediction& part : parts) findings.add(part.name, diagnose(part));
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 5.3

// The eigenvalues by Jacobi's rotations, the largest first.
static std::vector<double> falling_eigenvalues(const Matrix<double>& S) {
  std::vector<double> values = eigen_symmetric(S).values;
  std::sort(values.rbegin(), values.rend());
  return values;
}

static Verdict eigenvalues() {
  using namespace ex5_3;
  const auto square = falling_eigenvalues({{1, 0}, {0, 0}}), product = falling_eigenvalues({{0, 2}, {2, 0}}),
             saddle = falling_eigenvalues({{1, 0}, {0, -1}}), of_sum = falling_eigenvalues({{1, 1}, {1, 1}}),
             with_one = falling_eigenvalues({{0, 2, 0}, {2, 0, 0}, {0, 0, 1}});
  // Whole numbers are exact as a reader writes them; 25/9 may be rounded.
  return compare({{"square_largest", square_largest, square[0], 0, wrong_square_largest},
                  {"square_smallest", square_smallest, square[1], 0, wrong_square_smallest},
                  {"product_largest", product_largest, product[0], 0, wrong_product_largest},
                  {"product_smallest", product_smallest, product[1], 0, wrong_product_smallest},
                  {"saddle_largest", saddle_largest, saddle[0], 0, wrong_saddle_largest},
                  {"saddle_smallest", saddle_smallest, saddle[1], 0, wrong_saddle_smallest},
                  {"square_of_sum_largest", square_of_sum_largest, of_sum[0], 0, wrong_square_of_sum_largest},
                  {"square_of_sum_smallest", square_of_sum_smallest, of_sum[1], 0, wrong_square_of_sum_smallest},
                  {"product_and_one_largest", product_and_one_largest, with_one[0], 0, wrong_one_largest},
                  {"product_and_one_middle", product_and_one_middle, with_one[1], 0, wrong_one_middle},
                  {"product_and_one_smallest", product_and_one_smallest, with_one[2], 0, wrong_one_smallest},
                  {"product_and_one_effective_rank", product_and_one_effective_rank, effective_rank(with_one), 0.001,
                   wrong_one_rank}});
}

// ------------------------------------------------------------------------------------------------------------- 5.4

static bool is_symmetric(const Matrix<double>& S) { return agrees(S, Matrix<double>(transpose(S)), rounding); }

// Each input alone, and each pair: outputs there fix all six coefficients, and a symmetric S has no other freedom.
static const Matrix<double> small_inputs{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};

// Says where outputs change with S in the place of T: how many inputs of the six, and one of them. Empty where none do.
static std::string compare_outputs(const Matrix<double>& T, const Matrix<double>& S) {
  const Matrix<double>& X = small_inputs;
  const Matrix<double> before = evaluate(one_slice(T), X), after = evaluate(one_slice(S), X);
  std::size_t changed = 0, first = 0;
  for (std::size_t r = X.rows(); r-- > 0;)
    if (!(std::abs(after(r, 0) - before(r, 0)) <= rounding)) {
      ++changed;
      first = r;
    }
  if (changed == 0) return "";
  return join("of six inputs ", changed, " change their output, such as (", X(first, 0), ", ", X(first, 1), ", ",
              X(first, 2), "): ", two_values(after(first, 0), before(first, 0), "before"));
}

static Verdict symmetric_slice() {
  const Matrix<double> T{{2, 4, -2}, {1, 0, 5}, {3, 1, 0}};
  const auto yours = [](const Matrix<double>& slice) {
    return calling("symmetric_slice", [&] { return ex5_4::symmetric_slice(slice); });
  };
  const Answer S{"symmetric_slice", yours(T), symmetric_of(T)};
  if (S.yours.shape() != S.right.shape()) return wrong("symmetric_slice: " + diagnose_shape(S));
  if (const std::string text = diagnose_not_finite(S); !text.empty()) return wrong("symmetric_slice: " + text);
  std::string cause = reason_among(wrong_symmetric_slice(T), S.yours, rounding);
  if (cause.empty() && !is_symmetric(S.yours)) cause = "S(p,q) and S(q,p) differ";
  const std::string example = compare_outputs(T, S.yours);
  if (agrees(S.yours, doubled_diagonal(T), rounding)) return not_started(example);
  if (!cause.empty() || !example.empty())
    return wrong(cause + (cause.empty() || example.empty() ? "" : "; ") + example);

  Random random(4);
  const auto drawn = normal_matrix<double>(5, 5, 1, random);
  const Answer of_drawn{"S", yours(drawn), symmetric_of(drawn)};
  const std::string text = diagnose(of_drawn, by_formula);
  return text.empty() ? done() : wrong("right for 3 inputs, not for 5 with a drawn T: " + text);
}

// ------------------------------------------------------------------------------------------------------------- 5.5

static Verdict which_inputs() {
  using namespace ex5_5;
  if (is_open(one_input) && is_open(other_input) && is_open(coefficient) && is_zero(one_sum) && is_zero(other_sum))
    return not_started();
  constexpr double low = 1, high = 4;
  Prediction lower{"one_input", one_input, low, 0, wrong_input(low, high)};
  Prediction higher{"other_input", other_input, high, 0, wrong_input(high, low)};
  if (one_input == high || other_input == low) {
    std::swap(lower.name, higher.name);
    std::swap(lower.yours, higher.yours);
  }
  Findings findings;
  findings.add(lower.name, diagnose(lower));
  findings.add(higher.name, diagnose(higher));
  findings.add("coefficient", diagnose(Prediction{"", coefficient, -3, 0, wrong_coefficient}));
  findings.add("the sums", diagnose_sums(one_sum, other_sum));
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 5.6

static Verdict slope_of_a_logit() {
  Random random(6);
  const auto T = normal_matrix<double>(5, 5, 1, random);
  auto x = normal_matrix<double>(1, 5, 1, random);
  const auto y = [&] { return dot(x, matmul(x, T)); };
  const Attempt<Matrix<double>> slopes = attempt([&] { return ex5_6::slope(x, T); });
  const Answer slope{"slope", slopes.value, numeric_gradient(x, y)};
  const Prediction times{"times_y", ex5_6::times_y, std::round(dot(x, slope.right) / y()), 0, wrong_times_y};
  if (untouched(slope) && is_open(times.yours)) return not_started();
  Findings findings;
  findings.add("slope", slopes.or_else(diagnose(slope, numeric, wrong_slope(x, T))));
  findings.add("times_y", diagnose(times));
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 5.7

// The slice of a layer that squares, as a product layer with the same matrix twice.
static Matrix<double> right_slice_of_squares(const Matrix<double>& W, const Matrix<double>& U, const Matrix<double>& d,
                                             std::size_t o) {
  const std::size_t n = W.rows();
  const Matrix<double> folded = fold_factors(W, W, U).slices[o];
  Matrix<double> S(n + 1, n + 1);
  for (std::size_t p = 0; p < n; ++p)
    for (std::size_t q = 0; q < n; ++q) S(p, q) = folded(p, q);
  S(n, n) = d(0, o);
  return S;
}

// How many eigenvalues of W·diag(u)·Wᵀ are beyond rounding, and how many of them negative, for the weights u that the
// exercise names.
static std::pair<double, double> counts_of_squares() {
  Random random(7);
  const auto W = normal_matrix<double>(144, 24, 1, random);
  Matrix<double> u(24, 1);
  for (std::size_t k = 0; k < 24; ++k) u(k, 0) = k < 7 ? -1 : 1;
  const std::vector<double> values = eigen_symmetric(symmetric_of(fold_factors(W, W, u).slices[0])).values;
  double all = 0, negative = 0;
  for (const double value : values) {
    all += std::abs(value) > 1e-9 * std::abs(values[0]);
    negative += value < -1e-9 * std::abs(values[0]);
  }
  return {all, negative};
}

static Verdict squares() {
  using namespace ex5_7;
  Random random(8);
  const auto W = normal_matrix<double>(3, 4, 1, random), U = normal_matrix<double>(4, 2, 1, random),
             d = normal_matrix<double>(1, 2, 1, random);
  const Attempt<Matrix<double>> folded = attempt([&] { return slice_of_squares(W, U, d, 1); });
  const Answer slice{"slice_of_squares", folded.value, right_slice_of_squares(W, U, d, 1)};
  const auto [all, negative] = counts_of_squares();
  const std::vector<Prediction> numbers{
      {"most_eigenvalues", most_eigenvalues, all, 0, wrong_most_eigenvalues},
      {"negative_eigenvalues", negative_eigenvalues, negative, 0, wrong_negative_eigenvalues},
      {"squares_for_a_product", squares_for_a_product, 2, 0, wrong_squares_for_a_product}};
  if (untouched(slice) && std::all_of(numbers.begin(), numbers.end(), [](const auto& p) { return is_open(p.yours); }))
    return not_started();
  Findings findings;
  findings.add(slice.name, folded.or_else(diagnose(slice, by_formula, wrong_slice_of_squares(W, U, slice.right, 1))));
  for (const Prediction& p : numbers) findings.add(p.name, diagnose(p));
  return findings.verdict();
}

// ------------------------------------------------------------------------------------------------------------- 5.8

static Verdict what_an_svd_counts() {
  using namespace ex5_8;
  Tensor3 T(5, 3, 3);
  T(0, 0, 1) = T(3, 0, 1) = T(4, 0, 2) = 1;
  T(1, 1, 0) = 3;
  for (std::size_t p = 0; p < 2; ++p) {
    T(2, p, p) = 1;
    T(3, p, p) = -1;
  }
  const auto first = [](Tensor3 t, std::size_t outputs) {
    t.slices.erase(t.slices.begin() + std::ptrdiff_t(outputs), t.slices.end());
    return t;
  };
  const auto rank = [](const Matrix<double>& A) { return double(count_above(svd(A).values, 1e-9)); };
  const Tensor3 S = symmetric(T), four = first(S, 4);
  return compare(
      {{"output_mode_of_S", output_mode_of_S, rank(output_unfolding(four)), 0, wrong_outputs_of_S},
       {"output_mode_of_T", output_mode_of_T, rank(output_unfolding(first(T, 4))), 0, wrong_outputs_of_T},
       {"input_mode_of_S", input_mode_of_S, rank(input_unfolding(four)), 0, wrong_inputs_of_S},
       {"output_mode_with_y4", output_mode_with_y4, rank(output_unfolding(S)), 0, wrong_outputs_with_y4},
       {"input_mode_with_y4", input_mode_with_y4, rank(input_unfolding(S)), 0, wrong_inputs_with_y4},
       {"singular_value", singular_value, svd(output_unfolding(first(S, 2))).values[0], 0.001, wrong_singular_value}});
}

// ------------------------------------------------------------------------------------------------------------- 5.9

static Verdict worst_pattern() {
  Findings findings;
  bool as_given = true;
  std::size_t image = 0;
  for (const FormAndImage& form : drawn_forms()) {
    const Matrix<double>&M = form.M, &x = form.x;
    ++image;
    for (const double size : {0.3, 1.0, 4.0}) {
      const std::string name = join("image ", image, " at size ", size);
      const Answer v{"worst_pattern", calling("worst_pattern", [&] { return ex5_9::worst_pattern(x, M, size); }),
                     Matrix<double>(1, 12)};
      if (v.yours.shape() != v.right.shape()) return wrong("worst_pattern: " + diagnose_shape(v));
      if (const std::string text = diagnose_not_finite(v); !text.empty()) return wrong("worst_pattern: " + text);
      as_given = as_given && v.yours(0, 0) == 1 && dot(v.yours, v.yours) == 1;
      findings.add(name, diagnose_pattern(x, M, size, v.yours));
    }
    if (as_given) break;  // the first image is clue enough
  }
  return unless_as_given(findings.verdict(), as_given);
}

int main(int argc, char** argv) {
  return check_lesson(5,
                      {{"5.1", "Fold U into B by hand", fold_by_hand},
                       {"5.2", "The extended matrix", extended_matrix},
                       {"5.3", "Eigenvalues of small slices", eigenvalues},
                       {"5.4", "A symmetric slice", symmetric_slice},
                       {"5.5", "Which inputs are multiplied", which_inputs},
                       {"5.6", "The slope of a logit", slope_of_a_logit},
                       {"5.7", "A layer that squares", squares},
                       {"5.8", "What an SVD counts", what_an_svd_counts},
                       {"5.9", "The worst pattern for one image", worst_pattern}},
                      argc, argv);
}
