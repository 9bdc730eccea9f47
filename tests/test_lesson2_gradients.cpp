// The gradients of lesson 2 against numbers: Bengio's model with and without direct connections, on windows where
// symbols repeat, and the softmax cross-entropy. With --dump it prints the gradients instead.
// SPDX-License-Identifier: MIT
#include "common/loss.hpp"
#include "lessons/2_bengio_mlp/bengio.hpp"
#include "tests/gradients.hpp"

static const BengioSizes sizes{5, 3, 2, 4};  // vocab, context, dim, hidden
static constexpr std::uint32_t padding = 5;

static Loss<double> cross_entropy(const Matrix<double>& logits, const std::vector<std::uint32_t>& targets) {
  return softmax_cross_entropy<double>(logits, targets);
}

// Symbol 1 twice and three times in one window and in several rows; padding; symbol 4 is a target only.
static const Windows many{3, {5, 5, 5, 5, 5, 1, 5, 1, 1, 1, 1, 1, 0, 1, 0, 2, 3, 0}, {1, 1, 2, 0, 4, 4}};
static const Windows one{3, {padding, 2, 2}, {3}};

static void model(GradientTest& test, const Windows& windows, bool direct, Random& random) {
  BengioSizes s = sizes;
  s.direct = direct;
  Bengio<double> model(s);
  fill_normal(model.tensors(), random);
  const auto trace = model.forward(windows);
  Bengio<double> d = model.backward(windows, trace, cross_entropy(trace.logits, windows.targets).gradient);
  const std::string name =
      std::string(direct ? "with" : "without") + " direct connections, " + std::to_string(windows.size()) + " windows";
  test.model(name, model.tensors(), d.tensors(),
             [&] { return cross_entropy(model.forward(windows).logits, windows.targets).value; });
  for (std::size_t a = 0; a < s.dim; ++a) test.check.that(d.C(4, a) == 0, name + ": a symbol that is not seen");
}

// dE counts 1, 10, 100, ... so that each place where a symbol stands is one digit of what its row of C collects.
static void scatter(GradientTest& test) {
  const Windows windows{3, {1, 1, 0, 5, 1, 0}, {0, 0}};
  const Matrix<double> dE{{1, 2, 10, 20, 100, 200}, {1e3, 2e3, 1e4, 2e4, 1e5, 2e5}};
  Bengio<double> d(sizes);
  d.scatter_add(windows, dE);
  const Matrix<double> dC{{100100, 200200}, {10011, 20022}, {0, 0}, {0, 0}, {0, 0}, {1000, 2000}};
  test.check.that(d.C == dC, "a symbol that stands several times collects from each place, and padding from its own");
}

static void loss_alone(GradientTest& test, Random& random) {
  const std::vector<std::uint32_t> targets{2, 0, 4, 2};
  for (const std::size_t n : {1u, 4u}) {
    Matrix<double> logits = normal_matrix<double>(n, 5, 1, random);
    const std::vector<std::uint32_t> first(targets.begin(), targets.begin() + std::ptrdiff_t(n));
    Matrix<double> d = cross_entropy(logits, first).gradient;
    test.model("cross-entropy of " + std::to_string(n), {{"logits", logits}}, {{"logits", d}},
               [&] { return cross_entropy(logits, first).value; });
  }
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
  scatter(test);
  loss_alone(test, random);
  large_logits(test);
  return test.done("test_lesson2_gradients");
}
