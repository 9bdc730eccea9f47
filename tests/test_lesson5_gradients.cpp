// The gradients of lesson 5 against numbers: all nets through the cross-entropy, also as training hands them to its
// optimizer, the product net and softmax regression also through a weighted sum of their logits, exactly, and all in
// float against double. The slopes of the toy and of a dictionary's codes, and a step of these. Then by hand. With
// --dump it prints the gradients.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <string>
#include <vector>

#include "common/loss.hpp"
#include "lessons/5_tensor_folding/model/02_net.hpp"
#include "lessons/5_tensor_folding/model/06_classifiers.hpp"
#include "lessons/5_tensor_folding/model/12_dictionary.hpp"
#include "lessons/5_tensor_folding/model/14_squares.hpp"
#include "lessons/5_tensor_folding/run/show.hpp"
#include "lessons/5_tensor_folding/run/train.hpp"
#include "lessons/5_tensor_folding/run/train_toy.hpp"
#include "tests/gradients.hpp"
#include "tests/models.hpp"

using namespace lesson5;

using Labels = std::vector<std::uint32_t>;

// The slopes that training finds in what an earlier step, on other images, has left behind.
template <class Model, class T>
static Gradients<Model> slopes_in_training(const Model& model, const Matrix<T>& X, const Labels& labels) {
  Pass<Model> pass(model);
  const auto loss_of = [&](const Matrix<T>& Y) { return softmax_cross_entropy<T>(Y, labels); };
  pass.run(model, 2 * X, loss_of);
  pass.run(model, X, loss_of);
  return std::move(pass.g);
}

// What training hands to its optimizer, in double against numbers and in float against double.
template <class Narrow, class Model>
static void in_training(GradientTest& test, const std::string& name, Model model, Matrix<double> X,
                        const Labels& labels) {
  Narrow narrow(model.form);
  Matrix<float> narrow_X;
  same_numbers(model.tensors(), narrow.tensors());
  same_numbers({{"X", X}}, {{"X", narrow_X}});
  Gradients<Model> g = slopes_in_training(model, X, labels);
  Gradients<Narrow> in_float = slopes_in_training(narrow, narrow_X, labels);
  test.list(name + ", training", model.tensors(), g.d.tensors(),
            [&] { return softmax_cross_entropy<double>(output(model, X), labels).value; });
  test.in_float(name + ", training", in_float.d.tensors(), g.d.tensors());
}

// Through the cross-entropy.
template <class Narrow, class Model>
static void classified(GradientTest& test, const std::string& name, Model model, Matrix<double> X, const Labels& labels,
                       Random& random) {
  fill_for_check(model.tensors(), random);
  const std::string where = name + ", " + to_text(X.shape());
  const auto loss = [&]<class T>(const Matrix<T>& Y) { return softmax_cross_entropy<T>(Y, labels); };
  test.model(where, model, X, loss);
  check_without_dX(test, where, model, X, loss);
  check_in_float<Narrow>(test, where, model, X, loss);
  in_training<Narrow>(test, where, model, X, labels);
}

struct TestSizes {
  std::size_t n, inputs, embedding, hidden, outputs;
};

static void models(GradientTest& test, TestSizes s, Random& random) {
  const auto X = normal_matrix<double>(s.n, s.inputs, 1, random);
  Labels labels(s.n);
  for (std::uint32_t& label : labels) label = std::uint32_t(random.below(s.outputs));
  // Logits are linear in each of W, b, V, c, U, d and quadratic in each of X, E, e, which feed both factors. With their
  // weights they are sums of products of at most eight quarters, multiples of 2^-16, and exact in double.
  const Matrix<double> exact_X = quarters(s.n, s.inputs, random);
  const std::string shape = ", " + to_text(X.shape());
  for (const std::size_t embedding : {s.embedding, std::size_t(0)})
    for (const Biases biases : {Biases::with, Biases::without}) {
      const std::string name =
          std::string("net") + (embedding ? ", embedding" : "") + (biases == Biases::with ? ", biases" : "");
      const Net<double> net({s.inputs, embedding, s.hidden, s.outputs, biases});
      classified<Net<float>>(test, name, net, X, labels, random);
      check_weighted(test, name + shape, net, exact_X, random);
    }
  const LinearNet<double> linear({s.inputs, s.outputs});
  classified<LinearNet<float>>(test, "softmax regression", linear, X, labels, random);
  check_weighted(test, "softmax regression" + shape, linear, exact_X, random);
  classified<ReluNet<float>>(test, "ReLU", ReluNet<double>({s.inputs, s.hidden, s.outputs}), X, labels, random);
  const SquareNet<double> squares({s.inputs, s.hidden, s.outputs});  // linear in U, d and quadratic in the others, too
  classified<SquareNet<float>>(test, "squares", squares, X, labels, random);
  check_weighted(test, "squares" + shape, squares, exact_X, random);
}

// The toy of parts 10 and 13 as it is trained: X given back, mean squared error, and e at rest.
static void toy(GradientTest& test, Random& random) {
  Net<double> net({5, 3, 4, 5});
  fill_normal(net.tensors(), random);
  net.e = Matrix<double>(1, 3);
  const auto X = normal_matrix<double>(8, 5, 1, random);
  Pass<Net<double>> pass(net);
  toy_pass(net, 2 * X, pass);  // what this leaves behind must not count
  toy_pass(net, X, pass);
  Gradients<Net<double>>& g = pass.g;
  test.check.that(g.d.e == net.e, "toy: e stays zero");
  Tensors<double> tensors, derived;  // without e
  for (const Named<Matrix<double>>& one : net.tensors())
    if (one.name != "e") tensors.push_back(one);
  for (const Named<Matrix<double>>& one : g.d.tensors())
    if (one.name != "e") derived.push_back(one);
  test.list("toy", tensors, derived, [&] { return mean_squared_error(output(net, X), X).value; });
}

// The codes of a dictionary. Quarters, and half of sums of their squares: exact.
static void codes(GradientTest& test, Random& random) {
  constexpr std::size_t rows = 7, atoms = 4, m = 3;
  constexpr double penalty = 0.25;
  const Matrix<double> Z = quarters(rows, m, random);
  Dictionary dict{quarters(atoms, m, random), quarters(rows, atoms, random)};
  Matrix<double> slope = slope_of_codes(dict, Z, penalty);
  test.list(
      "dictionary", {{"C", dict.C}}, {{"C", slope}}, [&] { return objective_of(dict, Z, penalty); }, Step::quadratic);
}

// One step on the codes, max(0, C - slope/steepest), by plain loops. What they find is the gradient of Σ C·found, and
// so compared as one.
static void step_of_codes(GradientTest& test, Random& random) {
  constexpr std::size_t rows = 7, atoms = 4, m = 3;
  constexpr double penalty = 0.25;
  const Matrix<double> Z = quarters(rows, m, random);
  Dictionary dict{quarters(atoms, m, random), quarters(rows, atoms, random)};
  double steepest = 0;
  for (std::size_t a = 0; a < atoms; ++a) {
    double sum = 0;
    for (std::size_t b = 0; b < atoms; ++b) {
      double product = 0;
      for (std::size_t j = 0; j < m; ++j) product += dict.D(a, j) * dict.D(b, j);
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
        for (std::size_t b = 0; b < atoms; ++b) error += dict.C(i, b) * dict.D(b, j);
        slope += error * dict.D(a, j);
      }
      found(i, a) = std::max(0.0, dict.C(i, a) - slope / steepest);
      used += found(i, a) > 0;
    }
  test.check.that(used > 0 && used < found.size(), "dictionary: the step ends some codes at 0, some not");
  improve_codes(dict, Z, penalty, 1);
  Matrix<double> C(rows, atoms);
  test.list(
      "dictionary, step", {{"C", C}}, {{"C", dict.C}}, [&] { return dot(C, found); }, Step::quadratic);
}

// What is not listed is not trained, so it must be zero from the start.
static void what_is_listed(GradientTest& test, Random& random) {
  test.check.that(names_in(Net<double>({3, 2, 4, 5})) == "EeWbVcUd", "a net lists all in forward order");
  test.check.that(names_in(Net<double>({3, 0, 4, 5})) == "WbVcUd", "without an embedding neither E nor e");
  const Net<double> net({3, 2, 4, 5, Biases::without}, random);
  test.check.that(names_in(net) == "EWVU", "without biases none");
  test.check.that(
      net.e == Matrix<double>(1, 2) && net.b == Matrix<double>(1, 4) && net.c == net.b && net.d == Matrix<double>(1, 5),
      "and none is drawn");
  test.check.that(names_in(LinearNet<double>({3, 2})) == "Wb" && names_in(ReluNet<double>({3, 4, 2})) == "WbUd" &&
                      names_in(SquareNet<double>({3, 4, 2})) == "WbUd",
                  "softmax regression, the ReLU net and that of squares list all");
}

// Z = [4; 1], P = [2; -1], Q = [3; -3], H = [6; 3]; dH = [4 - 2; -1 - 4] = [2; -5], dP = [6; 15], dQ = [4; 5],
// dZ = dP·1 + dQ·2 = [14; 25].
static void by_hand(GradientTest& test) {
  Net<double> net({2, 1, 1, 2});
  net.E = {{2}, {-1}};
  net.e = {{-1}};
  net.W = {{1}};
  net.b = {{-2}};
  net.V = {{2}};
  net.c = {{-5}};
  net.U = {{1, -2}};
  net.d = {{3, 30}};
  check_by_hand(test, "net", net,
                {.X = {{3, 1}, {1, 0}},
                 .Y = {{9, 18}, {6, 24}},
                 .dY = {{4, 1}, {-1, 2}},
                 .gradients = {{"E", {{67}, {14}}},
                               {"e", {{39}}},
                               {"W", {{39}}},
                               {"b", {{21}}},
                               {"V", {{21}}},
                               {"c", {{9}}},
                               {"U", {{21, 12}}},
                               {"d", {{3, 3}}},
                               {"X", {{28, -14}, {50, -25}}}}});
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
  return test.done("test_lesson5_gradients");
}
