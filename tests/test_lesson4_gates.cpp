// Tests of lesson 4 apart from its gradients: the table of the sixteen gates, products multiplied out, quadratic forms as
// matrices and how many products they take, and training until the loss is as good as zero.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/support/words.hpp"
#include "lessons/4_bilinear_gates/fit.hpp"
#include "lessons/4_bilinear_gates/forms.hpp"
#include "lessons/4_bilinear_gates/gates.hpp"
#include "tests/check.hpp"

// A normal number rounded to whole quarters. Sums of products of four of them are exact in double, so whatever is computed
// from them in two ways must be equal.
static double quarter(Random& random) { return std::round(4 * random.normal()) / 4; }

static Factor random_factor(Random& random) { return {quarter(random), quarter(random), quarter(random)}; }

// ------------------------------------------------------------------------------------------------------- the gates

// What each name says, in the order of the table.
static bool meaning(std::size_t gate, bool x, bool y) {
  const bool values[] = {false,    x && y, x && !y, x,       !x && y, y,       x != y,    x || y,
                         !x && !y, x == y, !y,      x || !y, !x,      !x || y, !(x && y), true};
  return values[gate];
}

static void table(Checks& check) {
  const char* const names[] = {"FALSE", "AND",   "x AND NOT y", "x",     "NOT x AND y", "y",    "XOR", "OR", "NOR",
                               "XNOR",  "NOT y", "x OR NOT y",  "NOT x", "NOT x OR y",  "NAND", "TRUE"};
  std::set<TruthTable> different;
  std::set<std::pair<double, double>> different_corners;
  for (std::size_t g = 0; g < gates.size(); ++g) {
    check.that(gates[g].name == std::string(names[g]), std::string("gate ") + names[g] + " has its place");
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const auto [x, y] = corners[k];
      check.that(gates[g].truth[k] == double(meaning(g, x == 1, y == 1)),
                 join(names[g], " does at ", x, ", ", y, " what it says"));
      different_corners.insert({x, y});
    }
    different.insert(gates[g].truth);
  }
  check.that(different.size() == 16, "the sixteen truth tables are different, and there are no others");
  check.that(different_corners.size() == 4, "the corners are different");
  check.that(corners[1][0] == 1 && corners[1][1] == 0, "the second corner is 10");
}

// The weights are halves, and quarters for -1 and 1: nothing is rounded.
static void exact(Checks& check) {
  for (const Gate& gate : gates) {
    const std::string name = std::string("gate ") + gate.name;
    const Factor w = for_signs(gate.w), v = for_signs(gate.v);
    const ProductLayer on_bits = layer_of(gate.w, gate.v), on_signs = layer_of(w, v);
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const auto [x, y] = corners[k];
      const double s = 2 * x - 1, t = 2 * y - 1, expected = gate.truth[k];
      const std::string at = join(" at ", x, ", ", y);
      check.that(gate.w.at(x, y) * gate.v.at(x, y) == expected, name + at + ": the product of the factors");
      check.that(w.at(s, t) * v.at(s, t) == expected, name + at + ", inputs in {-1, 1}: the product of the factors");
      check.that(on_bits.forward({{x, y}}).H == Matrix<double>{{expected}}, name + at + ": the layer");
      check.that(on_signs.forward({{s, t}}).H == Matrix<double>{{expected}},
                 name + at + ", inputs in {-1, 1}: the layer");
    }
    check.that(truth_of(multiplied_out(gate.w, gate.v)) == gate.truth, name + ": its form has its truth table");
  }
}

// ------------------------------------------------------------------------------------------------- multiplied out

static bool same(const Factor& a, const Factor& b) { return a.x == b.x && a.y == b.y && a.one == b.one; }

static void forms(Checks& check) {
  const QuadraticForm by_hand = multiplied_out({1, 2, 3}, {5, 7, 11});  // (x + 2y + 3)(5x + 7y + 11)
  check.that(by_hand.xx == 5 && by_hand.yy == 14 && by_hand.xy == 17 && by_hand.x == 26 && by_hand.y == 43 &&
                 by_hand.one == 33,
             "multiplied out by hand");
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    const Factor w = random_factor(random), v = random_factor(random);
    const double x = quarter(random), y = quarter(random);
    const QuadraticForm form = multiplied_out(w, v);
    const double expected = w.at(x, y) * v.at(x, y);
    check.that(form.at(x, y) == expected, "multiplied out, the form has the value of the product");
    const Matrix<double> z{{x, y, 1}}, S = matrix_of(form);
    check.that(matmul(matmul(z, S), transpose(z)) == Matrix<double>{{expected}}, "and so has its matrix");
    check.that(S == Matrix<double>(transpose(S)), "which is symmetric");
    const ProductLayer unit = layer_of(w, v);
    check.that(same(first_factor(unit, 0), w) && same(second_factor(unit, 0), v), "the factors of a unit come back");
  }
}

// A layer of four units against the formula and against its own outputs, added up.
static void matrix_of_layer(Checks& check) {
  Random random(2);
  ProductLayer layer(2, 4);
  for (const auto& [name, tensor] : layer.tensors()) tensor = map(tensor, [&](double) { return quarter(random); });
  Matrix<double> W(3, 4), V(3, 4);  // [W; b] and [V; c]
  for (std::size_t k = 0; k < 4; ++k) {
    W(0, k) = layer.W(0, k), W(1, k) = layer.W(1, k), W(2, k) = layer.b(0, k);
    V(0, k) = layer.V(0, k), V(1, k) = layer.V(1, k), V(2, k) = layer.c(0, k);
  }
  const Matrix<double> S = matrix_of(layer);
  check.that(S == 0.5 * (matmul(W, transpose(V)) + matmul(V, transpose(W))),
             "the matrix of a layer is ½ Σ (w·vᵀ + v·wᵀ)");
  for (int round = 0; round < 10; ++round) {
    const Matrix<double> X{{quarter(random), quarter(random)}}, z{{X(0, 0), X(0, 1), 1}};
    check.that(dot(layer.forward(X).H, Matrix<double>(1, 4, 1)) == dot(matmul(z, S), z),
               "the matrix of a layer gives the sum of its units");
  }
  check.that(matrix_of(ProductLayer(2, 0)) == Matrix<double>(3, 3), "no units, no form");
}

// ----------------------------------------------------------------------------------------------------- signatures

static void has_signature(Checks& check, const std::string& what, const Matrix<double>& S, int positive, int negative) {
  const Signature found = signature(S);
  check.that(found.positive == positive && found.negative == negative,
             join("signature of ", what, ": (", found.positive, ", ", found.negative, "), expected (", positive, ", ",
                  negative, ")"));
  check.that(found.units() == std::max(positive, negative), "units of " + what);
}

static void known_signatures(Checks& check) {
  const auto form = [&](const char* what, const QuadraticForm& f, int positive, int negative) {
    has_signature(check, what, matrix_of(f), positive, negative);
  };
  form("0", {}, 0, 0);
  form("1", {0, 0, 0, 0, 0, 1}, 1, 0);
  form("x", {0, 0, 0, 1, 0, 0}, 1, 1);
  form("xy", {0, 0, 1, 0, 0, 0}, 1, 1);
  form("x²", {1, 0, 0, 0, 0, 0}, 1, 0);
  form("-(x - y + 1)²", {-1, -1, 2, -2, 2, -1}, 0, 1);
  form("x² + y²", {1, 1, 0, 0, 0, 0}, 2, 0);
  form("-x² - y²", {-1, -1, 0, 0, 0, 0}, 0, 2);
  form("x² + y² + 1", {1, 1, 0, 0, 0, 1}, 3, 0);
  form("x² + y² - 1", {1, 1, 0, 0, 0, -1}, 2, 1);
  form("xy + 1", {0, 0, 1, 0, 0, 1}, 2, 1);
  form("xy - 1", {0, 0, 1, 0, 0, -1}, 1, 2);
  form("-x² - xy - y² - 1", {-1, -1, -1, 0, 0, -1}, 0, 3);
  for (const Gate& gate : gates)  // what one product gives takes one product
    check.that(signature(matrix_of(multiplied_out(gate.w, gate.v))).units() <= 1,
               std::string("one unit does ") + gate.name);
}

// L·R, with ones on the diagonals of both triangles: its determinant is 1. `draw()` fills the rest.
template <class Draw>
static Matrix<double> of_determinant_one(Draw draw) {
  Matrix<double> L{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, R = L;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < i; ++j) L(i, j) = draw(), R(j, i) = draw();
  return matmul(L, R);
}

// A·D·Aᵀ has the signature of D for every A that has an inverse (Sylvester's law of inertia). All 27 sign patterns of D.
template <class Draw, class Size>
static void sign_patterns(Checks& check, const std::string& kind, Draw draw, Size size) {
  for (int pattern = 0; pattern < 27; ++pattern)
    for (int round = 0; round < 10; ++round) {
      const int signs[] = {pattern % 3 - 1, pattern / 3 % 3 - 1, pattern / 9 - 1};
      Matrix<double> D(3, 3);
      for (std::size_t i = 0; i < 3; ++i) D(i, i) = signs[i] * size();
      const Matrix<double> A = of_determinant_one(draw), S = matmul(matmul(A, D), transpose(A));
      has_signature(check, join(kind, ", signs ", signs[0], " ", signs[1], " ", signs[2]), S,
                    int(std::count(signs, signs + 3, 1)), int(std::count(signs, signs + 3, -1)));
    }
}

static void congruences(Checks& check) {
  Random random(3);
  // Whole numbers: the coefficients are exact, those that should be 0 are.
  sign_patterns(
      check, "whole", [&] { return std::round(random.normal()); }, [&] { return double(1 + random.below(3)); });
  // Here the entries of S stay below 20. What should be 0 is a sum of products of at most three of them, so it is a
  // rounding of at most some 20³·1e-16 = 1e-12; the last coefficient that is not 0 is above 0.1. The limit
  // of 1e-9 lies between.
  sign_patterns(
      check, "normal", [&] { return 0.5 * random.normal(); }, [&] { return random.uniform(0.5, 2); });
}

static void changes_of_sign(Checks& check) {
  check.that(sign_changes({1, -1, 1, -1}, 0) == 3, "three changes of sign");
  check.that(sign_changes({1, 0, 0, -1}, 0) == 1, "zeros are left out");
  check.that(sign_changes({1, -1e-9, 2, -3}, 1e-9) == 1, "what is as good as zero is left out");
  check.that(sign_changes({0, -2, -2, 1}, 0) == 1, "a zero in front is no sign");
}

// --------------------------------------------------------------------------------------------------------- training

struct Xor {
  Matrix<double> X{{0, 0}, {1, 0}, {0, 1}, {1, 1}}, T{{0}, {1}, {1}, {0}};

  ProductLayer start() const {
    Random random(1);
    return ProductLayer(2, 1, true, random);
  }
};

// AdamW, and a list of the rates at which it was asked to step.
struct Recorder {
  std::vector<double>* rates;
  AdamW<double> adam;

  void step(const Tensors<double>& parameters, const Tensors<double>& gradients, double rate) {
    rates->push_back(rate);
    adam.step(parameters, gradients, rate);
  }
};

static bool same(ProductLayer& a, ProductLayer& b) { return a.W == b.W && a.b == b.b && a.V == b.V && a.c == b.c; }

static void fit_stops_when_enough(Checks& check) {
  const Xor task;
  ProductLayer net = task.start();
  FitSettings settings;
  std::vector<double> losses;
  std::vector<long> steps;
  const Fit found = fit(net, AdamW<double>(settings.adam), task.X, task.T, settings,
                        [&](long step, double loss) { steps.push_back(step), losses.push_back(loss); });
  check.that(found.succeeded(settings) && found.loss < settings.enough, "one product unit learns XOR");
  check.that(found.steps > 0 && found.steps < settings.steps, "and stops before the last step");
  check.that(losses.size() == std::size_t(found.steps) + 1, "every loss is shown, the first and the last too");
  for (std::size_t k = 0; k < losses.size(); ++k) {
    check.that(steps[k] == long(k), "with the steps that were taken before it");
    check.that((losses[k] < settings.enough) == (k + 1 == losses.size()), "only the last loss is enough");
  }
  check.that(!losses.empty() && losses.back() == found.loss, "the loss is the last one shown");
  check.that(mean_squared_error(net.forward(task.X).H, task.T).value == found.loss,
             "and that of the model as it is left");

  ProductLayer before = net;
  check.that(fit(net, task.X, task.T, settings).steps == 0 && same(net, before), "a model that fits is left alone");
}

static void fit_honours_steps(Checks& check) {
  const Xor task;
  FitSettings settings;
  settings.steps = 5, settings.enough = 0, settings.adam.beta1 = 0.5, settings.adam.decay = 0.1;
  ProductLayer net = task.start(), by_hand = task.start();
  const Fit found = fit(net, task.X, task.T, settings);
  AdamW<double> adam(settings.adam);
  for (int step = 0; step < 5; ++step) {
    const auto trace = by_hand.forward(task.X);
    auto g = by_hand.backward(trace, mean_squared_error(trace.H, task.T).gradient);
    adam.step(by_hand.tensors(), g.d.tensors(), settings.rate);
  }
  check.that(found.steps == 5 && !found.succeeded(settings), "five steps, and no success");
  // The compiler may fuse a multiplication with an addition here and not there: a few roundings of 1e-16 in each step.
  const Tensors<double> left = net.tensors(), right = by_hand.tensors();
  for (std::size_t t = 0; t < left.size(); ++t)
    check.near(max_abs_difference(left[t].tensor, right[t].tensor), 0, 1e-14,
               "they are the steps of AdamW with the settings given: " + left[t].name);
  check.that(found.loss == mean_squared_error(net.forward(task.X).H, task.T).value, "the loss is taken after them");

  settings.steps = 0;
  ProductLayer untouched = task.start(), start = task.start();
  check.that(fit(untouched, task.X, task.T, settings).steps == 0 && same(untouched, start), "no steps, no change");
}

static void fit_follows_the_rate(Checks& check) {
  const Xor task;
  for (const bool cosine : {false, true}) {
    FitSettings settings;
    settings.steps = 8, settings.rate = 0.25, settings.enough = 0, settings.cosine = cosine;
    std::vector<double> rates;
    ProductLayer net = task.start();
    fit(net, Recorder{&rates, AdamW<double>(settings.adam)}, task.X, task.T, settings, [](long, double) {});
    check.that(rates.size() == 8, "one update for each step");
    for (std::size_t k = 0; k < rates.size(); ++k) {
      // Half a cosine from the rate to 0, a few roundings of 1e-17; the constant rate is never computed with.
      const double expected = cosine ? 0.25 * (1 + std::cos(std::numbers::pi * double(k) / 8)) / 2 : 0.25;
      check.near(rates[k], expected, cosine ? 1e-16 : 0, join(cosine ? "cosine" : "constant", " rate at step ", k));
    }
  }
}

int main() {
  Checks check;
  table(check);
  exact(check);
  forms(check);
  matrix_of_layer(check);
  known_signatures(check);
  congruences(check);
  changes_of_sign(check);
  fit_stops_when_enough(check);
  fit_honours_steps(check);
  fit_follows_the_rate(check);
  return check.done("test_lesson4_gates");
}
