// The gradient check must locate wrong gradients, NaN, kinks and losses that do not repeat, and
// pass right gradients.
// SPDX-License-Identifier: MIT
#include "common/gradcheck.hpp"

#include <limits>

#include "common/frame/text/words.hpp"
#include "tests/check.hpp"

namespace test_gradcheck {

static constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// loss = Σ R ⊙ (X·W) ⊙ (X·V). X feeds both factors, so dX has two paths.
struct Product {
  Matrix<double> X, W, V, R, dX, dW, dV;

  explicit Product(Random& random)
      : X(normal_matrix<double>(4, 3, 1, random)),
        W(normal_matrix<double>(3, 2, 1, random)),
        V(normal_matrix<double>(3, 2, 1, random)),
        R(normal_matrix<double>(4, 2, 1, random)) {
    const Matrix<double> dP = hadamard(R, matmul(X, V)), dQ = hadamard(R, matmul(X, W));
    dW = matmul(transpose(X), dP);
    dV = matmul(transpose(X), dQ);
    dX = matmul(dP, transpose(W)) + matmul(dQ, transpose(V));
  }
  GradientReport report(Step step = Step::smooth) {
    const auto loss = [&] { return dot(R, hadamard(matmul(X, W), matmul(X, V))); };
    return check_gradients({{"X", X}, {"W", W}, {"V", V}}, {{"X", dX}, {"W", dW}, {"V", dV}}, loss,
                           step);
  }
};

static void wrong_backward(Checks& check) {
  Random random(1);
  Product p(random);
  const Product right = p;
  check.that(p.report().worst() <= 1e-7, "right gradients pass");
  check.that(p.report().repeatable);
  check.that(p.X == right.X);
  check.that(p.W == right.W);
  check.that(p.V == right.V);
  // |derived - numeric| over the larger: 2 for a sign, 1/2 for a factor 2 or 1/2, 1 if missing.
  for (const auto& [factor, error] :
       {std::pair{-1., 2.}, {2., .5}, {.5, .5}, {1.00001, 1e-5}, {0., 1.}}) {
    p.dW = factor * right.dW;
    const GradientReport report = p.report();
    check.near(report.rows[1].worst, error, 0.01 * error, join("a factor ", factor));
    check.that(report.rows[0].worst <= 1e-7);
    check.that(report.rows[2].worst <= 1e-7);
  }
  p.dW = right.dW;
  p.dX = matmul(hadamard(p.R, matmul(p.X, p.V)), transpose(p.W));
  p.dV(2, 1) = -right.dV(2, 1);
  check.that(p.report().rows[0].worst > 0.1, "a missing path");
  const GradientRow worst = p.report().rows[2];
  check.that(worst.row == 2);
  check.that(worst.col == 1);
  check.that(worst.derived == p.dV(2, 1));
  check.near(worst.numeric, right.dV(2, 1), 1e-7 * std::abs(right.dV(2, 1)), "its numeric value");
}

// Linear in W and V, quadratic in X: no truncation at h = 1, some hundred roundings of 1e-16. A
// cubic loss must show truncation: its slope at 1 becomes 3 + h².
static void quadratic(Checks& check) {
  Random random(1);
  Product p(random);
  check.that(p.report(Step::quadratic).worst() <= 1e-12, "h = 1 is exact");
  p.dX = (1 + 1e-11) * p.dX;
  check.that(p.report(Step::quadratic).worst() > 1e-12, "eleven digits right");
  Matrix<double> x{{1}}, dx{{3}};
  const auto cube = [&] { return x(0, 0) * x(0, 0) * x(0, 0); };
  check.near(check_gradients({{"x", x}}, {{"x", dx}}, cube, Step::quadratic).rows[0].numeric, 4,
             1e-15, "cubic, h = 1");
  dx(0, 0) = 5;
  const auto fifth = [&] { return std::pow(x(0, 0), 5); };
  check.that(check_gradients({{"x", x}}, {{"x", dx}}, fifth).worst() <= 1e-7,
             "the small steps fit a fifth power");
}

static void numbers_that_are_none(Checks& check) {
  Matrix<double> x{{1, 2}}, dx{{0, 0}};
  const auto missed = [&](auto loss, Step step = Step::smooth) {
    return check_gradients({{"x", x}}, {{"x", dx}}, loss, step).worst() < HUGE_VAL;
  };
  const auto jump = [&] { return x(0, 0) > 1 ? HUGE_VAL : 0; };
  check.that(!missed([] { return not_a_number; }), "a loss that is NaN has no small error");
  check.that(!missed([&] { return x(0, 0) > 1 ? not_a_number : 0; }), "NaN on one side");
  check.that(!missed([&] { return x(0, 1) == 2 ? 0 : not_a_number; }), "at the second entry only");
  check.that(check_gradients({{"x", x}}, {{"x", dx}}, [] { return 5.0; }).worst() == 0,
             "what depends on nothing");
  for (const double derived : {not_a_number, HUGE_VAL}) {
    dx = {{derived, 0}};
    check.that(!missed([] { return 0.0; }), "a derived gradient that is none");
  }
  check.that(!missed(jump), "a numeric slope that is infinite too");
  check.that(!missed(jump, Step::quadratic));
  GradientReport rows;
  rows.rows = {{"a", {1, 1}, not_a_number}, {"b", {1, 1}, 0.5}};
  check.that(std::isnan(rows.worst()), "NaN stays the worst, whatever follows");
  int calls = 0;
  check.that(!check_gradients({{"x", x}}, {{"x", dx}}, [&] { return 1e-9 * ++calls; }).repeatable,
             "not repeatable");
  const auto misnamed = [&] { check_gradients({{"x", x}}, {{"y", dx}}, [] { return 0.0; }); };
  check.throws(misnamed, "gradient y stands at x");
}

// loss = Σ c_k·relu(x_k). At 0 there is no slope, so no derived gradient is an error.
static void kinks(Checks& check) {
  Matrix<double> x(1, 20), dx(1, 20);
  for (std::size_t k = 0; k < 20; ++k) x(0, k) = 0.25 * double(k) - 2.1;
  const auto loss = [&] {
    double sum = 0;
    for (std::size_t k = 0; k < 20; ++k) sum += double(k + 1) * std::max(x(0, k), 0.0);
    return sum;
  };
  const auto report = [&](double spoilt_by = 0) {
    for (std::size_t k = 0; k < 20; ++k) dx(0, k) = x(0, k) > 0 ? double(k + 1) : 0;
    dx(0, 3) += spoilt_by;
    return check_gradients({{"x", x}}, {{"x", dx}}, loss);
  };
  const auto passes_with = [&](std::size_t kinks, const std::string& what) {
    check.that(report().rows[0].kinks == kinks, what);
    check.that(report().worst() <= 1e-7, what + ": the gradient is right");
  };
  passes_with(0, "no kink within reach");
  for (const double near : {0., 1e-6, 1e-4, -3e-4}) {
    x(0, 3) = near;
    const bool at_it = std::abs(near) < 7e-6;  // a corner further off is looked at closely
    passes_with(at_it ? 1 : 0, join("a corner at ", near));
    check.that(at_it || report(9).rows[0].worst > 0.1, "a wrong gradient beside it shows");
  }
  x(0, 3) = 0;
  x(0, 4) = 0;
  passes_with(2, "two kinks in twenty entries");
  x(0, 5) = 0;
  check.that(report().worst() == HUGE_VAL, "three are over a tenth: not checked");
  // At 0 the slope of 4·relu(x) is anything from 0 to 4.
  x(0, 4) = x(0, 5) = 1;
  for (const auto& [derived, outside] :
       {std::pair{0., 0u}, {2., 0u}, {4., 0u}, {-0.1, 1u}, {4.1, 1u}}) {
    const GradientRow corner = report(derived).rows[0];
    check.that(corner.kinks == 1 && corner.outside == outside, join("a corner's slope ", derived));
    check.that((corner.worst > 1e-7) == (outside > 0), "is wrong only outside");
  }
  Matrix<double> one{{0.3}}, wrong{{2 * 0.3 * 1.5}};
  const auto square = [&] { return one(0, 0) * one(0, 0); };
  const GradientRow row = check_gradients({{"x", one}}, {{"x", wrong}}, square).rows[0];
  check.that(row.kinks == 0, "a wrong gradient does not pass for a kink");
  check.that(row.worst > 0.3, "but is wrong");
}

// loss = base + slope·Σx. A loss of 1000 is rounded to ε·1000: a right slope must pass however
// small, a wrong one must show once its error exceeds that noise. Thirty places: some round badly.
template <Step step>
static void small_slopes(Checks& check) {
  constexpr bool smooth = step == Step::smooth;
  const double tolerance = smooth ? 1e-7 : 1e-12, h = smooth ? 7e-4 : 1;
  for (const double base : {1000., 0.})
    for (const double slope : {1e-12, 1e-9, 1e-6, 1e-3}) {
      Matrix<double> x(1, 30), derived(1, 30, slope);
      for (std::size_t k = 0; k < x.size(); ++k) x(0, k) = double(k) / 15 - 1;
      const auto loss = [&] {
        double sum = 0;
        for (const double z : x.values()) sum += slope * z;
        return base + sum;
      };
      const auto worst = [&] {
        return check_gradients({{"x", x}}, {{"x", derived}}, loss, step).worst();
      };
      const std::string what = join("loss ", base, ", slope ", slope);
      check.that(worst() <= tolerance, what + ": right");
      derived(0, 7) += std::max(10 * base * 2.2e-16 / h, 1e-6 * slope);
      check.that(worst() > tolerance, what + ": wrong");
    }
}

static const Listed here("gradcheck", {wrong_backward, quadratic, numbers_that_are_none, kinks,
                                       small_slopes<Step::smooth>, small_slopes<Step::quadratic>});

}  // namespace test_gradcheck
