// Lesson 1 beyond its claims: the gradients of networks and, near corners, activations (--dump
// prints them), and the signal of parts 5 and 6 layer by layer.
// SPDX-License-Identifier: MIT
#include <set>

#include "lessons/1_math_refresh/lesson.hpp"
#include "lessons/1_math_refresh/models.hpp"
#include "lessons/1_math_refresh/trials.hpp"
#include "tests/gradients.hpp"

using namespace lesson1;

// The activations, and so all training, are in double.
template <>
struct InFloat<Mlp<double>> {
  using type = void;
};

// loss = Σ φ(z), so the gradient is φ'(z). Some points are nearer to 0 than the check's first step.
template <class Value, class Prime>
static void slope(GradientTest& test, const std::string& name, Value value, Prime prime) {
  Matrix<double> Z{{-6, -2, -0.7, -2e-4, 2e-4, 0.3, 1, 1.5, 7}};
  Matrix<double> dZ = map_entries(Z, prime);
  test.list(name, {{"Z", Z}}, {{"Z", dZ}},
            [&] { return dot(map_entries(Z, value), Matrix<double>(1, Z.cols(), 1)); });
}

// Follows signal and gradient through random layers: loss = Σ G ⊙ H_L. The rule is not symmetric,
// and all widths differ.
static void signal(GradientTest& test, const Activation& phi) {
  const auto rule = [](double in, double out) { return 12 / (in + 4 * out); };
  Random random(8);
  std::vector<Matrix<double>> W, Z;
  Matrix<double> H;
  do {
    W = scaled(unit_weights({3, 5, 2, 6, 4, 7}, random), rule);
    H = normal_matrix<double>(8, 3, 1, random);
    Z = {matmul(H, W[0])};
    for (std::size_t l = 1; l < W.size(); ++l)
      Z.push_back(matmul(map_entries(Z.back(), phi.value), W[l]));
  } while (nearest_to_0(Z) < 0.01);
  const Matrix<double> G = normal_matrix<double>(8, 7, 1, random);
  const Signal sent = send(W, phi, H, G);
  for (std::size_t l = 0; l < W.size(); ++l) {
    const std::string name = std::string("signal ") + phi.name + " from layer " + std::to_string(l);
    const std::vector<Matrix<double>> rest(W.begin() + std::ptrdiff_t(l), W.end());
    Signal from_here = send(rest, phi, H, G);
    test.list(name, {{"H", H}}, {{"H", from_here.dX}}, [&] {
      Matrix<double> last = H;
      for (const Matrix<double>& next : rest) last = map_entries(matmul(last, next), phi.value);
      return dot(G, last);
    });
    test.check.near(sent.forward[l], mean_square(H), 1e-12 * mean_square(H), name + ": E[h²]");
    test.check.near(sent.backward[l], mean_square(from_here.dX), 1e-12 * sent.backward[l],
                    name + ": E[g²]");
    // Half the mean square of the difference over all pairs of examples.
    const auto example = [&H](std::size_t i) { return Matrix<double>(row_block(H, i, 1)); };
    double across = 0;
    for (std::size_t i = 0; i < H.rows(); ++i)
      for (std::size_t k = 0; k < H.rows(); ++k)
        across += mean_square(example(i) - example(k)) / 128;
    test.check.near(sent.across[l], across, 1e-12 * across, name + ": variance across inputs");
    H = map_entries(matmul(H, W[l]), phi.value);
  }
}

static void neuron(GradientTest& test) {
  const std::vector<Example> examples{{1, 2}, {-2, 0.5}, {3, 1}};
  Neuron moved{0.3, -0.2};
  Matrix<double> at{{moved.w, moved.b}};
  descend(moved, examples, 1);
  Matrix<double> gradient = at - Matrix<double>{{moved.w, moved.b}};
  test.list("neuron", {{"w, b", at}}, {{"w, b", gradient}}, [&] {
    Neuron here{at(0, 0), at(0, 1)};
    return descend(here, examples, 0);
  });
}

// Each entry is judged by its own size: beside a slope of 100 an error in one of 1 must not hide,
// nor may the tolerances let pass what is wrong in the seventh or the twelfth digit.
static void own_sizes(GradientTest& test) {
  Matrix<double> x{{0.3, -0.2}};
  const auto loss = [&] { return 100 * x(0, 0) + x(0, 1); };
  const auto error = [&](double derived, Step step) {
    Matrix<double> slopes{{100, derived}};
    return check_gradients({{"x", x}}, {{"x", slopes}}, loss, step).worst();
  };
  test.check.near(error(1.25, Step::smooth), 0.2, 1e-9, "an entry beside a larger one");
  test.check.that(error(1 + 3e-7, Step::smooth) > smooth_tolerance, "wrong in the seventh digit");
  test.check.that(error(1 + 3e-12, Step::quadratic) > quadratic_tolerance, "in the twelfth");
}

// The starts that choose a rate are not those that count: here the halves disagree.
static void chosen_rates(Checks& check) {
  const std::vector<Trials> rows{{.gain = 1, .rate = 0.1, .layers = 3, .steps = {8, 8, 8, 8}},
                                 {.gain = 1, .rate = 0.2, .layers = 3, .steps = {2, 8, 9, 16}},
                                 {.gain = 1, .rate = 0.3, .layers = 3, .steps = {9, 9, 1, 1}},
                                 {.gain = 2, .rate = 0.1, .layers = 3, .steps = {1, 1, 1, 1}},
                                 {.gain = 1, .rate = 0.1, .layers = 5, .steps = {1, 1, 1, 1}}};
  const Trials best = fastest(rows, 3, 1);
  check.that(best.rate == 0.2, "the first half chooses");
  check.near(best.counting(), 12, 1e-12, "the second half counts, in the geometric mean");
}

// What a table says of many networks: each is another one, and the mean is that of logarithms.
static void networks(Checks& check) {
  Pool pool(2);
  std::vector<double> drawn(16);
  run_networks(pool, drawn.size(), 1, 62,
               [&](std::size_t k, Random random) { drawn[k] = random.normal(); });
  check.that(std::set(drawn.begin(), drawn.end()).size() == 16, "16 networks, no two the same");
  check.near(drawn[3], Random(seed_of_run(1, 3), 62).normal(), 0, "each from its own address");
  Signal one, other;
  one.forward = {1, 2};
  one.backward = {9, 1};
  other.forward = {1, 8};
  other.backward = {4, 1};
  const Signal means = geometric_means({one, other});
  check.that(means.forward.size() == 2 && means.backward.size() == 2, "a mean for each layer");
  check.near(means.forward[1], 4, 1e-14, "forward: the root of 2·8");
  check.near(means.backward[0], 6, 1e-14, "backward: the root of 9·4");
}

int main() {
  GradientTest test;
  neuron(test);
  own_sizes(test);
  chosen_rates(test.check);
  networks(test.check);
  for (const Activation& phi : activations) slope(test, phi.name, phi.value, phi.prime);
  for (const double beta : {-1.0, 0.0, 0.5, 3.0})
    slope(
        test, "swish with beta " + std::to_string(beta),
        [=](double z) { return swish_beta(z, beta); },
        [=](double z) { return swish_beta_prime(z, beta); });
  test.check.that(relu_prime(0) == 0, "the slope that we say ReLU's corner has");
  test.check.that(leaky_relu_prime(0) == leak, "the slope that we say leaky ReLU's corner has");
  visit_models(test);
  for (const Activation& phi : activations) signal(test, phi);
  return test.done("test_lesson1");
}
