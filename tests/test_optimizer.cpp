// The optimizers against the same formulas in plain scalars, step by step; the schedule and the clipping at the points
// where their values are known; and lists that do not fit each other.
// SPDX-License-Identifier: MIT
#include "common/optimizer.hpp"
#include "tests/check.hpp"

// Some steps of a few operations each on numbers near 1, each rounded to 1e-16, in float to 6e-8.
static constexpr double rounding = 1e-14;
template <class T>
static constexpr double rounding_of = std::is_same_v<T, float> ? 2e-6 : rounding;

// Two tensors of different shapes and gradients that differ from step to step.
template <class T>
struct Example {
  Matrix<T> A{{1, -2}, {T(0.5), 3}}, b{{T(0.25), -1, 2}};
  Matrix<T> dA{{0, 0}, {0, 0}}, db{{0, 0, 0}};

  Tensors<T> parameters() { return {{"A", A}, {"b", b}}; }
  Tensors<T> gradients() { return {{"A", dA}, {"b", db}}; }
  void set_gradients(int step) {
    for (std::size_t k = 0; k < 4; ++k) dA.values()[k] = T(std::sin(double(step) + double(k)));
    for (std::size_t k = 0; k < 3; ++k) db.values()[k] = T(100 * std::cos(double(step) - double(k)));
  }
};

// Runs three steps of `optimizer` on the example and of `scalar(p, g, memory, step, rate)`, in double, on each of its
// numbers.
template <class T, class Optimizer, class Scalar>
static void compare(Checks& check, Optimizer optimizer, Scalar scalar, const std::string& what) {
  Example<T> example;
  Example<double> expected;
  struct Memory {
    double first = 0, second = 0;
  };
  std::vector<Memory> memory(7);
  for (int step = 1; step <= 3; ++step) {
    const double rate = 0.1 / step;
    example.set_gradients(step);
    const Example<T> before = example;
    optimizer.step(example.parameters(), example.gradients(), rate);
    for (std::size_t k = 0; k < 7; ++k) {
      double& p = k < 4 ? expected.A.values()[k] : expected.b.values()[k - 4];
      const double g = k < 4 ? before.dA.values()[k] : before.db.values()[k - 4];
      p = scalar(p, g, memory[k].first, memory[k].second, step, rate);
    }
    const std::string where = what + ", step " + std::to_string(step);
    const double tolerance = rounding_of<T>;
    check.near(max_abs_difference(Matrix<double>(example.A.view()), expected.A), 0, tolerance, where + ", A");
    check.near(max_abs_difference(Matrix<double>(example.b.view()), expected.b), 0, 100 * tolerance,
               where + ", b, whose gradients are 100");
    check.that(example.dA == before.dA && example.db == before.db, where + ": gradients are only read");
  }
}

template <class T>
static void steps(Checks& check, const std::string& type) {
  const auto plain = [](double p, double g, double&, double&, int, double rate) { return p - rate * g; };
  const auto momentum = [](double p, double g, double& v, double&, int, double rate) {
    v = 0.9 * v + g;
    return p - rate * v;
  };
  compare<T>(check, Sgd<T>(), plain, "SGD" + type);
  compare<T>(check, Sgd<T>(0.9), momentum, "momentum" + type);
  const auto adamw = [](double beta1, double beta2, double epsilon, double decay) {
    return [=](double p, double g, double& m, double& v, int step, double rate) {
      m = beta1 * m + (1 - beta1) * g;
      v = beta2 * v + (1 - beta2) * g * g;
      const double mean = m / (1 - std::pow(beta1, step)), square = v / (1 - std::pow(beta2, step));
      return p - rate * decay * p - rate * mean / (std::sqrt(square) + epsilon);
    };
  };
  compare<T>(check, AdamW<T>(), adamw(0.9, 0.999, 1e-8, 0.01), "AdamW" + type);
  compare<T>(check, AdamW<T>({0.8, 0.95, 1e-3, 0.2}), adamw(0.8, 0.95, 1e-3, 0.2), "AdamW with other settings" + type);
}

// The first step by hand: m^ = g and v^ = g², so p moves by the rate and decays by a hundredth of it. 1 - float(0.999)
// is off by 1e-5, which would show; two roundings of 1.2e-7 of 2 would not.
static void first_step(Checks& check) {
  Matrix<float> p{{2}}, g{{5}};
  AdamW<float>().step({{"p", p}}, {{"p", g}}, 0.1);
  check.near(p(0, 0), 1.898, 5e-7, "the first step of AdamW in float");
  for (const bool rows_decay : {true, false}) {
    Matrix<double> row{{2}}, column{{2}, {2}}, d_row{{0}}, d_column{{0}, {0}};
    AdamW<double>({.rows_decay = rows_decay}).step({{"r", row}, {"c", column}}, {{"r", d_row}, {"c", d_column}}, 0.1);
    check.near(row(0, 0), rows_decay ? 1.998 : 2, rounding, "a single row decays, unless rows are exempt");
    check.near(column(0, 0), 1.998, rounding, "what has more rows decays");
  }
}

// cosine_rate(step, steps, peak, warm_up, last)
static void schedule(Checks& check) {
  check.near(cosine_rate(0, 100, 3), 3, 0, "without warm-up it starts at the peak");
  check.near(cosine_rate(25, 100, 1), 0.5 + std::sqrt(0.5) / 2, rounding, "a quarter: (1 + cos 45°)/2");
  check.near(cosine_rate(100, 100, 3), 0, rounding, "0 at the end");
  check.near(cosine_rate(50, 100, 3, 0, 0.1), 1.65, rounding, "half way between the peak and the last");
  check.near(cosine_rate(100, 100, 3, 0, 0.1), 0.3, rounding, "last·peak at the end");
  check.near(cosine_rate(0, 100, 3, 10), 0.3, rounding, "the first step of the warm-up is not 0");
  check.near(cosine_rate(9, 100, 3, 10), 3, rounding, "to the peak");
  check.near(cosine_rate(10, 100, 3, 10), 3, rounding, "where the cosine starts");
  check.near(cosine_rate(55, 100, 3, 10), 1.5, rounding, "half way through the cosine");
}

template <class T>
static void clipping(Checks& check) {
  Matrix<T> a{{3, 0}, {0, 0}}, b{{4}};
  const Tensors<T> gradients{{"a", a}, {"b", b}};
  check.near(clip_global_norm(gradients, 5), 5, 0, "the norm of all together");
  check.that(a(0, 0) == 3 && b(0, 0) == 4, "up to the limit nothing changes");
  check.near(clip_global_norm(gradients, 1), 5, 0, "the norm before");
  check.near(a(0, 0), 0.6, rounding_of<T>, "one factor for all");
  check.near(b(0, 0), 0.8, rounding_of<T>, "in both tensors");
  check.near(clip_global_norm(gradients, 100), 1, rounding_of<T>, "the norm after is the limit");
  b(0, 0) = T(std::nan(""));
  check.that(std::isnan(clip_global_norm(gradients, 1)), "NaN is reported to the caller");
}

template <class Optimizer>
static void refusals(Checks& check, const std::string& name) {
  Example<double> e;
  Matrix<double> wide(1, 4);
  using List = Tensors<double>;
  const List A{{"A", e.A}}, dA{{"A", e.dA}}, b{{"b", e.b}}, db{{"b", e.db}};
  const List turned{{"b", e.db}, {"A", e.dA}}, shapeless{{"A", wide}, {"b", e.db}};
  const auto refuses = [&](Optimizer optimizer, const List& parameters, const List& gradients, const char* text) {
    const Example<double> before = e;
    check.throws<std::invalid_argument>([&] { optimizer.step(parameters, gradients, 0.1); }, text, name + text);
    check.that(e.A == before.A && e.b == before.b, name + ": what is refused changes nothing");
  };
  refuses(Optimizer(), e.parameters(), dA, "as many gradients");
  refuses(Optimizer(), e.parameters(), turned, "gradient b stands at A");
  refuses(Optimizer(), e.parameters(), shapeless, "A: 2 x 2 and 1 x 4");
  Optimizer served;
  served.step(A, dA, 0.1);
  refuses(served, e.parameters(), e.gradients(), "another model");
  refuses(served, b, db, "another model");
}

int main() {
  Checks check;
  steps<double>(check, "");
  steps<float>(check, ", float");
  first_step(check);
  schedule(check);
  clipping<double>(check);
  clipping<float>(check);
  refusals<Sgd<double>>(check, "SGD");
  refusals<AdamW<double>>(check, "AdamW");
  return check.done("test_optimizer");
}
