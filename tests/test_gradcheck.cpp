// The gradient check must be able to fail: wrong gradients, NaN, kinks and losses that are not repeatable are reported,
// each where it stands, and right gradients pass.
// SPDX-License-Identifier: MIT
#include <limits>

#include "common/gradcheck.hpp"
#include "tests/check.hpp"

static constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Two layers with a product between them: Y = (X·W) ⊙ (X·V), loss = Σ R ⊙ Y. X feeds both, so dX has two paths.
struct Product {
  Matrix<double> X, W, V, R;

  explicit Product(Random& random)
      : X(normal_matrix<double>(4, 3, 1, random)),
        W(normal_matrix<double>(3, 2, 1, random)),
        V(normal_matrix<double>(3, 2, 1, random)),
        R(normal_matrix<double>(4, 2, 1, random)) {}

  double loss() const { return dot(R, hadamard(matmul(X, W), matmul(X, V))); }
  Tensors<double> tensors() { return {{"X", X}, {"W", W}, {"V", V}}; }
};

struct Derived {
  Matrix<double> dX, dW, dV;

  explicit Derived(const Product& p) {
    const Matrix<double> dP = hadamard(p.R, matmul(p.X, p.V)), dQ = hadamard(p.R, matmul(p.X, p.W));
    dW = matmul(transpose(p.X), dP);
    dV = matmul(transpose(p.X), dQ);
    dX = matmul(dP, transpose(p.W)) + matmul(dQ, transpose(p.V));
  }
  Tensors<double> tensors() { return {{"X", dX}, {"W", dW}, {"V", dV}}; }
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
  Derived d(p);
  const auto report = [&] { return check_gradients(p.tensors(), d.tensors(), [&] { return p.loss(); }); };
  check.that(report().worst() <= 1e-7 && report().repeatable, "right gradients pass");
  check.that(report().rows.size() == 3 && report().rows[0].name == "X" && report().rows[1].shape == Shape{3, 2},
             "one row for each tensor, in order");

  // |derived - numeric| over the larger: 2 for a sign, 1/2 for a factor 2 or 1/2, 1 for a gradient that is left out.
  const Derived right = d;
  d.dW = -1 * right.dW;
  check.that(only_wrong(report(), "W", 1.99, 2.01), "a wrong sign");
  d.dW = 2 * right.dW;
  check.that(only_wrong(report(), "W", 0.499, 0.501), "a factor 2");
  d.dW = 0.5 * right.dW;
  check.that(only_wrong(report(), "W", 0.499, 0.501), "a factor 1/2");
  d.dW = 1.00001 * right.dW;
  check.that(only_wrong(report(), "W", 0.99e-5, 1.01e-5), "five digits right");
  d.dW = Matrix<double>(3, 2);
  check.that(only_wrong(report(), "W", 0.999, 1.001), "a gradient of zero");
  d.dW = right.dW;

  d.dX = matmul(hadamard(p.R, matmul(p.X, p.V)), transpose(p.W));
  check.that(only_wrong(report(), "X", 0.1, 2), "a missing path");
  d.dX = right.dX;

  d.dV(2, 1) = -right.dV(2, 1);
  const GradientRow worst = report().rows[2];
  check.that(only_wrong(report(), "V", 1.99, 2.01) && worst.row == 2 && worst.col == 1, "one entry, and which");
  check.near(worst.derived, -right.dV(2, 1), 0, "its derived value");
  check.near(worst.numeric, right.dV(2, 1), 1e-7 * std::abs(right.dV(2, 1)), "its numeric value");
  d.dV = right.dV;

  const Product before = p;
  report();
  check.that(p.X == before.X && p.W == before.W && p.V == before.V, "the tensors are left as they were");
}

// A product layer is linear in W and V and quadratic in X: no truncation at h = 1, so that nothing but some hundred
// roundings of 1e-16 are left. With a cubic loss the truncation must show: (1 + h)³ - (1 - h)³ over 2h is 3 + h².
static void quadratic(Checks& check, Random& random) {
  Product p(random);
  Derived d(p);
  const auto loss = [&] { return p.loss(); };
  check.that(check_gradients(p.tensors(), d.tensors(), loss, Step::quadratic).worst() <= 1e-12, "h = 1 is exact");
  d.dX = (1 + 1e-11) * d.dX;
  check.that(check_gradients(p.tensors(), d.tensors(), loss, Step::quadratic).worst() > 1e-12, "eleven digits right");

  Matrix<double> x{{1}}, dx{{3}};
  const auto cube = [&] { return x(0, 0) * x(0, 0) * x(0, 0); };
  const GradientReport report = check_gradients({{"x", x}}, {{"x", dx}}, cube, Step::quadratic);
  check.near(report.rows[0].numeric, 4, 1e-15, "a cubic loss is not exact at h = 1");
  check.that(check_gradients({{"x", x}}, {{"x", dx}}, cube).worst() <= 1e-7, "but the small steps fit it");
}

static void numbers_that_are_none(Checks& check) {
  Matrix<double> x{{1, 2}}, dx{{0, 0}};
  const auto report = [&](auto loss) { return check_gradients({{"x", x}}, {{"x", dx}}, loss); };
  check.that(!(report([] { return not_a_number; }).worst() <= 1e300), "a loss that is NaN has no small error");
  check.that(!report([] { return not_a_number; }).repeatable, "and is not repeatable");
  check.that(!(report([&] { return x(0, 0) > 1 ? not_a_number : 0; }).worst() <= 1e300), "NaN on one side");
  check.that(!(report([&] { return x(0, 1) == 2 ? 0 : not_a_number; }).worst() <= 1e300),
             "NaN at the second entry only");
  dx = {{not_a_number, 0}};
  check.that(!(report([] { return 0.0; }).worst() <= 1e300), "a derived gradient that is NaN");
  dx = {{HUGE_VAL, 0}};
  check.that(!(report([] { return 0.0; }).worst() <= 1e300), "a derived gradient that is infinite");
  const auto jump = [&] { return x(0, 0) > 1 ? HUGE_VAL : 0; };
  check.that(!(report(jump).worst() <= 1e300), "a numeric slope that is infinite too");
  check.that(!(check_gradients({{"x", x}}, {{"x", dx}}, jump, Step::quadratic).worst() <= 1e300), "and at h = 1");
  dx = {{0, 0}};
  check.that(report([] { return 5.0; }).worst() == 0, "a loss that depends on nothing has gradient 0");

  GradientReport rows;
  rows.rows = {{"a", {1, 1}, not_a_number}, {"b", {1, 1}, 0.5}};
  check.that(std::isnan(rows.worst()), "NaN stays the worst, whatever follows");
}

// loss = Σ c_k·relu(x_k). At 0 there is no slope: whatever the derived gradient says there is no error.
static void kinks(Checks& check) {
  Matrix<double> x(1, 20), dx(1, 20);
  for (std::size_t k = 0; k < 20; ++k) x(0, k) = 0.25 * double(k) - 2.1;
  const auto relu = [](double z) { return z > 0 ? z : 0; };
  const auto loss = [&] {
    double sum = 0;
    for (std::size_t k = 0; k < 20; ++k) sum += double(k + 1) * relu(x(0, k));
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

// loss = 1000 + c·x. Such a loss is rounded to ε·1000, and its slopes can be told from the noise only so far: a right
// one must pass however small it is, and a wrong one be found as soon as it is wrong by more than the noise.
static void small_slopes_of_large_losses(Checks& check, Step step) {
  const double tolerance = step == Step::smooth ? 1e-7 : 1e-12, h = step == Step::smooth ? 7e-4 : 1;
  const double noise = 1000 * 2.2e-16 / h;
  for (const double slope : {1e-12, 1e-9, 1e-6, 1e-3}) {
    Matrix<double> x(1, 30);  // thirty places, so that some of the losses are rounded badly
    for (std::size_t k = 0; k < x.size(); ++k) x(0, k) = double(k) / 15 - 1;
    Matrix<double> derived = map(x, [&](double) { return slope; });
    const auto loss = [&] {
      double sum = 0;
      for (const double z : x.values()) sum += slope * z;
      return 1000 + sum;
    };
    const auto worst = [&] { return check_gradients({{"x", x}}, {{"x", derived}}, loss, step).worst(); };
    const std::string name = "a large loss, slope " + std::to_string(slope * 1e6) + "e-6: ";
    check.that(worst() <= tolerance, name + "right");
    derived(0, 7) += 10 * noise;
    check.that(worst() > tolerance, name + "wrong by ten times the noise");
  }
  // A small loss hides nothing: the same slope is found wrong by a millionth.
  Matrix<double> x{{0.5}}, dx{{1e-9}};
  const auto loss = [&] { return 1e-9 * x(0, 0); };
  const auto worst = [&] { return check_gradients({{"x", x}}, {{"x", dx}}, loss, step).worst(); };
  check.that(worst() <= tolerance, "a small loss: right");
  dx(0, 0) *= 1.000001;
  check.that(worst() > 0.9e-6, "a small loss: six digits right");
}

static void strange_calls(Checks& check) {
  Matrix<double> x{{1, 2}}, dx{{0, 0}}, tall(2, 1);
  int calls = 0;
  const auto restless = [&] { return 1e-9 * ++calls; };
  check.that(!check_gradients({{"x", x}}, {{"x", dx}}, restless).repeatable, "a forward that is not repeatable");

  const auto zero = [] { return 0.0; };
  check.that(check_gradients({{"x", x}}, {{"x", dx}}, zero).repeatable, "one that is");
  check.throws<std::invalid_argument>([&] { check_gradients({{"x", x}}, {}, zero); }, "as many gradients", "none");
  check.throws<std::invalid_argument>(
      [&] {
        check_gradients({{"x", x}}, {{"y", dx}}, zero);
      },
      "gradient y stands at x", "another name");
  check.throws<std::invalid_argument>(
      [&] {
        check_gradients({{"x", x}}, {{"x", tall}}, zero);
      },
      "x: 1 x 2 and 2 x 1", "another shape");
}

int main() {
  Checks check;
  Random random(1);
  wrong_backward(check, random);
  quadratic(check, random);
  numbers_that_are_none(check);
  kinks(check);
  for (const Step step : {Step::smooth, Step::quadratic}) small_slopes_of_large_losses(check, step);
  strange_calls(check);
  return check.done("test_gradcheck");
}
