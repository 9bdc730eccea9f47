// The gradients of lesson 4 against numbers: all models through their mean squared error, the product models also
// through a weighted sum of their outputs, exactly; the other losses that are descended on, and what training hands to
// its optimizer. Then each by hand. Everything in this lesson is trained in double, so there are no float gradients to
// compare. With --dump it prints the gradients.
// SPDX-License-Identifier: MIT
#include "common/loss.hpp"
#include "lessons/4_bilinear_gates/model/4_forms.hpp"
#include "lessons/4_bilinear_gates/model/5_hidden_net.hpp"
#include "lessons/4_bilinear_gates/run/train.hpp"
#include "tests/gradients.hpp"
#include "tests/models.hpp"

using namespace lesson4;

// Sums of products of eight quarters, as in the deepest model here with its loss, are multiples of 2^-16 and exact in
// double: where a loss is quadratic, both sides must be equal.

// Through the mean squared error.
template <class Model>
static void squared(GradientTest& test, const std::string& name, Model& model, Matrix<double> X,
                    const Matrix<double>& target) {
  const auto loss = [&](const Matrix<double>& Y) { return mean_squared_error(Y, target); };
  test.model(name, model, X, loss);
  check_without_dX(test, name, model, X, loss);
}

// All tensors drawn anew, so that no gradient is small and no term hides.
template <class Model>
static void product_model(GradientTest& test, const std::string& name, Model model, const Matrix<double>& X,
                          Random& random) {
  fill_quarters(model.tensors(), random);
  const std::string where = name + ", " + to_text(X.shape());
  const Matrix<double> Y = output(model, X);
  squared(test, where, model, X, quarters(Y.rows(), Y.cols(), random));
  check_weighted(test, where, model, X, random);
}

struct TestSizes {
  std::size_t n, in, hidden, out, narrow;  // narrow: the width of the bottleneck
};

static void models(GradientTest& test, TestSizes s, Random& random) {
  for (const Biases biases : {Biases::with, Biases::without}) {
    const std::string with = biases == Biases::with ? " with biases" : " without biases";
    const Matrix<double> X = quarters(s.n, s.in, random);
    product_model(test, "product layer" + with, ProductLayer({s.in, s.hidden, biases}), X, random);
    product_model(test, "product net" + with, ProductNet({s.in, s.hidden, s.out, biases}), X, random);
    product_model(test, "bottleneck" + with, Bottleneck({s.in, s.narrow, s.hidden, biases}), X, random);
  }
  // No quarters here: their sums are often 0, where a ReLU has its kink.
  for (const Bend bend : {Bend::tanh, Bend::relu}) {
    HiddenNet net({bend, s.in, s.hidden, s.out});
    fill_normal(net.tensors(), random);
    const auto X = normal_matrix<double>(s.n, s.in, 1, random), target = normal_matrix<double>(s.n, s.out, 1, random);
    squared(test, (bend == Bend::tanh ? "tanh, " : "ReLU, ") + to_text(X.shape()), net, X, target);
  }
}

// Part 4 descends on the distance between a form and a sum of units; S is symmetric, and no sizes are alike.
static void distance_from_form(GradientTest& test, Random& random) {
  for (const std::size_t units : {1u, 2u, 5u}) {
    const Matrix<double> half = normal_matrix<double>(3, 3, 1, random), S = half + Matrix<double>(transpose(half));
    auto w = normal_matrix<double>(3, units, 1, random), v = normal_matrix<double>(3, units, 1, random);
    FormDistance from = distance_from(S, w, v);
    // The loss anew and in the open: Σ (½·(w·vᵀ + v·wᵀ) - S)², entry by entry.
    const auto loss = [&] {
      double sum = 0;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
          double e = -S(i, j);
          for (std::size_t k = 0; k < units; ++k) e += (w(i, k) * v(j, k) + v(i, k) * w(j, k)) / 2;
          sum += e * e;
        }
      return sum;
    };
    const std::string name = "distance from a form, " + std::to_string(units) + " units";
    test.check.near(from.squared, loss(), 1e-12 * loss(), name);  // some tens of roundings
    test.list(name, {{"w", w}, {"v", v}}, {{"w", from.dw}, {"v", from.dv}}, loss);
  }
}

// The loss of section 9's second experiment: every input has a weight of its own, that without any feature, too.
static void weighted_loss(GradientTest& test, Random& random) {
  WeightedRows rows{quarters(8, 3, random), {}};
  for (std::size_t i = 0; i < 8; ++i) rows.weight.push_back(random.uniform(0.1, 1));
  for (double& x : rows.X.row(5)) x = 0;
  rows.importance = {1, 0.5, 0.25};
  auto Y = normal_matrix<double>(8, 3, 1, random);
  const auto loss = [&] {
    double sum = 0;
    for (std::size_t i = 0; i < 8; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        sum += rows.weight[i] * rows.importance[j] * (Y(i, j) - rows.X(i, j)) * (Y(i, j) - rows.X(i, j)) / 3;
    return sum;
  };
  Loss<double> found = expected_error(Y, rows);
  test.check.near(found.value, loss(), 1e-14 * loss(), "weighted loss");
  test.list("weighted loss", {{"Y", Y}}, {{"Y", found.gradient}}, loss);
}

// The slopes that training hands to its optimizer, against numbers. The optimizer keeps them and leaves everything as
// it is, and a few steps find the same ones each time.
static void training_loops(GradientTest& test, Random& random) {
  Bottleneck model({3, 2, 5}), handed = model;
  fill_quarters(model.tensors(), random);
  const Update keep = [&](const Tensors<double>&, const Tensors<double>& gradients, double) {
    const Tensors<double> to = handed.tensors();
    for (std::size_t t = 0; t < to.size(); ++t) to[t].tensor = gradients.at(t).tensor;
  };
  WeightedRows rows{quarters(8, 3, random), {}};
  for (std::size_t i = 0; i < 8; ++i) rows.weight.push_back(random.uniform(0.1, 1));
  const auto Y = [&] { return output(model, rows.X); };

  fit_weighted(model, keep, rows, 3, 0.1);
  test.list("training, weighted", model.tensors(), handed.tensors(), [&] { return expected_error(Y(), rows).value; });

  FitSettings settings;
  settings.steps = 3;
  const Matrix<double> target = quarters(8, 3, random);
  fit(model, keep, rows.X, target, settings);
  test.list("training", model.tensors(), handed.tensors(), [&] { return mean_squared_error(Y(), target).value; });
}

// What is not listed is not trained, so it must be zero from the start.
static void without_biases(GradientTest& test, Random& random) {
  const ProductNet net({3, 4, 2, Biases::without}, random);
  test.check.that(names_in(net.layer) == "WV", "a product layer without biases lists W and V alone");
  test.check.that(names_in(net) == "WVU", "a product net without biases lists no bias");
  test.check.that(names_in(Bottleneck({5, 3, 4, Biases::without})) == "EWVU", "nor does a bottleneck");
  test.check.that(net.layer.b == Matrix<double>(1, 4) && net.layer.c == net.layer.b && net.d == Matrix<double>(1, 2),
                  "and none is drawn");
}

// --------------------------------------------------------------------------------------------------------- by hand

// P = [3 2; 1 2], Q = [7 4; 1 2]; dP = dH ⊙ Q = [7 -4; 2 2], dQ = dH ⊙ P = [3 -2; 2 2].
static void layer_by_hand(GradientTest& test) {
  ProductLayer m({2, 2});
  m.W = {{1, 0}, {2, -1}};
  m.b = {{-1, 3}};
  m.V = {{3, 1}, {-1, 2}};
  m.c = {{2, 0}};
  check_by_hand(test, "product layer", m,
                {{{2, 1}, {0, 1}},
                 {{21, 8}, {1, 4}},
                 {{1, -1}, {2, 1}},
                 {{"W", {{14, -8}, {9, -2}}},
                  {"b", {{9, -2}}},
                  {"V", {{6, -4}, {5, 0}}},
                  {"c", {{5, 0}}},
                  {"X", {{14, 11}, {10, 4}}}}});
}

// P = 4, Q = 3, H = 12; dH = 2·1 - 1·3 = -1, dP = -3, dQ = -4.
static void net_by_hand(GradientTest& test) {
  ProductNet m({2, 1, 2});
  m.layer.W = {{1}, {1}};
  m.layer.b = {{1}};
  m.layer.V = {{2}, {-1}};
  m.layer.c = {{3}};
  m.U = {{2, -1}};
  m.d = {{-7, 4}};
  check_by_hand(test, "product net", m,
                {{{1, 2}},
                 {{17, -8}},
                 {{1, 3}},
                 {{"W", {{-3}, {-6}}},
                  {"b", {{-3}}},
                  {"V", {{-4}, {-8}}},
                  {"c", {{-4}}},
                  {"U", {{12, 36}}},
                  {"d", {{1, 3}}},
                  {"X", {{-11, 1}}}}});
}

// X·E = 5, P = 3, Q = 4, H = 12; dH = 4 - 2 = 2, dP = 8, dQ = 6, and X·E gets 8·1 + 6·2 = 20.
static void bottleneck_by_hand(GradientTest& test) {
  Bottleneck m({2, 1, 1});
  m.E = {{2}, {-1}};
  m.net.layer.W = {{1}};
  m.net.layer.b = {{-2}};
  m.net.layer.V = {{2}};
  m.net.layer.c = {{-6}};
  m.net.U = {{1, -2}};
  m.net.d = {{3, 30}};
  check_by_hand(test, "bottleneck", m,
                {{{3, 1}},
                 {{15, 6}},
                 {{4, 1}},
                 {{"E", {{60}, {20}}},
                  {"W", {{40}}},
                  {"b", {{8}}},
                  {"V", {{30}}},
                  {"c", {{6}}},
                  {"U", {{48, 12}}},
                  {"d", {{4, 1}}},
                  {"X", {{40, -20}}}}});
}

// Z = (2, -1): the second unit is off. dH = (6, 10), dZ = (6, 0).
static void relu_by_hand(GradientTest& test) {
  HiddenNet m({Bend::relu, 2, 2, 1});
  m.W = {{1, 2}, {1, -2}};
  m.b = {{-1, 1}};
  m.U = {{3}, {5}};
  m.d = {{-1}};
  check_by_hand(test, "ReLU", m,
                {{{1, 2}},
                 {{5}},
                 {{2}},
                 {{"W", {{6, 0}, {12, 0}}}, {"b", {{6, 0}}}, {"U", {{4}, {0}}}, {"d", {{2}}}, {"X", {{6, 6}}}}});
}

// Z = (0, 100): tanh is 0 with slope 1, and 1 with slope 0. dH = (3, -1), dZ = (3, 0).
static void tanh_by_hand(GradientTest& test) {
  HiddenNet m({Bend::tanh, 2, 2, 1});
  m.W = {{2, 4}, {-1, -1}};
  m.b = {{0, 98}};
  m.U = {{3}, {-1}};
  m.d = {{5}};
  check_by_hand(test, "tanh", m,
                {{{1, 2}},
                 {{4}},
                 {{1}},
                 {{"W", {{3, 0}, {6, 0}}}, {"b", {{3, 0}}}, {"U", {{0}, {1}}}, {"d", {{1}}}, {"X", {{6, -3}}}}});
}

int main(int argc, char** argv) {
  GradientTest test(argc, argv);
  Random random(1);
  for (const std::size_t n : {1u, 8u}) models(test, {n, 3, 5, 4, 2}, random);  // no two sizes alike
  models(test, {4, 4, 4, 4, 4}, random);                                       // all square: a transpose too many fits
  distance_from_form(test, random);
  weighted_loss(test, random);
  training_loops(test, random);
  without_biases(test, random);
  layer_by_hand(test);
  net_by_hand(test);
  bottleneck_by_hand(test);
  relu_by_hand(test);
  tanh_by_hand(test);
  return test.done("test_lesson4_gradients");
}
