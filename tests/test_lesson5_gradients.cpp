// The gradients of lesson 5 against numbers: all nets through the cross-entropy, the product net also through a weighted
// sum of its logits, exactly, and all in float against double, also as training hands them to its optimizer. The slopes
// of the toy and of a dictionary's codes, and a step of these. Then by hand, and against lesson 3. With --dump it prints
// the gradients.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/loss.hpp"
#include "lessons/3_swish_vs_bmlp/product.hpp"
#include "lessons/5_tensor_folding/classify.hpp"
#include "lessons/5_tensor_folding/dictionary.hpp"
#include "lessons/5_tensor_folding/net.hpp"
#include "lessons/5_tensor_folding/toy.hpp"
#include "tests/gradients.hpp"

using Labels = std::vector<std::uint32_t>;

// Every parameter and X. `loss(logits)` takes the logits, and dlogits is its gradient.
template <class Model, class LossOf>
static void gradients(GradientTest& test, const std::string& name, Model& model, Matrix<double> X,
                      const Matrix<double>& dlogits, LossOf loss, Step step) {
  auto g = model.backward(model.forward(X), dlogits);
  Tensors<double> tensors = model.tensors(), derived = g.d.tensors();
  tensors.push_back({"X", X});
  derived.push_back({"X", g.dX});
  test.list(
      name, tensors, derived, [&] { return loss(model.forward(X).logits); }, step);
}

// The parameters' gradients are the same to the bit when nobody asks for that of X.
template <class Model>
static void without_dX(GradientTest& test, const std::string& name, const Model& model, const Matrix<double>& X,
                       const Matrix<double>& dlogits) {
  const auto trace = model.forward(X);
  auto with = model.backward(trace, dlogits), without = model.backward(trace, dlogits, false);
  const Tensors<double> expected = with.d.tensors(), found = without.d.tensors();
  for (std::size_t t = 0; t < expected.size(); ++t)
    test.check.that(found[t].tensor == expected[t].tensor, name + ": d" + expected[t].name + " without dX");
}

// A model's gradients through the cross-entropy, with that of X.
template <class T, class Model>
static auto gradients_of(const Model& model, const Matrix<T>& X, const Labels& labels) {
  const auto trace = model.forward(X);
  return model.backward(trace, softmax_cross_entropy<T>(trace.logits, labels).gradient);
}

// Training runs in float: `narrow` gets the numbers of `wide`, and its gradients must be the same but for rounding.
template <class Wide, class Narrow>
static void in_float(GradientTest& test, const std::string& name, Wide wide, Narrow narrow, Matrix<double> X,
                     const Labels& labels) {
  Matrix<float> narrow_X;
  Tensors<double> all = wide.tensors();
  Tensors<float> rounded = narrow.tensors();
  all.push_back({"X", X}), rounded.push_back({"X", narrow_X});
  same_numbers(all, rounded);
  auto expected = gradients_of(wide, X, labels);
  auto found = gradients_of(narrow, narrow_X, labels);
  Tensors<double> derived = expected.d.tensors();
  Tensors<float> derived_in_float = found.d.tensors();
  derived.push_back({"X", expected.dX}), derived_in_float.push_back({"X", found.dX});
  test.in_float(name, derived_in_float, derived);
  Wide slopes = slopes_of(wide, X, labels, 0);
  Narrow slopes_in_float = slopes_of(narrow, narrow_X, labels, 0);
  test.in_float(name + ", training", slopes_in_float.tensors(), slopes.tensors());
}

// Weights N(0, 1/fan-in) and biases N(0, 1): all logits are of size 1, so that no probability and no gradient is small.
template <class Model, class Narrow>
static void classified(GradientTest& test, const std::string& name, Model model, const Narrow& narrow,
                       const Matrix<double>& X, const Labels& labels, Random& random) {
  for (const auto& [tensor_name, tensor] : model.tensors())
    tensor = normal_matrix<double>(tensor.rows(), tensor.cols(), 1 / std::sqrt(double(tensor.rows())), random);
  const std::string where = name + ", " + to_text(X.shape());
  const auto loss = [&](const Matrix<double>& logits) { return softmax_cross_entropy(logits, std::span(labels)); };
  const Matrix<double> dlogits = loss(model.forward(X).logits).gradient;
  const auto value = [&](const Matrix<double>& logits) { return loss(logits).value; };
  gradients(test, where, model, X, dlogits, value, Step::smooth);
  without_dX(test, where, model, X, dlogits);
  Model slopes = slopes_of(model, X, labels, 0);
  test.list(where + ", training", model.tensors(), slopes.tensors(), [&] { return value(model.forward(X).logits); });
  in_float(test, where, model, narrow, X, labels);
}

// Logits are linear in each of W, b, V, c, U, d and quadratic in each of X, E, e, which feed both factors. With their weights
// they are sums of products of at most eight quarters, multiples of 2^-16, and exact in double.
template <class Model>
static void weighted(GradientTest& test, const std::string& name, Model model, std::size_t n, std::size_t inputs,
                     std::size_t outputs, Random& random) {
  for (const auto& [tensor_name, tensor] : model.tensors()) tensor = quarters(tensor.rows(), tensor.cols(), random);
  const Matrix<double> X = quarters(n, inputs, random), R = quarters(n, outputs, random);
  const std::string where = name + ", " + to_text(X.shape()) + ", weighted";
  const auto loss = [&](const Matrix<double>& logits) { return dot(R, logits); };
  gradients(test, where, model, X, R, loss, Step::quadratic);
}

struct TestSizes {
  std::size_t n, inputs, embedding, hidden, outputs;
};

static void models(GradientTest& test, TestSizes s, Random& random) {
  const auto X = normal_matrix<double>(s.n, s.inputs, 1, random);
  Labels labels(s.n);
  for (std::uint32_t& label : labels) label = std::uint32_t(random.below(s.outputs));
  for (const std::size_t embedding : {s.embedding, std::size_t(0)})
    for (const bool biases : {true, false}) {
      const std::string name = std::string("net") + (embedding ? ", embedding" : "") + (biases ? ", biases" : "");
      const Net<double> net({s.inputs, embedding, s.hidden, s.outputs, biases});
      classified(test, name, net, Net<float>(net.form), X, labels, random);
      weighted(test, name, net, s.n, s.inputs, s.outputs, random);
    }
  classified(test, "softmax regression", LinearNet<double>(s.inputs, s.outputs), LinearNet<float>(s.inputs, s.outputs),
             X, labels, random);
  weighted(test, "softmax regression", LinearNet<double>(s.inputs, s.outputs), s.n, s.inputs, s.outputs, random);
  classified(test, "ReLU", ReluNet<double>(s.inputs, s.hidden, s.outputs),
             ReluNet<float>(s.inputs, s.hidden, s.outputs), X, labels, random);
}

// The toy of parts 10 and 13 as it is trained: X given back, mean squared error, and e at rest.
static void toy(GradientTest& test, Random& random) {
  constexpr std::size_t rows = 8, features = 5, m = 3, products = 4;
  Net<double> net({features, m, products, features, true});
  fill_normal(net.tensors(), random);
  net.e = Matrix<double>(1, m);
  const auto X = normal_matrix<double>(rows, features, 1, random);
  Net<double> slopes = slopes_of_toy(net, X);
  test.check.that(slopes.e == net.e, "toy: e stays zero");
  Tensors<double> tensors, derived;  // without e
  for (const Named<double>& one : net.tensors())
    if (one.name != "e") tensors.push_back(one);
  for (const Named<double>& one : slopes.tensors())
    if (one.name != "e") derived.push_back(one);
  test.list("toy", tensors, derived, [&] { return mean_squared_error(net.forward(X).logits, X).value; });
}

// The codes of a dictionary. Quarters, and half of sums of their squares: exact.
static void codes(GradientTest& test, Random& random) {
  constexpr std::size_t rows = 7, atoms = 4, m = 3;
  constexpr double penalty = 0.25;
  const Matrix<double> Z = quarters(rows, m, random);
  Dictionary d{quarters(atoms, m, random), quarters(rows, atoms, random)};
  Matrix<double> slope = slope_of_codes(d, Z, penalty);
  test.list(
      "dictionary", {{"C", d.C}}, {{"C", slope}}, [&] { return objective_of(d, Z, penalty); }, Step::quadratic);
}

// One step on the codes, max(0, C - slope/steepest), by plain loops. What they find is the gradient of Σ C·found, and
// so compared as one.
static void step_of_codes(GradientTest& test, Random& random) {
  constexpr std::size_t rows = 7, atoms = 4, m = 3;
  constexpr double penalty = 0.25;
  const Matrix<double> Z = quarters(rows, m, random);
  Dictionary d{quarters(atoms, m, random), quarters(rows, atoms, random)};
  double steepest = 0;
  for (std::size_t a = 0; a < atoms; ++a) {
    double sum = 0;
    for (std::size_t b = 0; b < atoms; ++b) {
      double product = 0;
      for (std::size_t j = 0; j < m; ++j) product += d.D(a, j) * d.D(b, j);
      sum += std::abs(product);
    }
    if (sum > steepest) steepest = sum;
  }
  Matrix<double> found(rows, atoms);
  std::size_t used = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t a = 0; a < atoms; ++a) {
      double slope = penalty;
      for (std::size_t j = 0; j < m; ++j) {
        double error = -Z(i, j);
        for (std::size_t b = 0; b < atoms; ++b) error += d.C(i, b) * d.D(b, j);
        slope += error * d.D(a, j);
      }
      const double code = d.C(i, a) - slope / steepest;
      if (code > 0) found(i, a) = code, ++used;
    }
  test.check.that(used > 0 && used < found.size(), "dictionary: the step ends some codes at 0, some not");
  improve_codes(d, Z, penalty, 1);
  Matrix<double> C(rows, atoms);
  test.list(
      "dictionary, step", {{"C", C}}, {{"C", d.C}}, [&] { return dot(C, found); }, Step::quadratic);
}

// What is not listed is not trained, so it must be zero from the start.
static void what_is_listed(GradientTest& test, Random& random) {
  const auto names = [](auto model) {
    std::string all;
    for (const auto& [name, tensor] : model.tensors()) all += name;
    return all;
  };
  test.check.that(names(Net<double>({3, 2, 4, 5, true})) == "EeWbVcUd", "a net lists all in forward order");
  test.check.that(names(Net<double>({3, 0, 4, 5, true})) == "WbVcUd", "without an embedding neither E nor e");
  const Net<double> net({3, 2, 4, 5, false}, random);
  test.check.that(names(net) == "EWVU", "without biases none");
  test.check.that(
      net.e == Matrix<double>(1, 2) && net.b == Matrix<double>(1, 4) && net.c == net.b && net.d == Matrix<double>(1, 5),
      "and none is drawn");
  test.check.that(names(LinearNet<double>(3, 2)) == "Wb" && names(ReluNet<double>(3, 4, 2)) == "WbUd",
                  "softmax regression and the ReLU net list all");
}

// Small whole numbers only, so nothing is rounded and everything must be equal. Z = [4; 1], P = [2; -1], Q = [3; -3],
// H = [6; 3]; dH = [4 - 2; -1 - 4] = [2; -5], dP = [6; 15], dQ = [4; 5], dZ = dP·1 + dQ·2 = [14; 25].
static void by_hand(GradientTest& test) {
  Net<double> net({2, 1, 1, 2, true});
  net.E = {{2}, {-1}}, net.e = {{-1}};
  net.W = {{1}}, net.b = {{-2}}, net.V = {{2}}, net.c = {{-5}};
  net.U = {{1, -2}}, net.d = {{3, 30}};
  const auto trace = net.forward({{3, 1}, {1, 0}});
  test.check.that(trace.logits == Matrix<double>{{9, 18}, {6, 24}}, "by hand: logits");
  auto g = net.backward(trace, {{4, 1}, {-1, 2}});
  const Matrix<double> expected[] = {{{67}, {14}}, {{39}}, {{39}}, {{21}}, {{21}}, {{9}}, {{21, 12}}, {{3, 3}}};
  const Tensors<double> found = g.d.tensors();
  test.check.that(found.size() == std::size(expected), "by hand: the number of tensors");
  for (std::size_t t = 0; t < std::min(found.size(), std::size(expected)); ++t)
    test.check.that(found[t].tensor == expected[t], "by hand: d" + found[t].name);
  test.check.that(g.dX == Matrix<double>{{28, -14}, {50, -25}}, "by hand: dX");
}

// Lesson 3 derives the product layer, and lesson 5 restates it. W3 = 0 adds zeros, which round nothing, and two terms have
// the same sum in either order: equal to the bit. Lesson 3's dW3 has no counterpart.
static void agrees_with_lesson3(GradientTest& test, Random& random) {
  Net<double> net({3, 0, 4, 2, true});
  fill_normal(net.tensors(), random);
  Product<double> product({3, 4, 2});
  product.W = net.W, product.b = net.b, product.V = net.V, product.c = net.c;
  product.W2 = net.U, product.b2 = net.d;
  const auto X = normal_matrix<double>(7, 3, 1, random), dlogits = normal_matrix<double>(7, 2, 1, random);
  const auto of_net = net.forward(X);
  const auto of_product = product.forward(X);
  test.check.that(of_net.logits == of_product.Y, "the product layers of lessons 3 and 5 agree: the output");
  auto found = net.backward(of_net, dlogits);
  const Gradients<Product<double>> expected = product.backward(of_product, dlogits);
  const Matrix<double>* const right[] = {&expected.d.W, &expected.d.b,  &expected.d.V,
                                         &expected.d.c, &expected.d.W2, &expected.d.b2};
  const Tensors<double> left = found.d.tensors();
  test.check.that(left.size() == std::size(right), "the product layers of lessons 3 and 5 agree: the tensors");
  for (std::size_t t = 0; t < std::min(left.size(), std::size(right)); ++t)
    test.check.that(left[t].tensor == *right[t], "the product layers of lessons 3 and 5 agree: d" + left[t].name);
  test.check.that(found.dX == expected.dX, "the product layers of lessons 3 and 5 agree: dX");
}

int main(int argc, char** argv) {
  GradientTest test(argc, argv);
  Random random(1);
  for (const std::size_t n : {1u, 7u}) models(test, {n, 3, 5, 4, 2}, random);  // no two sizes alike
  models(test, {4, 4, 4, 4, 4}, random);                                       // all square: a transpose too many fits
  toy(test, random);
  codes(test, random);
  step_of_codes(test, random);
  what_is_listed(test, random);
  by_hand(test);
  agrees_with_lesson3(test, random);
  return test.done("test_lesson5_gradients");
}
