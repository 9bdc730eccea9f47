// Checks losses, optimizers, the schedule, clipping, and lists that do not fit.
// SPDX-License-Identifier: MIT
#include "common/optimizer.hpp"

#include "common/loss.hpp"
#include "tests/check.hpp"

namespace test_optimizer {

// Some steps of a few operations on numbers near 1, each rounded to 1e-16.
static constexpr double rounding = 1e-14;

template <class T>
static Loss<T> cross_entropy(const Matrix<T>& logits, const std::vector<std::uint32_t>& targets) {
  return softmax_cross_entropy<T>(logits, targets);
}

static void losses(Checks& check) {
  // Whole numbers and halves: every step is exact.
  const Matrix<double> Y{{1, 2}, {3, 4}}, target{{1, 0}, {6, 5}};
  const Loss<double> squares = mean_squared_error(Y, target);
  check.that(squares.value == 14.0 / 4);
  check.that(squares.gradient == Matrix<double>{{0, 1}, {-1.5, -0.5}});
  const double l2 = std::log(2.0), l3 = std::log(3.0);
  const Matrix<double> logits{{0, l2, l3}, {l3, l2, 0}};  // probabilities 1/6, 2/6, 3/6 and back
  const Matrix<double> gradient{{1.0 / 12, 2.0 / 12, -3.0 / 12}, {3.0 / 12, -4.0 / 12, 1.0 / 12}};
  const Loss<double> loss = cross_entropy(logits, {2, 1});
  check.near(loss.value, (l2 + l3) / 2, 1e-15, "(-ln 1/2 - ln 1/3)/2");
  check.near(max_abs_difference(loss.gradient, gradient), 0, 1e-16, "(p - one-hot)/2");
  // Adding 64 to halves is exact, and so is subtracting the maximum. The loss is a difference of
  // numbers of the shift's size, each rounded to 1.1e-16 of it.
  const Matrix<double> halves{{0.5, -1, 3}, {2, 2, -7.5}};
  const Loss<double> here = cross_entropy(halves, {0, 2});
  for (const double shift : {64.0, -1e6, 1e6}) {
    const Matrix<double> shifted = map_entries(halves, [shift](double z) { return z + shift; });
    const Loss<double> there = cross_entropy(shifted, {0, 2});
    check.that(there.gradient == here.gradient, "a shift of all logits changes no gradient");
    check.near(there.value, here.value, 1e-15 + 4e-16 * std::abs(shift), "nor the loss");
  }
  check.that(std::isnan(cross_entropy(Matrix<double>{{0, std::nan(""), 1}}, {0}).value),
             "NaN is not hidden");
  check.that(cross_entropy(Matrix<float>{{200, 0}}, {1}).value == 200,
             "a loss of 200 in float: e^200 is not formed");
  check.throws<std::invalid_argument>([&] { mean_squared_error(Y, Matrix<double>(1, 4)); },
                                      "2 x 2 and 1 x 4");
  check.throws<std::out_of_range>([&] { cross_entropy(logits, {0, 3}); }, "(1, 3) of 2 x 3");
  check.throws<std::invalid_argument>([&] { cross_entropy(logits, {0}); }, "2 x 3 and 1 x 1");
  check.throws<std::invalid_argument>([&] { cross_entropy(logits, {0, 1, 2}); }, "2 x 3 and 3 x 1");
  check.throws<std::out_of_range>([] { cross_entropy(Matrix<double>(1, 0), {0}); }, "of 1 x 0");
}

// Rows cover several multiples of 16, the number of partial sums, and the largest number wanders. A
// probability of 1 may carry some five roundings of 1e-16.
static void probabilities(Checks& check) {
  for (std::size_t n = 1; n <= 50; ++n) {
    std::vector<double> row(n), expected(n);
    double sum = 0, worst = 0;
    for (std::size_t j = 0; j < n; ++j)
      row[j] = 3 * std::sin(double(n * j)) + (j == n * 7 % 5 ? 800 : 790);
    for (std::size_t j = 0; j < n; ++j) {
      expected[j] = std::exp(row[j] - 800);
      sum += expected[j];
    }
    const std::string of_n = " of " + std::to_string(n);
    check.near(softmax<double>(row).log_sum(), 800 + std::log(sum), 3e-13, "log Σ exp" + of_n);
    for (std::size_t j = 0; j < n; ++j)
      worst = std::max(worst, std::abs(row[j] - expected[j] / sum));
    check.near(worst, 0, 1e-15, "p" + of_n);
  }
}

// Takes five steps on two tensors, and with scalar(p, g, memory, second memory, step, rate).
template <class Optimizer, class Scalar>
static void compare(Checks& check, Optimizer optimizer, Scalar scalar, const std::string& what) {
  Matrix<double> A{{1, -2}, {0.5, 3}}, b{{0.25, -1, 2}}, dA(2, 2), db(1, 3);
  std::vector<double> expected{1, -2, 0.5, 3, 0.25, -1, 2}, first(7), second(7);
  for (int step = 1; step <= 5; ++step) {
    for (std::size_t k = 0; k < 4; ++k) dA.values()[k] = std::sin(double(step) + double(k));
    for (std::size_t k = 0; k < 3; ++k) db.values()[k] = 100 * std::cos(double(step) - double(k));
    const Matrix<double> dA_before = dA, db_before = db;
    optimizer.step({{"A", A}, {"b", b}}, {{"A", dA}, {"b", db}}, 0.1 / step);
    check.that(dA == dA_before);
    check.that(db == db_before);
    for (std::size_t k = 0; k < 7; ++k) {
      const double g = k < 4 ? dA.values()[k] : db.values()[k - 4];
      const double p = k < 4 ? A.values()[k] : b.values()[k - 4];
      expected[k] = scalar(expected[k], g, first[k], second[k], step, 0.1 / step);
      check.near(p, expected[k], (k < 4 ? 1 : 100) * rounding,
                 what + ", step " + std::to_string(step));
    }
  }
}

static void steps(Checks& check) {
  const auto plain = [](double p, double g, double&, double&, int, double rate) {
    return p - rate * g;
  };
  const auto momentum = [](double p, double g, double& v, double&, int, double rate) {
    v = 0.9 * v + g;
    return p - rate * v;
  };
  const auto adamw = [](const AdamWSettings& s) {
    return [s](double p, double g, double& m, double& v, int step, double rate) {
      m = s.beta1 * m + (1 - s.beta1) * g;
      v = s.beta2 * v + (1 - s.beta2) * g * g;
      const double mean = m / (1 - std::pow(s.beta1, step));
      const double square = v / (1 - std::pow(s.beta2, step));
      return p - rate * s.decay * p - rate * mean / (std::sqrt(square) + s.epsilon);
    };
  };
  compare(check, Sgd<double>(), plain, "SGD");
  compare(check, Sgd<double>(0.9), momentum, "momentum");
  const AdamWSettings standard{.beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8, .decay = 0.01};
  const AdamWSettings other{.beta1 = 0.8, .beta2 = 0.95, .epsilon = 1e-3, .decay = 0.2};
  compare(check, AdamW<double>(), adamw(standard), "AdamW");
  compare(check, AdamW<double>(other), adamw(other), "AdamW with other settings");
  Matrix<double> a{{3, 0}, {0, 0}}, b{{4}};
  const Tensors<double> gradients{{"a", a}, {"b", b}};
  check.near(clip_global_norm(gradients, 5), 5, 0, "the norm, of all together");
  check.that(a(0, 0) == 3);
  check.that(b(0, 0) == 4);
  check.near(clip_global_norm(gradients, 1), 5, 0, "the norm before");
  check.near(a(0, 0), 0.6, rounding, "one factor for a");
  check.near(b(0, 0), 0.8, rounding, "and for b");
  b(0, 0) = std::nan("");
  check.that(std::isnan(clip_global_norm(gradients, 1)), "NaN is reported to the caller");
}

// By hand: m^ = g and v^ = g², so p moves by the rate and decays by a hundredth of it. An error of
// 1e-5 in 1 - float(0.999) would show; two roundings of 1.2e-7 of 2 would not.
static void first_step(Checks& check) {
  Matrix<float> p{{2}}, g{{5}};
  AdamW<float>().step({{"p", p}}, {{"p", g}}, 0.1);
  check.near(p(0, 0), 1.898, 5e-7, "the first step of AdamW in float");
  for (const bool rows_decay : {true, false}) {
    Matrix<double> row{{2}}, column{{2}, {2}}, d_row{{0}}, d_column{{0}, {0}};
    AdamW<double>({.rows_decay = rows_decay})
        .step({{"r", row}, {"c", column}}, {{"r", d_row}, {"c", d_column}}, 0.1);
    check.near(row(0, 0), rows_decay ? 1.998 : 2, rounding, "a row decays, unless exempt");
    check.near(column(0, 0), 1.998, rounding, "what has more rows decays");
  }
  Matrix<double> one{{2}}, other{{2}}, d{{5}};
  AdamW<double>({.decay = 0, .factors = {1, 3}})
      .step({{"a", one}, {"b", other}}, {{"a", d}, {"b", d}}, 0.1);
  check.near(one(0, 0), 1.9, 1e-8, "a tensor at the rate");
  check.near(other(0, 0), 1.7, 1e-8, "a tensor at three times the rate");
}

static void schedule(Checks& check) {
  struct Case {
    long step, steps;
    double peak;
    long warm_up;
    double last, rate;
    const char* what;
  };
  for (const Case& c : {Case{0, 100, 3, 0, 0, 3, "without warm-up it starts at the peak"},
                        {25, 100, 1, 0, 0, 0.5 + std::sqrt(0.5) / 2, "a quarter: (1 + cos 45°)/2"},
                        {100, 100, 3, 0, 0, 0, "0 at the end"},
                        {50, 100, 3, 0, 0.1, 1.65, "half way between the peak and the last"},
                        {0, 100, 3, 10, 0, 0.3, "the first step of the warm-up is not 0"},
                        {9, 100, 3, 10, 0, 3, "to the peak"},
                        {10, 100, 3, 10, 0, 3, "where the cosine starts"},
                        {70, 100, 3, 0, 1, 3, "a last rate that is the peak"},
                        {55, 100, 3, 10, 0, 1.5, "half way through the cosine"}})
    check.near(cosine_rate(c.step, c.steps, c.peak, c.warm_up, c.last), c.rate, rounding, c.what);
}

template <class Optimizer>
static void refusals(Checks& check) {
  Matrix<double> A{{1, -2}}, dA{{3, 4}}, b{{5}}, db{{6}};
  const auto refuses = [&](Optimizer optimizer, const Tensors<double>& of,
                           const Tensors<double>& by, const char* text) {
    check.throws<std::invalid_argument>([&] { optimizer.step(of, by, 0.1); }, text);
    check.that(A == Matrix<double>{{1, -2}});
    check.that(b == Matrix<double>{{5}});
  };
  refuses(Optimizer(), {{"A", A}, {"b", b}}, {{"A", dA}}, "as many gradients");
  refuses(Optimizer(), {{"A", A}, {"b", b}}, {{"b", db}, {"A", dA}}, "gradient b stands at A");
  refuses(Optimizer(), {{"b", b}, {"A", A}}, {{"b", db}, {"A", db}}, "A: 1 x 2 and 1 x 1");
  Optimizer served;
  Matrix<double> other{{1, 2}};
  served.step({{"A", other}}, {{"A", dA}}, 0.1);
  refuses(served, {{"A", A}, {"b", b}}, {{"A", dA}, {"b", db}}, "another model");
  refuses(served, {{"b", b}}, {{"b", db}}, "another model");
}

static const Listed here("optimizer", {losses, probabilities, steps, first_step, schedule,
                                       refusals<Sgd<double>>, refusals<AdamW<double>>});

}  // namespace test_optimizer
