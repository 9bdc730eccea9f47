// The gradients of lesson 2 against numbers: Bengio's model with and without direct connections, on windows where
// symbols repeat, the same in the shards of the training loop, the softmax cross-entropy, and the backward code of the
// solutions. With --dump it prints the gradients instead.
// SPDX-License-Identifier: MIT
#include "common/loss.hpp"
#include "lessons/2_bengio_mlp/bengio.hpp"
#include "lessons/2_bengio_mlp/solutions/ex2_1_tanh_layer.hpp"
#include "lessons/2_bengio_mlp/solutions/ex2_2_table_gradient.hpp"
#include "lessons/2_bengio_mlp/train.hpp"
#include "tests/gradients.hpp"

// vocab, context, dim, hidden. With c·d = 6, a table of 10 rows and 8 windows no two sizes are equal, so that no transpose
// fits by chance.
static const BengioSizes sizes{9, 3, 2, 5};
static constexpr std::uint32_t padding = 9;

template <class T>
static Loss<T> cross_entropy(const Matrix<T>& logits, const std::vector<std::uint32_t>& targets) {
  return softmax_cross_entropy<T>(logits, targets);
}

// Symbol 1 twice and three times in one window and in several rows; padding; symbol 4 is a target only.
static const Windows many{
    3, {9, 9, 9, 9, 9, 1, 9, 1, 1, 1, 1, 1, 0, 1, 0, 2, 3, 0, 8, 5, 6, 7, 7, 8}, {1, 1, 2, 0, 4, 4, 8, 3}};
static const Windows one{3, {padding, 2, 2}, {3}};

template <class T>
static Bengio<T> gradients(const Bengio<T>& model, const Windows& windows) {
  const auto trace = model.forward(windows);
  return model.backward(windows, trace, cross_entropy(trace.logits, windows.targets).gradient);
}

static void model(GradientTest& test, const Windows& windows, bool direct, Random& random) {
  BengioSizes s = sizes;
  s.direct = direct;
  Bengio<double> model(s);
  Bengio<float> narrow(s);
  fill_normal(model.tensors(), random);
  same_numbers(model.tensors(), narrow.tensors());
  Bengio<double> d = gradients(model, windows);
  const std::string name =
      std::string(direct ? "with" : "without") + " direct connections, " + std::to_string(windows.size()) + " windows";
  test.list(name, model.tensors(), d.tensors(),
             [&] { return cross_entropy(model.forward(windows).logits, windows.targets).value; });
  test.in_float(name, gradients(narrow, windows).tensors(), d.tensors());
  for (std::size_t a = 0; a < s.dim; ++a) test.check.that(d.C(4, a) == 0, name + ": a symbol that is not seen");
}

// The gradients of the training loop's first step from `model` on.
template <class T>
static Bengio<T> in_shards(Bengio<T> model, const std::vector<std::uint32_t>& text, std::size_t batch) {
  TrainingSettings settings;
  settings.batch = batch;
  Pool pool(1);
  Trainer<T> trainer(model, text, settings, pool, Random(8));
  trainer.step();
  return trainer.gradients();
}

// A batch that the loop cuts into shards, the last one smaller: what it adds up must be the gradients of the mean loss.
static void training(GradientTest& test, std::size_t batch, bool direct, Random& random) {
  std::vector<std::uint32_t> text(300);
  for (std::uint32_t& symbol : text) symbol = std::uint32_t(random.below(sizes.vocab));
  BengioSizes s = sizes;
  s.direct = direct;
  Bengio<double> model(s);
  Bengio<float> narrow(s);
  fill_normal(model.tensors(), random);
  same_numbers(model.tensors(), narrow.tensors());
  Random again(8);
  const Windows windows = draw_windows(text, batch, s.context, padding, again);
  Bengio<double> d = in_shards(model, text, batch);
  const std::string name = "a batch of " + std::to_string(batch) + " in shards";
  test.list(name, model.tensors(), d.tensors(),
             [&] { return cross_entropy(model.forward(windows).logits, windows.targets).value; });
  test.in_float(name, in_shards(narrow, text, batch).tensors(), d.tensors());
}

// dE counts 1, 10, 100, ... so that each place where a symbol stands is one digit of what its row of C collects.
static void scatter(GradientTest& test) {
  const Windows windows{3, {1, 1, 0, padding, 1, 0}, {0, 0}};
  const Matrix<double> dE{{1, 2, 10, 20, 100, 200}, {1e3, 2e3, 1e4, 2e4, 1e5, 2e5}};
  Bengio<double> d(sizes);
  d.scatter_add(windows, dE);
  Matrix<double> dC(10, 2);
  dC(0, 0) = 100100, dC(0, 1) = 200200, dC(1, 0) = 10011, dC(1, 1) = 20022, dC(9, 0) = 1000, dC(9, 1) = 2000;
  test.check.that(d.C == dC, "a symbol that stands several times collects from each place, and padding from its own");
}

static void loss_alone(GradientTest& test, Random& random) {
  const std::vector<std::uint32_t> targets{2, 0, 4, 2};
  for (const std::size_t n : {1u, 4u}) {
    Matrix<double> logits = normal_matrix<double>(n, 5, 1, random);
    Matrix<float> narrow;
    same_numbers({{"logits", logits}}, {{"logits", narrow}});
    const std::vector<std::uint32_t> first(targets.begin(), targets.begin() + std::ptrdiff_t(n));
    Matrix<double> d = cross_entropy(logits, first).gradient;
    Matrix<float> found = cross_entropy(narrow, first).gradient;
    const std::string name = "cross-entropy of " + std::to_string(n);
    test.list(name, {{"logits", logits}}, {{"logits", d}}, [&] { return cross_entropy(logits, first).value; });
    test.in_float(name, {{"logits", found}}, {{"logits", d}});
  }
}

// The answers to exercises 2.1 and 2.2. The loss is a sum of random shares of the outputs, so that their gradient is R.
static void solutions(GradientTest& test, Random& random) {
  Matrix<double> E = normal_matrix<double>(8, 6, 1, random), W1 = normal_matrix<double>(6, 5, 1, random),
                 b1 = normal_matrix<double>(1, 5, 1, random);
  const auto before = [&] { return add_row(matmul(E, W1), b1); };
  const auto activate = [](const Matrix<double>& z) { return map(z, elementary::tanh<double>); };
  const Matrix<double> R = normal_matrix<double>(8, 5, 1, random);
  Matrix<double> Z = before();
  ex2_1::Gradients d = ex2_1::backward(E, W1, activate(Z), R);
  test.list("solution 2.1", {{"E", E}, {"W1", W1}, {"b1", b1}}, {{"E", d.dE}, {"W1", d.dW1}, {"b1", d.db1}},
             [&] { return dot(R, activate(before())); });
  test.list("solution 2.1, before tanh", {{"Z", Z}}, {{"Z", d.dZ}}, [&] { return dot(R, activate(Z)); });

  Bengio<double> model(sizes);
  model.C = normal_matrix<double>(10, 2, 1, random);
  const Matrix<double> dE = normal_matrix<double>(many.size(), 6, 1, random);
  Matrix<double> dC = ex2_2::table_gradient(many, dE, model.C.shape());
  test.list(
      "solution 2.2", {{"C", model.C}}, {{"C", dC}}, [&] { return dot(dE, model.look_up(many)); }, Step::quadratic);
}

// exp(1000) overflows. These logits are whole eighths, so that adding 1000 is exact and the gradient the same to the bit.
static void large_logits(GradientTest& test) {
  const Matrix<double> small{{0.125, -1.5, 2}, {-0.25, 1, 0.5}};
  const Matrix<double> large = map(small, [](double z) { return z + 1000; });
  const Loss<double> expected = cross_entropy(small, {2, 0}), found = cross_entropy(large, {2, 0});
  test.check.that(found.gradient == expected.gradient, "logits of 1000: the gradient does not overflow");
  // The value is 1000 + ln Σ - 1000.125, so it is rounded as numbers near 1000 are: half of 1.1e-13 for each of two rows.
  test.check.near(found.value, expected.value, 1.2e-13, "logits of 1000: the loss does not overflow");

  const Loss<double> apart = cross_entropy(Matrix<double>{{1000, 0, -1000}}, {1});
  test.check.that(apart.value == 1000 && apart.gradient == Matrix<double>{{1, -1, 0}}, "logits that are far apart");
}

int main(int argc, char** argv) {
  GradientTest test(argc, argv);
  Random random(1);
  for (const bool direct : {false, true})
    for (const Windows* windows : {&one, &many}) model(test, *windows, direct, random);
  for (const std::size_t batch : {65u, 129u, 257u}) training(test, batch, batch == 129, random);  // 2, 2 and 3 shards
  scatter(test);
  loss_alone(test, random);
  solutions(test, random);
  large_logits(test);
  return test.done("test_lesson2_gradients");
}
