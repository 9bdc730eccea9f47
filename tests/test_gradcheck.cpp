// The gradient check must be able to fail: wrong gradients, NaN, kinks and losses that are not repeatable are reported,
// each where it stands, and right gradients pass.
// SPDX-License-Identifier: MIT
#include <limits>

#include "common/gradcheck.hpp"
#include "common/support/words.hpp"
#include "tests/check.hpp"

static constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
static constexpr double any = 1e300;

// Two layers with a product between them: loss = Σ R ⊙ (X·W) ⊙ (X·V). X feeds both, so dX has two paths.
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
    const Tensors<double> tensors{{"X", X}, {"W", W}, {"V", V}}, derived{{"X", dX}, {"W", dW}, {"V", dV}};
    return check_gradients(tensors, derived, loss, step);
  }
};

// Is `name` the one tensor that the report finds wrong, with an error between `least` and `most`? The others must be
// within 1e-7, the rule of thumb for right gradients.
static bool only_wrong(const GradientReport& report, const std::string& name, double least, double most) {
  bool as_expected = true;
  for (const GradientRow& row : report.rows)
    as_expected = as_expected && (row.name == name ? row.worst >= least && row.worst <= most : row.worst <= 1e-7);
  return as_expected && report.worst() >= least;
}

static void wrong_backward(Checks& check, Random& random) {
  Product p(random);
  const Product right = p;
  check.that(p.report().worst() <= 1e-7 && p.report().repeatable, "right gradients pass");
  check.that(p.X == right.X && p.W == right.W && p.V == right.V, "the tensors are left as they were");
  check.that(p.report().rows.size() == 3 && p.report().rows[1].shape == Shape{3, 2}, "one row for each tensor");
  // |derived - numeric| over the larger: 2 for a sign, 1/2 for a factor 2 or 1/2, 1 for a gradient that is left out.
  for (const auto& [factor, error] : {std::pair{-1., 2.}, {2., .5}, {.5, .5}, {1.00001, 1e-5}, {0., 1.}}) {
    p.dW = factor * right.dW;
    check.that(only_wrong(p.report(), "W", 0.99 * error, 1.01 * error), "a factor " + std::to_string(factor));
  }
  p.dW = right.dW;
  p.dX = matmul(hadamard(p.R, matmul(p.X, p.V)), transpose(p.W));
  check.that(only_wrong(p.report(), "X", 0.1, 2), "a missing path");
  p.dX = right.dX;
  p.dV(2, 1) = -right.dV(2, 1);
  const GradientRow worst = p.report().rows[2];
  check.that(only_wrong(p.report(), "V", 1.99, 2.01) && worst.row == 2 && worst.col == 1, "one entry, and which");
  check.near(worst.derived, -right.dV(2, 1), 0, "its derived value");
  check.near(worst.numeric, right.dV(2, 1), 1e-7 * std::abs(right.dV(2, 1)), "its numeric value");
}

// A product layer is linear in W and V and quadratic in X: no truncation at h = 1, so that nothing but some hundred
// roundings of 1e-16 are left. With a cubic loss the truncation must show: (1 + h)³ - (1 - h)³ over 2h is 3 + h².
static void quadratic(Checks& check, Random& random) {
  Product p(random);
  check.that(p.report(Step::quadratic).worst() <= 1e-12, "h = 1 is exact");
  p.dX = (1 + 1e-11) * p.dX;
  check.that(p.report(Step::quadratic).worst() > 1e-12, "eleven digits right");
  Matrix<double> x{{1}}, dx{{3}};
  const auto cube = [&] { return x(0, 0) * x(0, 0) * x(0, 0); };
  const GradientReport report = check_gradients({{"x", x}}, {{"x", dx}}, cube, Step::quadratic);
  check.near(report.rows[0].numeric, 4, 1e-15, "a cubic loss is not exact at h = 1");
  check.that(check_gradients({{"x", x}}, {{"x", dx}}, cube).worst() <= 1e-7, "but the small steps fit it");
}

static void numbers_that_are_none(Checks& check) {
  Matrix<double> x{{1, 2}}, dx{{0, 0}};
  const auto report = [&](auto loss) { return check_gradients({{"x", x}}, {{"x", dx}}, loss); };
  const auto jump = [&] { return x(0, 0) > 1 ? HUGE_VAL : 0; };
  const auto none = [] { return not_a_number; };
  check.that(!(report(none).worst() <= any) && !report(none).repeatable, "a loss that is NaN has no small error");
  check.that(!(report([&] { return x(0, 0) > 1 ? not_a_number : 0; }).worst() <= any), "NaN on one side");
  check.that(!(report([&] { return x(0, 1) == 2 ? 0 : not_a_number; }).worst() <= any), "at the second entry only");
  check.that(report([] { return 5.0; }).worst() == 0, "a loss that depends on nothing has gradient 0");
  for (const double derived : {not_a_number, HUGE_VAL}) {
    dx = {{derived, 0}};
    check.that(!(report([] { return 0.0; }).worst() <= any), "a derived gradient that is none");
  }
  check.that(!(report(jump).worst() <= any), "a numeric slope that is infinite too");
  check.that(!(check_gradients({{"x", x}}, {{"x", dx}}, jump, Step::quadratic).worst() <= any), "and at h = 1");
  GradientReport rows;
  rows.rows = {{"a", {1, 1}, not_a_number}, {"b", {1, 1}, 0.5}};
  check.that(std::isnan(rows.worst()), "NaN stays the worst, whatever follows");
}

// loss = Σ c_k·relu(x_k). At 0 there is no slope: whatever the derived gradient says there is no error.
static void kinks(Checks& check) {
  Matrix<double> x(1, 20), dx(1, 20);
  for (std::size_t k = 0; k < 20; ++k) x(0, k) = 0.25 * double(k) - 2.1;
  const auto loss = [&] {
    double sum = 0;
    for (std::size_t k = 0; k < 20; ++k) sum += double(k + 1) * std::max(x(0, k), 0.0);
    return sum;
  };
  const auto report = [&] {
    for (std::size_t k = 0; k < 20; ++k) dx(0, k) = x(0, k) > 0 ? double(k + 1) : 0;
    return check_gradients({{"x", x}}, {{"x", dx}}, loss);
  };
  check.that(report().worst() <= 1e-7 && report().rows[0].kinks == 0, "no kink near: none reported");
  for (const double place : {0.0, 1e-7, -1e-7, 7e-6 / 3, -3e-6, 3.5e-6}) {  // within the smaller step of 7e-6
    x(0, 3) = place;
    check.that(report().rows[0].kinks == 1, "a kink at distance " + std::to_string(place * 1e6) + "e-6 is one");
    check.that(report().worst() <= 1e-7, "and not an error");
  }
  for (const double place : {1e-4, -1e-4, 3.5e-4, 6e-4}) {  // within the larger step only
    x(0, 3) = place;
    check.that(report().rows[0].kinks == 0 && report().worst() <= 1e-7, "a corner further off is looked at closely");
    dx(0, 3) = 2 * dx(0, 3) + 1;
    const GradientRow row = check_gradients({{"x", x}}, {{"x", dx}}, loss).rows[0];
    check.that(row.kinks == 0 && row.worst > 0.1 && row.col == 3, "and a wrong gradient beside it is found");
  }
  x(0, 3) = x(0, 4) = 0;
  check.that(report().rows[0].kinks == 2 && report().worst() <= 1e-7, "two kinks in twenty entries");
  x(0, 5) = 0;
  check.that(report().rows[0].kinks == 3 && report().worst() == HUGE_VAL, "three are over a tenth: not checked");

  Matrix<double> one{{0.3}}, done{{2 * 0.3 * 1.5}};
  const auto parabola = [&] { return one(0, 0) * one(0, 0); };
  const GradientRow row = check_gradients({{"x", one}}, {{"x", done}}, parabola).rows[0];
  check.that(row.kinks == 0 && row.worst > 0.3, "a wrong gradient does not pass for a kink");
}

// loss = base + slope·Σx. A loss of 1000 is rounded to ε·1000, and its slopes can be told from the noise only so far: a
// right one must pass however small it is, and a wrong one be found as soon as it is wrong by more than the noise. A
// small loss hides nothing.
static void small_slopes(Checks& check, Step step) {
  const double tolerance = step == Step::smooth ? 1e-7 : 1e-12, h = step == Step::smooth ? 7e-4 : 1;
  for (const double base : {1000., 0.})
    for (const double slope : {1e-12, 1e-9, 1e-6, 1e-3}) {
      Matrix<double> x(1, 30), derived(1, 30, slope);  // thirty places, so that some of the losses are rounded badly
      for (std::size_t k = 0; k < x.size(); ++k) x(0, k) = double(k) / 15 - 1;
      const auto loss = [&] {
        double sum = 0;
        for (const double z : x.values()) sum += slope * z;
        return base + sum;
      };
      const auto worst = [&] { return check_gradients({{"x", x}}, {{"x", derived}}, loss, step).worst(); };
      check.that(worst() <= tolerance, join("loss ", base, ", slope ", slope, ": right"));
      derived(0, 7) += std::max(10 * base * 2.2e-16 / h, 1e-6 * slope);
      check.that(worst() > tolerance, join("loss ", base, ", slope ", slope, ": wrong"));
    }
}

static void strange_calls(Checks& check) {
  Matrix<double> x{{1, 2}}, dx{{0, 0}}, tall(2, 1);
  int calls = 0;
  const auto restless = [&] { return 1e-9 * ++calls; };
  check.that(!check_gradients({{"x", x}}, {{"x", dx}}, restless).repeatable, "a forward that is not repeatable");
  const auto refuses = [&](const Tensors<double>& gradients, const char* text) {
    const auto call = [&] { check_gradients({{"x", x}}, gradients, [] { return 0.0; }); };
    check.throws<std::invalid_argument>(call, text, text);
  };
  refuses({}, "as many gradients");
  refuses({{"y", dx}}, "gradient y stands at x");
  refuses({{"x", tall}}, "x: 1 x 2 and 2 x 1");
}

int main() {
  Checks check;
  Random random(1);
  wrong_backward(check, random);
  quadratic(check, random);
  numbers_that_are_none(check);
  kinks(check);
  for (const Step step : {Step::smooth, Step::quadratic}) small_slopes(check, step);
  strange_calls(check);
  return check.done("test_gradcheck");
}
