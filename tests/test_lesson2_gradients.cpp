// The gradients of lesson 2 against numbers: Bengio's model with and without direct connections, on windows where
// symbols repeat, the same in the shards of the training loop, the model with the classic mistake where nothing
// repeats, the softmax cross-entropy, and the backward code of the solutions. With --dump it prints the gradients
// instead.
// SPDX-License-Identifier: MIT
#include "common/loss.hpp"
#include "common/support/elementary.hpp"
#include "lessons/2_bengio_mlp/answers/solutions/ex2_4_scaled_layer.hpp"
#include "lessons/2_bengio_mlp/answers/solutions/ex2_5_other_layout.hpp"
#include "lessons/2_bengio_mlp/model/3_overwriting.hpp"
#include "lessons/2_bengio_mlp/run/train.hpp"
#include "tests/gradients.hpp"

using namespace lesson2;

// vocab, context, dim, hidden. With c·d = 6, a table of 10 rows and 8 windows no two sizes are equal, so that no
// transpose fits by chance.
static BengioForm form(bool direct) { return {9, 3, 2, 5, direct}; }
static constexpr std::uint32_t padding = 9;

// Symbol 1 twice and three times in one window and in several rows; padding; symbol 4 is a target only.
static const Windows many{
    3, {9, 9, 9, 9, 9, 1, 9, 1, 1, 1, 1, 1, 0, 1, 0, 2, 3, 0, 8, 5, 6, 7, 7, 8}, {1, 1, 2, 0, 4, 4, 8, 3}};
static const Windows one{3, {padding, 2, 2}, {3}};
// No symbol stands in two places.
static const Windows each_once{3, {padding, 1, 2, 3, 0, 5, 6, 7, 8}, {4, 0, 1}};

// A model with normal numbers, in both scalars.
template <template <class> class Model>
struct Both {
  Model<double> wide;
  Model<float> narrow;

  Both(bool direct, Random& random) : wide(form(direct)), narrow(form(direct)) {
    fill_normal(wide.tensors(), random);
    same_numbers(wide.tensors(), narrow.tensors());
  }
};

template <template <class> class Model>
static void model(GradientTest& test, const std::string& title, const Windows& windows, bool direct, Random& random) {
  Both<Model> both(direct, random);
  const std::string name =
      title + (direct ? "with" : "without") + " direct connections, " + std::to_string(windows.size()) + " windows";
  test.model(name, both.wide, windows, loss_of(windows));
  auto d = gradients(both.wide, windows, loss_of(windows)).d;
  test.in_float(name, gradients(both.narrow, windows, loss_of(windows)).d.tensors(), d.tensors());
  for (std::size_t a = 0; a < d.C.cols(); ++a) test.check.that(d.C(4, a) == 0, name + ": a symbol that is not seen");
}

// The gradients of the training loop's first step from `model` on.
template <class Model>
static Model in_shards(Model model, const std::vector<std::uint32_t>& text, std::size_t batch) {
  TrainingSettings settings;
  settings.batch = batch;
  Pool pool(1);
  Trainer trainer(model, text, settings, pool, Random(8));
  trainer.step();
  return trainer.gradients();
}

// A batch that the loop cuts into shards, the last one smaller: what it adds up must be the gradients of the mean loss.
static void training(GradientTest& test, std::size_t batch, bool direct, Random& random) {
  std::vector<std::uint32_t> text(300);
  for (std::uint32_t& symbol : text) symbol = std::uint32_t(random.below(padding));
  Both<Bengio> both(direct, random);
  Random again(8);
  const Windows windows = draw_windows(text, batch, both.wide.form.context, padding, again);
  Bengio<double> d = in_shards(both.wide, text, batch);
  const std::string name = "a batch of " + std::to_string(batch) + " in shards";
  test.list(name, both.wide.tensors(), d.tensors(), [&] { return loss_of(windows)(output(both.wide, windows)).value; });
  test.in_float(name, in_shards(both.narrow, text, batch).tensors(), d.tensors());
}

// dE counts 1, 10, 100, ... so that each place where a symbol stands is one digit of what its row of C collects.
static void scatter(GradientTest& test) {
  const Windows windows{3, {1, 1, 0, padding, 1, 0}, {0, 0}};
  const Matrix<double> dE{{1, 2, 10, 20, 100, 200}, {1e3, 2e3, 1e4, 2e4, 1e5, 2e5}};
  Matrix<double> sums(10, 2), last(10, 2);
  const auto set_row = [](Matrix<double>& C, std::size_t row, double x) {
    C(row, 0) = x;
    C(row, 1) = 2 * x;
  };
  set_row(sums, 0, 100100);
  set_row(sums, 1, 10011);
  set_row(sums, padding, 1000);
  set_row(last, 0, 1e5);
  set_row(last, 1, 1e4);
  set_row(last, padding, 1000);
  test.check.that(Bengio<double>(form(false)).scatter_add(windows, dE) == sums,
                  "a symbol that stands several times collects from each place, and padding from its own");
  test.check.that(Overwriting<double>(form(false)).scatter_overwriting(windows, dE) == last,
                  "with the classic mistake the last place wins");
}

static void loss_alone(GradientTest& test, Random& random) {
  const std::vector<std::uint32_t> targets{2, 0, 4, 2};
  for (const std::size_t n : {1u, 4u}) {
    Matrix<double> logits = normal_matrix<double>(n, 5, 1, random);
    Matrix<float> narrow;
    same_numbers({{"logits", logits}}, {{"logits", narrow}});
    const Windows first{0, {}, {targets.begin(), targets.begin() + std::ptrdiff_t(n)}};
    Matrix<double> d = loss_of(first)(logits).gradient;
    Matrix<float> found = loss_of(first)(narrow).gradient;
    const std::string name = "cross-entropy of " + std::to_string(n);
    test.list(name, {{"logits", logits}}, {{"logits", d}}, [&] { return loss_of(first)(logits).value; });
    test.in_float(name, {{"logits", found}}, {{"logits", d}});
  }
}

// The answers to exercises 2.4 and 2.5. The loss is a sum of random shares of the outputs, so that their gradient is R.
static void solutions(GradientTest& test, Random& random) {
  Matrix<double> E = normal_matrix<double>(8, 6, 1, random), W1 = normal_matrix<double>(6, 5, 1, random),
                 b1 = normal_matrix<double>(1, 5, 1, random), s = normal_matrix<double>(1, 5, 1, random);
  const auto before = [&] { return add_row(matmul(E, W1), b1); };
  const auto activate = [](const Matrix<double>& z) { return map(z, elementary::tanh<double>); };
  const Matrix<double> R = normal_matrix<double>(8, 5, 1, random);
  const auto weighted = [&](const Matrix<double>& U) { return dot(column_sums(hadamard(R, U)), s); };
  Matrix<double> Z = before();
  ex2_4::Gradients d = ex2_4::backward(E, W1, s, activate(Z), R);
  test.list("solution 2.4", {{"E", E}, {"W1", W1}, {"b1", b1}, {"s", s}},
            {{"E", d.dE}, {"W1", d.dW1}, {"b1", d.db1}, {"s", d.ds}}, [&] { return weighted(activate(before())); });
  test.list("solution 2.4, before tanh", {{"Z", Z}}, {{"Z", d.dZ}}, [&] { return weighted(activate(Z)); });

  Bengio<double> model(form(false));
  model.C = normal_matrix<double>(10, 2, 1, random);
  const Matrix<double> dE = normal_matrix<double>(many.size(), 6, 1, random);
  Matrix<double> dC = ex2_5::table_gradient(many, dE, model.C.shape());
  const auto loss = [&] {
    const Matrix<double> places =
        model.look_up(many);  // number a of place k in column k·2 + a; the other layout: a·3 + k
    double sum = 0;
    for (std::size_t i = 0; i < many.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t a = 0; a < 2; ++a) sum += dE(i, a * 3 + k) * places(i, k * 2 + a);
    return sum;
  };
  test.list("solution 2.5", {{"C", model.C}}, {{"C", dC}}, loss, Step::quadratic);
}

// exp(1000) overflows. These logits are whole eighths, so that adding 1000 is exact and the gradient the same to the
// bit.
static void large_logits(GradientTest& test) {
  const Matrix<double> small{{0.125, -1.5, 2}, {-0.25, 1, 0.5}};
  const Matrix<double> large = map(small, [](double z) { return z + 1000; });
  const Windows rows{0, {}, {2, 0}}, row{0, {}, {1}};
  const Loss<double> expected = loss_of(rows)(small), found = loss_of(rows)(large);
  test.check.that(found.gradient == expected.gradient, "logits of 1000: the gradient does not overflow");
  // The value is 1000 + ln Σ - 1000.125, so it is rounded as numbers near 1000 are: half of 1.1e-13 for each of two
  // rows.
  test.check.near(found.value, expected.value, 1.2e-13, "logits of 1000: the loss does not overflow");

  const Loss<double> apart = loss_of(row)(Matrix<double>{{1000, 0, -1000}});
  test.check.that(apart.value == 1000 && apart.gradient == Matrix<double>{{1, -1, 0}}, "logits that are far apart");
}

int main(int argc, char** argv) {
  GradientTest test(argc, argv);
  Random random(1);
  for (const bool direct : {false, true})
    for (const Windows* windows : {&one, &many}) model<Bengio>(test, "", *windows, direct, random);
  for (const std::size_t batch : {65u, 129u, 257u}) training(test, batch, batch == 129, random);  // 2, 2 and 3 shards
  for (const bool direct : {false, true}) model<Overwriting>(test, "overwriting, ", each_once, direct, random);
  scatter(test);
  loss_alone(test, random);
  solutions(test, random);
  large_logits(test);
  return test.done("test_lesson2_gradients");
}
