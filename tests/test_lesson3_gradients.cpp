// The gradients of lesson 3 against numbers: each model through its mean squared error, and where its outputs are at
// most quadratic in a tensor also through a weighted sum of them, exactly. The same in float, as training runs, against
// double. Then each by hand, and what the training loop hands to its optimizer. With --dump it prints the gradients.
// SPDX-License-Identifier: MIT
#include "common/loss.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"
#include "lessons/3_swish_vs_bmlp/run/train.hpp"
#include "tests/gradients.hpp"

using namespace lesson3;


// All sizes over which these models take means are powers of 2, so with quarters for numbers nothing is rounded: where
// the outputs are quadratic, both sides must be equal.

// A model with all tensors drawn anew, so that no gradient is small and no term hides.
template <class Model>
static Model filled(Model model, Random& random, double size = 1) {
  for (const auto& [name, tensor] : model.tensors()) tensor = quarters(tensor.rows(), tensor.cols(), random, size);
  return model;
}

// All gradients, dX behind those of the parameters.
template <class Model>
static Tensors<typename Model::Number> with_dX(Gradients<Model>& g) {
  Tensors<typename Model::Number> all = g.d.tensors();
  all.push_back({"X", g.dX});
  return all;
}

template <class Model, class Narrow>
static void in_float(GradientTest& test, const std::string& name, Model& model, Narrow& narrow, const Matrix<double>& X,
                     const Matrix<double>& target) {
  same_numbers(model.tensors(), narrow.tensors());  // quarters fit into float: nothing is rounded here
  const Matrix<float> narrow_X(X.view()), narrow_target(target.view());
  Gradients<Narrow> found =
      gradients(narrow, narrow_X, [&](const Matrix<float>& Y) { return mean_squared_error(Y, narrow_target); });
  Gradients<Model> expected =
      gradients(model, X, [&](const Matrix<double>& Y) { return mean_squared_error(Y, target); });
  test.in_float(name, with_dX(found), with_dX(expected));
}

// In training nobody needs dX: the other gradients are the same without it, to the bit.
template <class Model, class LossOfY>
static void without_dX(GradientTest& test, const std::string& name, const Model& model, const Matrix<double>& X,
                       LossOfY loss) {
  Gradients<Model> with = gradients(model, X, loss), without(model);
  without.with_dX = false;
  typename Model::Trace trace;
  model.forward(X, trace);
  model.backward(X, trace, loss(trace.Y).gradient, without);
  bool same = without.dX.size() == 0;
  for (std::size_t t = 0; t < with.d.tensors().size(); ++t)
    same = same && with.d.tensors()[t].tensor == without.d.tensors()[t].tensor;
  test.check.that(same, name + ": the other gradients without dX");
}

// Checks the model through its mean squared error and, where it is quadratic, through Σ R ⊙ Y. `narrow` is the same
// model in float; its parameters do not matter.
template <class Model, class Narrow>
static void network(GradientTest& test, const std::string& name, Model model, Narrow narrow, Quadratic quadratic,
                    std::size_t n, Random& random) {
  Matrix<double> X = quarters(n, model.form.in, random);
  const Matrix<double> target = quarters(n, model.form.out, random);
  const Matrix<double> R = quarters(n, model.form.out, random);
  const std::string where = name + ", " + to_text(X.shape());
  const auto loss = [&](const Matrix<double>& Y) { return mean_squared_error(Y, target); };
  test.model(where, model, X, loss);
  in_float(test, where, model, narrow, X, target);
  without_dX(test, where, model, X, loss);

  const auto weighted = [&](const Matrix<double>& Y) { return Loss<double>{dot(R, Y), R}; };
  if (quadratic == Quadratic::all) test.model(where + ", weighted", model, X, weighted, Step::quadratic);
  if (quadratic != Quadratic::parameters) return;
  Gradients<Model> g = gradients(model, X, weighted);
  test.list(
      where + ", weighted", model.tensors(), g.d.tensors(), [&] { return dot(R, output(model, X)); }, Step::quadratic);
}

// Every model. Two product layers square their signals twice: with entries of size 1 the loss reaches thousands, and
// its roundings leave slopes with errors of up to 7e-8 (twelve seeds), too near to the tolerance. With size 1/2: 5e-9.
static void networks(GradientTest& test, Sizes s, std::size_t width, std::size_t upper, std::size_t n, Random& random) {
  const auto check = [&](const std::string& name, const auto& model, const auto& narrow, Quadratic quadratic) {
    network(test, name, model, narrow, quadratic, n, random);
  };
  const SwishForm bare{s, false}, shifted{s, true};
  const Product2Form two{s, width, upper};
  check("swish", filled(Swish<double>(bare), random), Swish<float>(bare), Quadratic::none);
  check("swish with biases", filled(Swish<double>(shifted), random), Swish<float>(shifted), Quadratic::none);
  check("bmlp", filled(Bmlp<double>(s), random), Bmlp<float>(s), Quadratic::all);
  check("bmlp over the batch", filled(BmlpBatch<double>(s), random), BmlpBatch<float>(s), Quadratic::all);
  check("gated mean", filled(GatedMean<double>(s), random), GatedMean<float>(s), Quadratic::all);
  check("product", filled(Product<double>(s), random), Product<float>(s), Quadratic::all);
  check("square", filled(Square<double>(s), random), Square<float>(s), Quadratic::all);
  check("outer", filled(Outer<double>(s), random), Outer<float>(s), Quadratic::all);
  check("two products", filled(Product2<double>(two), random, 0.5), Product2<float>(two), Quadratic::parameters);
  for (const double beta : {0.0, 0.5, 1.0, 4.0}) {  // at 0 the gate is 1/2, and what is left is a product layer
    const GateForm form{s, beta};
    check("swish gate " + std::to_string(beta), filled(SwishGate<double>(form), random), SwishGate<float>(form),
          beta == 0 ? Quadratic::all : Quadratic::none);
  }
}

// --------------------------------------------------------------------------------------------------------- by hand

struct ByHand {
  Matrix<double> X, Y, dY;
  std::vector<std::pair<std::string, Matrix<double>>> gradients;  // in the order of the tensors; X is last
};

// Small whole numbers, halves and quarters only, so nothing is rounded and everything must be equal.
template <class Model>
static void by_hand(GradientTest& test, const std::string& name, Model model, const ByHand& expected) {
  test.check.that(output(model, expected.X) == expected.Y, name + " by hand: Y");
  Gradients<Model> g = gradients(model, expected.X, [&](const Matrix<double>&) {
    return Loss<double>{0, expected.dY};
  });
  const Tensors<double> derived = with_dX(g);
  test.check.that(derived.size() == expected.gradients.size(), name + " by hand: the number of tensors");
  for (std::size_t t = 0; t < std::min(derived.size(), expected.gradients.size()); ++t) {
    const auto& [tensor, gradient] = expected.gradients[t];
    test.check.that(derived[t].name == tensor && derived[t].tensor == gradient, name + " by hand: d" + tensor);
  }
}

// H = 0: swish(0) = 0 and its slope is 1/2.
static void swish_by_hand(GradientTest& test) {
  Swish<double> m({{1, 1, 1}, true});
  m.layer.W1 = {{2}};
  m.layer.b1 = {{-2}};
  m.readout.W2 = {{3}};
  m.readout.W3 = {{2}};
  m.readout.b2 = {{1}};
  by_hand(test, "swish", m,
          {{{1}},
           {{3}},
           {{1}},
           {{"W1", {{1.5}}}, {"b1", {{1.5}}}, {"W2", {{0}}}, {"W3", {{1}}}, {"b2", {{1}}}, {"X", {{5}}}}});
}

// mean(X) = 2, H = (3, 4), mean(H) = 7/2. The mean of H gives each entry of dH another 4/2, that of X each of dX 2/2.
static void bmlp_by_hand(GradientTest& test) {
  Bmlp<double> m({2, 2, 1});
  m.W1 = {{1, 0}, {0, 2}};
  m.u1 = {{1, -1}};
  m.W2 = {{1}, {-1}};
  m.u2 = {{4}};
  m.W3 = {{1}, {1}};
  by_hand(test, "bmlp", m,
          {{{1, 3}},
           {{17}},
           {{1}},
           {{"W1", {{3, 1}, {9, 3}}},
            {"u1", {{6, 2}}},
            {"W2", {{3}, {4}}},
            {"u2", {{3.5}}},
            {"W3", {{1}, {3}}},
            {"X", {{5, 4}}}}});
}

// Two rows: mean(X) = (2, 1) and mean(X)·u1 = 3; H = [4 15; 6 -1], mean(H) = (5, 7) and mean(H)·u2 = 8.
// All of dY is 3, so dH = [1 -1; 2 -2] + 3/2·(3, -1); all of dH is 6, so dX gets 6/2·(2, -1) in each row.
static void bmlp_batch_by_hand(GradientTest& test) {
  BmlpBatch<double> m({2, 2, 1});
  m.W1 = {{1, 0}, {0, 4}};
  m.u1 = {{2, -1}};
  m.W2 = {{1}, {-1}};
  m.u2 = {{3, -1}};
  m.W3 = {{1}, {2}};
  by_hand(test, "bmlp over the batch", m,
          {{{1, 3}, {3, -1}},
           {{4}, {16}},
           {{1}, {2}},
           {{"W1", {{25, -13}, {10, -4}}},
            {"u1", {{12, 6}}},
            {"W2", {{16}, {13}}},
            {"u2", {{15, 21}}},
            {"W3", {{7}, {1}}},
            {"X", {{12.5, -11}, {14.5, -13}}}}});
}

// mean(X) = 2, Q = 6, H = 2·6 + 7 + 1 = 20. dX collects from W3, W1 and U1, and 2·6/2 = 6 from the mean.
static void gated_mean_by_hand(GradientTest& test) {
  GatedMean<double> m({2, 1, 1});
  m.layer.W1 = {{1}, {2}};
  m.layer.U1 = {{3}, {1}};
  m.layer.b1 = {{1}};
  m.readout.W2 = {{2}};
  m.readout.W3 = {{1}, {-1}};
  m.readout.b2 = {{5}};
  by_hand(test, "gated mean", m,
          {{{1, 3}},
           {{43}},
           {{1}},
           {{"W1", {{2}, {6}}},
            {"U1", {{4}, {12}}},
            {"b1", {{2}}},
            {"W2", {{20}}},
            {"W3", {{1}, {3}}},
            {"b2", {{1}}},
            {"X", {{21, 13}}}}});
}

// P = 4, Q = 3, H = 12: dP = 2·3 and dQ = 2·4.
static void product_by_hand(GradientTest& test) {
  Product<double> m({2, 1, 1});
  m.layer.W = {{1}, {1}};
  m.layer.b = {{1}};
  m.layer.V = {{2}, {-1}};
  m.layer.c = {{3}};
  m.readout.W2 = {{2}};
  m.readout.W3 = {{1}, {1}};
  m.readout.b2 = {{-7}};
  by_hand(test, "product", m,
          {{{1, 2}},
           {{20}},
           {{1}},
           {{"W", {{6}, {12}}},
            {"b", {{6}}},
            {"V", {{8}, {16}}},
            {"c", {{8}}},
            {"W2", {{12}}},
            {"W3", {{1}, {2}}},
            {"b2", {{1}}},
            {"X", {{23, -1}}}}});
}

// H = (3, 4) and W2 = [1 2; 5 1] as h x h, not symmetric: dH = (W2 + W2ᵀ)·H = [2 7; 7 2]·(3, 4) = (34, 29).
static void outer_by_hand(GradientTest& test) {
  Outer<double> m({2, 2, 1});
  m.W1 = {{1, 0}, {1, 2}};
  m.W2 = {{1, 2, 5, 1}};
  m.W3 = {{1}, {-1}};
  m.b2 = {{10}};
  by_hand(test, "outer", m,
          {{{1, 2}},
           {{118}},
           {{1}},
           {{"W1", {{34, 29}, {68, 58}}},
            {"W2", {{9, 12, 12, 16}}},
            {"W3", {{1}, {2}}},
            {"b2", {{1}}},
            {"X", {{35, 91}}}}});
}

// P = 2, Q = 3, H = 6, G = 2, Pb = 3, Qb = 5, Hb = 15; back: dPb = 10, dQb = 6, dG = 22, dH = 11, dP = 33, dQ = 22.
static void product2_by_hand(GradientTest& test) {
  Product2<double> m({{1, 1, 1}, 1, 1});
  m.layer.lower.W = {{1}};
  m.layer.lower.b = {{1}};
  m.layer.lower.V = {{2}};
  m.layer.lower.c = {{1}};
  m.layer.U = {{0.5}};
  m.layer.d = {{-1}};
  m.layer.upper.W = {{1}};
  m.layer.upper.b = {{1}};
  m.layer.upper.V = {{2}};
  m.layer.upper.c = {{1}};
  m.readout.W2 = {{2}};
  m.readout.W3 = {{3}};
  m.readout.b2 = {{1}};
  by_hand(test, "two products", m,
          {{{1}},
           {{34}},
           {{1}},
           {{"W", {{33}}},
            {"b", {{33}}},
            {"V", {{22}}},
            {"c", {{22}}},
            {"U", {{132}}},
            {"d", {{22}}},
            {"Wb", {{20}}},
            {"bb", {{10}}},
            {"Vb", {{12}}},
            {"cb", {{6}}},
            {"W2", {{15}}},
            {"W3", {{1}}},
            {"b2", {{1}}},
            {"X", {{80}}}}});
}

// At β = 0 the swish gate halves its first factor, so it is the product layer with W2/2. Halving rounds nothing: equal
// to the bit, but for dW2, which has the other half.
static void gate_without_slope(GradientTest& test, Random& random) {
  const SwishGate<double> gate = filled(SwishGate<double>({{3, 4, 2}, 0}), random);
  Product<double> product({3, 4, 2});
  product.layer = gate.layer;
  product.readout = gate.readout;
  product.readout.W2 = 0.5 * product.readout.W2;
  const auto X = normal_matrix<double>(7, 3, 1, random), dY = normal_matrix<double>(7, 2, 1, random);
  test.check.that(output(gate, X) == output(product, X), "a swish gate with beta 0 is half a product layer: Y");
  const auto given = [&](const Matrix<double>&) { return Loss<double>{0, dY}; };
  Gradients<SwishGate<double>> found = gradients(gate, X, given);
  Gradients<Product<double>> expected = gradients(product, X, given);
  expected.d.readout.W2 = 0.5 * std::move(expected.d.readout.W2);
  const Tensors<double> left = with_dX(found), right = with_dX(expected);
  for (std::size_t t = 0; t < left.size(); ++t)
    test.check.that(left[t].tensor == right[t].tensor,
                    "a swish gate with beta 0 is half a product layer: d" + left[t].name);
}

// ------------------------------------------------------------------------------------------------ the training loop

// Calls look(parameters, gradients, rate, rows drawn) in the place of each step of a short training of the model.
template <class Model, class Look>
static void observe_training(Model& model, const Rows& rows, long steps, Look look) {
  using T = typename Model::Number;
  TrainingSettings settings;
  settings.steps = steps;
  settings.batch = 5;
  const Random order(5);
  Random again = order;  // draws the rows that the loop draws
  const auto with_rows = [&](const Tensors<T>& parameters, const Tensors<T>& gradients, double rate) {
    std::vector<std::size_t> drawn(settings.batch);
    for (std::size_t& i : drawn) i = again.below(rows.size());
    look(parameters, gradients, rate, drawn);
  };
  train(model, Optimizer<T>{with_rows}, rows, settings, order, [](long) {});
}

// The loss is computed as in a textbook, from the outputs of all rows and the numbers of those that were drawn.
static void training_loop(GradientTest& test, Random& random) {
  const Rows rows{quarters(7, 2, random), quarters(7, 3, random)};
  Product<double> model = filled(Product<double>({2, 4, 3}), random);
  long steps = 0;
  observe_training(model, rows, 3, [&](const auto& parameters, const auto& gradients, double rate, const auto& drawn) {
    const auto loss = [&] {
      const Matrix<double> Y = output(model, rows.X);
      double sum = 0;
      for (const std::size_t i : drawn)
        for (std::size_t o = 0; o < 3; ++o) sum += (Y(i, o) - rows.T(i, o)) * (Y(i, o) - rows.T(i, o));
      return sum / (5 * 3);
    };
    test.list("training, step " + std::to_string(steps), parameters, gradients, loss);
    test.check.near(rate, 5e-3 * (1 + std::cos(std::numbers::pi * double(steps) / 3)) / 2, 1e-17, "half a cosine");
    fill_normal(parameters, random);  // the next step is to be seen at another point
    ++steps;
  });
  test.check.that(steps == 3, "training takes as many steps as it is told to");

  Product<float> narrow({2, 4, 3});
  same_numbers(model.tensors(), narrow.tensors());
  Product<double> wide_found({2, 4, 3});
  Product<float> found({2, 4, 3});
  const auto keep_in = [](auto& kept) {
    return [&kept](const auto&, const auto& gradients, double, const auto&) {
      for (std::size_t t = 0; t < gradients.size(); ++t) kept.tensors()[t].tensor = gradients[t].tensor;
    };
  };
  observe_training(model, rows, 1, keep_in(wide_found));
  observe_training(narrow, rows, 1, keep_in(found));
  test.in_float("training", found.tensors(), wide_found.tensors());
}

int main(int argc, char** argv) {
  GradientTest test(argc, argv);
  Random random(1);
  for (const std::size_t n : {1u, 8u}) networks(test, {2, 4, 3}, 5, 6, n, random);
  networks(test, {4, 4, 4}, 4, 4, 4, random);  // all square: a transpose too many keeps every shape
  swish_by_hand(test);
  bmlp_by_hand(test);
  bmlp_batch_by_hand(test);
  gated_mean_by_hand(test);
  product_by_hand(test);
  outer_by_hand(test);
  product2_by_hand(test);
  gate_without_slope(test, random);
  training_loop(test, random);
  return test.done("test_lesson3_gradients");
}
