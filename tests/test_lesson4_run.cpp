// Tests of what lesson 4 runs with: training until the loss is as good as zero, the counts that its claims allow for, and the
// gates that are asked for.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "common/support/flags.hpp"
#include "common/support/words.hpp"
#include "lessons/4_bilinear_gates/run/any_gate.hpp"
#include "lessons/4_bilinear_gates/run/session.hpp"
#include "lessons/4_bilinear_gates/run/train.hpp"
#include "tests/check.hpp"

using namespace lesson4;

struct Xor {
  Matrix<double> X{{0, 0}, {1, 0}, {0, 1}, {1, 1}}, T{{0}, {1}, {1}, {0}};

  ProductLayer start() const {
    Random random(1);
    return ProductLayer({2, 1}, random);
  }
};

static bool same(const ProductLayer& a, const ProductLayer& b) {
  return a.W == b.W && a.b == b.b && a.V == b.V && a.c == b.c;
}

static void fit_stops_when_enough(Checks& check) {
  const Xor task;
  ProductLayer net = task.start();
  FitSettings settings;
  std::vector<double> losses;
  std::vector<long> steps;
  const Fit found = fit(net, task.X, task.T, settings, [&](long step, double loss) {
    steps.push_back(step);
    losses.push_back(loss);
  });
  check.that(found.succeeded(settings) && found.loss < settings.enough, "one product unit learns XOR");
  check.that(found.steps > 0 && found.steps < settings.steps, "and stops before the last step");
  check.that(losses.size() == std::size_t(found.steps) + 1, "every loss is shown, the first and the last too");
  for (std::size_t k = 0; k < losses.size(); ++k) {
    check.that(steps[k] == long(k), "with the steps that were taken before it");
    check.that((losses[k] < settings.enough) == (k + 1 == losses.size()), "only the last loss is enough");
  }
  check.that(!losses.empty() && losses.back() == found.loss, "the loss is the last one shown");
  check.that(mean_squared_error(output(net, task.X), task.T).value == found.loss,
             "and that of the model as it is left");

  const ProductLayer before = net;
  check.that(fit(net, task.X, task.T, settings).steps == 0 && same(net, before), "a model that fits is left alone");
}

static void fit_honours_steps(Checks& check) {
  const Xor task;
  FitSettings settings;
  settings.steps = 5;
  settings.enough = 0;
  settings.adam.beta1 = 0.5;
  settings.adam.decay = 0.1;
  ProductLayer net = task.start(), by_hand = task.start();
  const Fit found = fit(net, task.X, task.T, settings);
  AdamW<double> adam(settings.adam);
  for (int step = 0; step < 5; ++step) {
    Gradients<ProductLayer> g =
        gradients(by_hand, task.X, [&](const Matrix<double>& Y) { return mean_squared_error(Y, task.T); });
    adam.step(by_hand.tensors(), g.d.tensors(), settings.rate);
  }
  check.that(found.steps == 5 && !found.succeeded(settings), "five steps, and no success");
  // The compiler may fuse a multiplication with an addition here and not there: a few roundings of 1e-16 in each step.
  const Tensors<double> left = net.tensors(), right = by_hand.tensors();
  for (std::size_t t = 0; t < left.size(); ++t)
    check.near(max_abs_difference(left[t].tensor, right[t].tensor), 0, 1e-14,
               "they are the steps of AdamW with the settings given: " + left[t].name);
  check.that(found.loss == mean_squared_error(output(net, task.X), task.T).value, "the loss is taken after them");

  settings.steps = 0;
  ProductLayer untouched = task.start();
  check.that(fit(untouched, task.X, task.T, settings).steps == 0 && same(untouched, task.start()),
             "no steps, no change");
}

static void fit_follows_the_rate(Checks& check) {
  const Xor task;
  for (const bool cosine : {false, true}) {
    FitSettings settings;
    settings.steps = 8;
    settings.rate = 0.25;
    settings.enough = 0;
    settings.cosine = cosine;
    std::vector<double> rates;
    ProductLayer net = task.start();
    const auto record = [&](const Tensors<double>&, const Tensors<double>&, double rate) { rates.push_back(rate); };
    fit(net, record, task.X, task.T, settings);
    check.that(rates.size() == 8, "one update for each step");
    for (std::size_t k = 0; k < rates.size(); ++k) {
      // Half a cosine from the rate to 0, a few roundings of 1e-17; the constant rate is never computed with.
      const double expected = cosine ? 0.25 * (1 + std::cos(std::numbers::pi * double(k) / 8)) / 2 : 0.25;
      check.near(rates[k], expected, cosine ? 1e-16 : 0, join(cosine ? "cosine" : "constant", " rate at step ", k));
    }
  }
}

// With no steps nothing is changed, and the loss is that of a model that says the same of every feature.
static void weighted_fit_without_steps(Checks& check) {
  for (const double p : {0.02, 0.3})
    for (const double a : {0.0, 0.25, 1.0}) {
      const WeightedRows rows = all_inputs(5, p);
      const double expected = p * (1 - a) * (1 - a) + (1 - p) * a * a;
      Bottleneck model({5, 2, 3});
      model.net.d = Matrix<double>(1, 5, a);
      check.near(fit_weighted(model, rows, 0, 0.03), expected, 1e-14, "untrained, that is the loss");
      check.that(model.net.d == Matrix<double>(1, 5, a), "and nothing is changed");
    }
}

// Three steps by hand: the error's slope with the weight of each row, AdamW without decay, half a cosine.
static void weighted_fit(Checks& check) {
  Random random(4);
  Bottleneck model({4, 2, 3}, random), by_hand = model;
  const WeightedRows rows = all_inputs(4, 0.25);
  const double found = fit_weighted(model, rows, 3, 0.125);
  AdamW<double> adam({0.9, 0.999, 1e-8, 0});
  for (int step = 0; step < 3; ++step) {
    Bottleneck::Trace trace;
    by_hand.forward(rows.X, trace);
    Matrix<double> dY(16, 4);
    for (std::size_t i = 0; i < 16; ++i)
      for (std::size_t j = 0; j < 4; ++j) dY(i, j) = 2 * rows.weight[i] * (trace.Y(i, j) - rows.X(i, j)) / 4;
    Gradients<Bottleneck> g(by_hand);
    by_hand.backward(rows.X, trace, dY, g);
    adam.step(by_hand.tensors(), g.d.tensors(), 0.125 * (1 + std::cos(std::numbers::pi * step / 3)) / 2);
  }
  const Tensors<double> left = model.tensors(), right = by_hand.tensors();
  // The compiler may fuse a multiplication with an addition here and not there.
  for (std::size_t t = 0; t < left.size(); ++t)
    check.near(max_abs_difference(left[t].tensor, right[t].tensor), 0, 1e-13, "weighted training: " + left[t].name);
  check.that(found == expected_error(output(model, rows.X), rows).value, "the loss is that of the model as it is left");
}

// Plain descent and its rate, one step by hand.
static void plain_descent_steps(Checks& check) {
  const Xor task;
  FitSettings settings;
  settings.steps = 1;
  settings.rate = 0.5;
  ProductLayer net = task.start(), by_hand = task.start();
  fit(net, plain_descent(), task.X, task.T, settings);
  const Gradients<ProductLayer> g =
      gradients(by_hand, task.X, [&](const Matrix<double>& Y) { return mean_squared_error(Y, task.T); });
  check.near(max_abs_difference(net.W, by_hand.W - 0.5 * g.d.W), 0, 1e-15, "a step of plain descent");  // a rounding
}

// x² + y² + 1 is the identity matrix: each unit can take one eigenvalue of 1 away.
static void distances(Checks& check) {
  const Matrix<double> identity{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const std::size_t units : {1u, 2u, 3u})  // descent converges by a factor a step
    check.near(best_distance(identity, units, Random(1)), std::sqrt(3.0 - double(units)), 1e-6,
               join("the distance of ", units, " units from the identity"));
}

// Of 100 coins 28 to 72 fall on one side, but for 3 in a million on either side; and what is nearly certain may fail twice.
static void counts_allowed(Checks& check) {
  const Bound coins = binomial(100, 0.5), rare = binomial(100, 0.9999), one = binomial(1, 0.5);
  check.that(coins.low == 28 && coins.high == 72, join("coins: ", coins.text));
  check.that(rare.low == 98 && rare.high == 100, join("nearly certain: ", rare.text));
  check.that(one.low == 0 && one.high == 1, join("one coin: ", one.text));
}

static void asked_for(Checks& check) {
  check.that(wanted_table("", "").empty(), "nothing asked for");
  check.that(wanted_table("nand", "") == "1110" && wanted_table("not X or y", "") == "1011", "gates by any case");
  check.that(wanted_table("", "01101001") == "01101001", "a table of eight");
  for (const char* bad : {"012", "01", "0110 ", "011010010"})
    check.throws<UserError>([&] { wanted_table("", bad); }, "no table", bad);
  check.throws<UserError>([] { wanted_table("XOR", "0110"); }, "already", "both at once");
  const TableRows rows = rows_of("00010000");
  check.that(rows.X(3, 0) == 1 && rows.X(3, 1) == 1 && rows.X(3, 2) == 0 && rows.T(3, 0) == 1, "x changes fastest");
}

int main() {
  Checks check;
  fit_stops_when_enough(check);
  fit_honours_steps(check);
  fit_follows_the_rate(check);
  weighted_fit_without_steps(check);
  weighted_fit(check);
  plain_descent_steps(check);
  distances(check);
  counts_allowed(check);
  asked_for(check);
  return check.done("test_lesson4_run");
}
