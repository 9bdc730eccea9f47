// The losses' values: what is known in closed form, shift invariance, and what they refuse. Their gradients are claimed
// by lessons 1 and 2.
// SPDX-License-Identifier: MIT
#include "common/loss.hpp"
#include "tests/check.hpp"

template <class T>
static Loss<T> cross_entropy(const Matrix<T>& logits, const std::vector<std::uint32_t>& targets) {
  return softmax_cross_entropy<T>(logits, targets);
}

// Tolerances: a loss near 2 is the sum of some ten roundings of 1e-16 (float: of 6e-8) of numbers of that size.
static void values(Checks& check) {
  const Matrix<double> Y{{1, 2}, {3, 4}}, target{{1, 0}, {6, 5}};  // whole numbers and halves: every step is exact
  const Loss<double> squares = mean_squared_error(Y, target);
  check.that(squares.value == 14.0 / 4 && squares.gradient == Matrix<double>{{0, 1}, {-1.5, -0.5}}, "2(Y - T)/N");

  for (const std::size_t vocab : {1u, 2u, 27u, 1000u}) {
    const Loss<double> loss = cross_entropy(Matrix<double>(3, vocab, 0.7), {0, 0, std::uint32_t(vocab - 1)});
    check.near(loss.value, std::log(double(vocab)), 1e-14, "equal logits: ln " + std::to_string(vocab));
  }
  const double l2 = std::log(2.0), l3 = std::log(3.0);
  const Matrix<double> logits{{0, l2, l3}, {l3, l2, 0}};  // probabilities 1/6, 2/6, 3/6 and back
  const Matrix<double> gradient{{1.0 / 12, 2.0 / 12, -3.0 / 12}, {3.0 / 12, -4.0 / 12, 1.0 / 12}};
  const Loss<double> loss = cross_entropy(logits, {2, 1});
  check.near(loss.value, (l2 + l3) / 2, 1e-15, "(-ln 1/2 - ln 1/3)/2");
  check.near(max_abs_difference(loss.gradient, gradient), 0, 1e-16, "(p - one-hot)/2");
  const Loss<float> narrow = cross_entropy(Matrix<float>(logits.view()), {2, 1});
  check.near(narrow.value, (l2 + l3) / 2, 3e-7, "in float");
  check.near(max_abs_difference(Matrix<double>(narrow.gradient.view()), gradient), 0, 1e-7, "(p - one-hot)/2 in float");

  // Adding 64 to halves is exact, and so is taking the maximum off again. The loss is a difference of numbers of the size
  // of the shift, each rounded to 1.1e-16 of it.
  const Matrix<double> halves{{0.5, -1, 3}, {2, 2, -7.5}};
  const Loss<double> here = cross_entropy(halves, {0, 2});
  for (const double shift : {64.0, -64.0, 1e6, -1e6}) {
    const Loss<double> there = cross_entropy(map(halves, [shift](double z) { return z + shift; }), {0, 2});
    check.that(there.gradient == here.gradient, "a shift of all logits changes no gradient");
    check.near(there.value, here.value, 1e-15 + 4e-16 * std::abs(shift), "nor the loss");
  }
  check.that(std::isnan(cross_entropy(Matrix<double>{{0, std::nan(""), 1}}, {0}).value), "NaN is not hidden");
  check.that(cross_entropy(Matrix<float>{{200, 0}}, {1}).value == 200, "a loss of 200 in float: e^200 is not formed");

  check.throws<std::invalid_argument>([&] { mean_squared_error(Y, Matrix<double>(1, 4)); }, "2 x 2 and 1 x 4",
                                      "shapes");
  check.throws<std::out_of_range>([&] { cross_entropy(logits, {0, 3}); }, "(1, 3) of 2 x 3", "a target past the end");
  check.throws<std::invalid_argument>([&] { cross_entropy(logits, {0}); }, "2 x 3 and 1 x 1", "too few targets");
  check.throws<std::invalid_argument>([&] { cross_entropy(logits, {0, 1, 2}); }, "2 x 3 and 3 x 1", "too many targets");
  check.throws<std::out_of_range>([] { cross_entropy(Matrix<double>(1, 0), {0}); }, "of 1 x 0", "no columns");
}

// Rows of every length up to some multiples of 16, which is how many parts the sum is taken in. The largest wanders.
static void probabilities(Checks& check) {
  std::vector<double> far{-2000, 1000, 999};
  check.near(softmax<double>(far), 1000 + std::log1p(std::exp(-1.0)), 2e-13, "log Σ exp near 1000");
  check.that(far[0] == 0 && far[1] > far[2] && far[2] > 0, "far below the maximum: 0");
  for (std::size_t n = 1; n <= 50; ++n) {
    std::vector<double> row(n), expected(n);
    double sum = 0, worst = 0;
    for (std::size_t j = 0; j < n; ++j) row[j] = 3 * std::sin(double(n * j)) + (j == n * 7 % 5 ? 800 : 790);
    for (std::size_t j = 0; j < n; ++j) sum += expected[j] = std::exp(row[j] - 800);
    check.near(softmax<double>(row), 800 + std::log(sum), 3e-13, "log Σ exp of " + std::to_string(n));
    for (std::size_t j = 0; j < n; ++j) worst = std::max(worst, std::abs(row[j] - expected[j] / sum));
    check.near(worst, 0, 1e-15, "p of " + std::to_string(n));  // each at most 1, after some five roundings of 1e-16
  }
}

int main() {
  Checks check;
  values(check);
  probabilities(check);
  return check.done("test_loss");
}
