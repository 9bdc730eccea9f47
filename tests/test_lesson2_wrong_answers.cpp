// The wrong answers that the exercises of lesson 2 know: none is right, no two are the same, and who gives
// one is told what is wrong with it.
// SPDX-License-Identifier: MIT
#include "common/loss.hpp"
#include "lessons/2_bengio_mlp/answers/wrong_answers.hpp"
#include "tests/wrong_answers.hpp"

using namespace exercise;

static void numbers(Checks& check) {
  constexpr double percent = 0.01, four_digits = 0.0003, exact = 0;
  check_all(check, "loss_at_chance", std::log(27.0), wrong_chances, percent);
  check_all(check, "loss_of_a_quarter", std::log(4.0), wrong_quarters, percent);
  check_all(check, "perplexity", std::exp(1.5), wrong_perplexities, percent);
  check_all(check, "parameters", 11'907, wrong_parameters(11'907), exact);
  check_all(check, "one_more_letter", 211, wrong_letters, exact);
  check_all(check, "a_alone", 5.2 / 12, wrong_alone, four_digits);
  check_all(check, "b_after_a", (2 + 2.2 / 12) / 5, wrong_after_a, four_digits);
  check_all(check, "loss_of_aa", -std::log(5.2 / 60), wrong_aa, four_digits);
}

static void windows(Checks& check) {
  const std::vector<Mistake> rows = newest_first({2, 3, 0, 0, 3, 2, 1, 3, 2, 0}, 3, 4);
  check_all(check, "contexts", rows.front().value, {rows.begin() + 1, rows.end()});
  const Windows cut{3, {6, 6, 1, 6, 1, 1, 0, 2, 3, 2, 3, 3, 2, 3, 4}, {1, 0, 3, 3, 2}};
  Random random(2);
  const auto dE = normal_matrix<double>(5, 6, 1, random);
  const auto column = [](std::size_t k, std::size_t a) { return a * 3 + k; };
  check_all(check, "table_gradient", scattered(cut, dE, {7, 2}, Scatter::adding, column),
            wrong_scatters(cut, dE, {7, 2}));
}

static void scaled_layer(Checks& check) {
  Random random(1);
  const auto E = normal_matrix<double>(5, 6, 1, random), W1 = normal_matrix<double>(6, 4, 0.5, random),
             s = normal_matrix<double>(1, 4, 1, random), R = normal_matrix<double>(5, 4, 1, random);
  const Matrix<double> U = map(matmul(E, W1), [](double z) { return std::tanh(z); });
  const Matrix<double> every_row = add_row(Matrix<double>(5, 4), s);
  const Matrix<double> between = hadamard(hadamard(R, every_row), map(U, [](double u) { return 1 - u * u; }));
  const WrongScaled wrong = wrong_scaled(E, W1, s, U, R);
  check_all(check, "ds", column_sums(hadamard(R, U)), wrong.ds);
  check_all(check, "dZ", between, wrong.dZ);
  check_all(check, "dW1", matmul(transpose(E), between), wrong.dW1);
  check_all(check, "db1", column_sums(between), wrong.db1);
  check_all(check, "dE", matmul(between, transpose(W1)), wrong.dE);
}

static void temperature(Checks& check) {
  constexpr double tau = 1.7;
  Random random(7);
  const auto S = normal_matrix<double>(5, 4, 1, random);
  const std::vector<std::uint32_t> y{2, 0, 3, 3, 1};
  Matrix<double> P = (1 / tau) * S;
  for (std::size_t i = 0; i < P.rows(); ++i) softmax(P.row(i));
  const WrongTemperature wrong = wrong_temperature(S, P, y, tau);
  const Loss<double> loss = softmax_cross_entropy<double>((1 / tau) * S, y);
  check_all(check, "dS", (1 / tau) * loss.gradient, wrong.dS);
  check_all(check, "dtau", Matrix<double>{{-dot(loss.gradient, S) / (tau * tau)}}, wrong.dtau);
}

// A check looks at weights to within 0.001, and at the losses of the yes-no loss one by one.
static void weights_and_answers(Checks& check) {
  const Matrix<double> right = at_voters([](const Voters& v) { return best_of(v, 10'000); });
  const std::vector<Mistake> weights = wrong_weights();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    check.that(max_abs_difference(weights[i].value, right) > 0.00105, "a right weight: " + weights[i].reason);
    for (std::size_t j = 0; j < i; ++j)
      check.that(max_abs_difference(weights[i].value, weights[j].value) > 0.001,
                 weights[i].reason + ": the same as " + weights[j].reason);
  }
  const Matrix<double> losses = yes_no_losses(right_yes_no);
  for (const Mistake& mistake : wrong_yes_no()) {
    double worst = 0;
    for (std::size_t k = 0; k < losses.size(); ++k)
      worst = std::max(worst, std::abs(mistake.value(0, k) / losses(0, k) - 1));
    check.that(worst > 1e-12, "a right loss: " + mistake.reason);
  }
}

int main() {
  Checks check;
  numbers(check);
  windows(check);
  scaled_layer(check);
  temperature(check);
  weights_and_answers(check);
  return check.done("test_lesson2_wrong_answers");
}
