// The gradients of lesson 1 against numbers: each activation, the MLP with each activation, depth and batch, the mean
// squared error, the steps of part 7's training, and the signals of part 5. With --dump it prints the gradients
// instead.
// SPDX-License-Identifier: MIT
#include "common/loss.hpp"
#include "lessons/1_math_refresh/model/0_neuron.hpp"
#include "lessons/1_math_refresh/model/2_mlp.hpp"
#include "lessons/1_math_refresh/model/3_signal.hpp"
#include "lessons/1_math_refresh/run/train.hpp"
#include "tests/gradients.hpp"

using namespace lesson1;

static std::vector<Activation> all_activations() {
  std::vector<Activation> all(activations.begin(), activations.end());
  all.push_back(linear_activation);
  return all;
}

// loss = Σ φ(z), so that the gradient is φ'(z). The points nearest to 0 are nearer than the check's first step.
static void primes(GradientTest& test) {
  Matrix<double> Z{{-6, -2, -0.7, -2e-4, 2e-4, 0.3, 1, 1.5, 7}};
  const auto sum = [](const Matrix<double>& Y) {
    double total = 0;
    for (const double y : Y.values()) total += y;
    return total;
  };
  for (const Activation& phi : all_activations()) {
    Matrix<double> dZ = map(Z, phi.prime);
    test.list(phi.name, {{"Z", Z}}, {{"Z", dZ}}, [&] { return sum(map(Z, phi.value)); });
  }
  for (const double beta : {-1.0, 0.0, 0.5, 3.0}) {
    Matrix<double> dZ = map(Z, [beta](double z) { return swish_beta_prime(z, beta); });
    test.list("swish with beta " + std::to_string(beta), {{"Z", Z}}, {{"Z", dZ}},
              [&] { return sum(map(Z, [beta](double z) { return swish_beta(z, beta); })); });
  }
  test.check.that(relu_prime(0) == 0 && leaky_relu_prime(0) == leak, "the slopes that we say the corners have");
}

// Σ (Y - target)²/N is quadratic, so the check is exact.
static void loss_alone(GradientTest& test, Random& random) {
  for (const std::size_t n : {1u, 3u}) {
    Matrix<double> Y = normal_matrix<double>(n, 2, 1, random);
    const Matrix<double> target = normal_matrix<double>(n, 2, 1, random);
    Matrix<double> dY = mean_squared_error(Y, target).gradient;
    test.list(
        "mean squared error of " + std::to_string(n), {{"Y", Y}}, {{"Y", dY}},
        [&] { return mean_squared_error(Y, target).value; }, Step::quadratic);
  }
}

// What a step at rate 1 takes off w and b is their gradient; the loss is quadratic in both.
static void one_neuron(GradientTest& test) {
  const std::vector<Example> examples{{-1.5, 2}, {0.5, -1}, {2, 0.75}, {1, -0.25}};
  Matrix<double> p{{0.75, -0.5}};
  const auto loss = [&] {
    double sum = 0;
    for (const Example& e : examples) sum += std::pow(p(0, 0) * e.x + p(0, 1) - e.target, 2) / 4;
    return sum;
  };
  Neuron neuron{p(0, 0), p(0, 1)};
  // Quarters, and a mean over four: nothing is rounded.
  test.check.near(descend(neuron, examples, 1), loss(), 0, "the loss before a neuron's step");
  Matrix<double> taken{{p(0, 0) - neuron.w, p(0, 1) - neuron.b}};
  test.list("one neuron", {{"w and b", p}}, {{"w and b", taken}}, loss, Step::quadratic);
}

static void network(GradientTest& test, const Activation& phi, const std::vector<std::size_t>& widths, std::size_t n,
                    Random& random, Step step = Step::smooth) {
  Mlp model({phi, widths});
  fill_normal(model.tensors(), random);
  Matrix<double> X = normal_matrix<double>(n, widths.front(), 1, random);
  const Matrix<double> target = normal_matrix<double>(n, widths.back(), 1, random);
  const std::string name =
      std::string(phi.name) + ", " + std::to_string(model.layers()) + " layers, " + std::to_string(n) + " examples";
  test.model(
      name, model, X, [&](const Matrix<double>& Y) { return mean_squared_error(Y, target); }, step);
}

// One step of part 7's descent from each of two points, the second with the first one's momentum: what it took off the
// parameters is the learning rate times the gradient, against numbers.
static void descent(GradientTest& test, Random& random) {
  constexpr double rate = 0.001, momentum = 0.9;
  const Examples examples = same_sign(8, random);
  Mlp model({tanh_activation, {2, 5, 4, 6, 3, 1}});
  fill_normal(model.tensors(), random);
  Sgd<double> sgd(momentum);
  Mlp velocity({tanh_activation, {2, 5, 4, 6, 3, 1}});  // zeros
  for (const char* name : {"the first step of a descent", "the second step of a descent"}) {
    Mlp before = model, gradient = velocity;
    const double loss = descend(model, examples, sgd, rate);
    for (std::size_t t = 0; t < model.tensors().size(); ++t) {
      const Matrix<double> taken = (1 / rate) * (before.tensors()[t].tensor - model.tensors()[t].tensor);
      gradient.tensors()[t].tensor = taken - momentum * velocity.tensors()[t].tensor;
      velocity.tensors()[t].tensor = taken;
    }
    const auto loss_before = [&] { return mean_squared_error(output(before, examples.X), examples.target).value; };
    test.check.near(loss, loss_before(), 0, "the loss before the step");
    test.list(name, before.tensors(), gradient.tensors(), loss_before);
  }
}

// h ← φ(h·W), with the variance that a rule gives, written out.
static Matrix<double> next_layer(const Matrix<double>& H, const Matrix<double>& unit, const Activation& phi,
                                 VarianceRule variance) {
  const double deviation = std::sqrt(variance(double(unit.rows()), double(unit.cols())));
  return map(matmul(H, deviation * unit), phi.value);
}

// Over all pairs of examples, half the mean square of their difference: the variance without a mean.
static double half_square_of_differences(const Matrix<double>& H) {
  double sum = 0;
  for (std::size_t i = 0; i < H.rows(); ++i)
    for (std::size_t k = 0; k < H.rows(); ++k)
      for (std::size_t j = 0; j < H.cols(); ++j) sum += (H(i, j) - H(k, j)) * (H(i, j) - H(k, j)) / 2;
  return sum / double(H.rows() * H.rows() * H.cols());
}

// What part 5 measures of a signal on its way through random layers and of the gradient on its way back, at every
// layer: loss = Σ G ⊙ H_L. The rule is not symmetric in what enters and what leaves a layer, and all widths differ.
static void signal(GradientTest& test, const Activation& phi, Random& random) {
  const VarianceRule variance = [](double in, double out) { return 12 / (in + 4 * out); };
  const std::vector<Matrix<double>> unit = unit_weights({3, 5, 2, 6, 4, 7}, random);
  Matrix<double> H = normal_matrix<double>(8, 3, 1, random);
  const Matrix<double> G = normal_matrix<double>(8, 7, 1, random);
  const Signal sent = send(unit, phi, variance, H, G);
  for (std::size_t l = 0; l < unit.size(); ++l) {
    const std::string name = std::string("signal ") + phi.name + " from layer " + std::to_string(l);
    test.check.near(sent.forward[l], mean_square(H), 1e-12 * mean_square(H), name + ": E[h²]");
    const double across = half_square_of_differences(H);
    test.check.near(sent.across[l], across, 1e-12 * across, name + ": variance across inputs");
    const std::vector<Matrix<double>> rest(unit.begin() + std::ptrdiff_t(l), unit.end());
    const auto loss = [&] {
      Matrix<double> last = H;
      for (const Matrix<double>& W : rest) last = next_layer(last, W, phi, variance);
      return dot(G, last);
    };
    Signal from_here = send(rest, phi, variance, H, G);
    test.list(name, {{"H", H}}, {{"H", from_here.dX}}, loss);
    test.check.near(sent.backward[l], mean_square(from_here.dX), 1e-12 * sent.backward[l], name + ": E[g²]");
    H = next_layer(H, unit[l], phi, variance);
  }
  test.check.near(sent.forward.back(), mean_square(H), 1e-12 * mean_square(H), "E[h²] behind the last layer");
  test.check.near(sent.backward.back(), mean_square(G), 1e-12 * mean_square(G), "E[g²] behind the last layer");
  test.check.that(sent.forward.size() == 6 && sent.across.size() == 6 && sent.backward.size() == 6, "layers 0 to 5");
}

int main(int argc, char** argv) {
  GradientTest test(argc, argv);
  Random random(1);
  primes(test);
  loss_alone(test, random);
  one_neuron(test);
  for (const std::size_t n : {1u, 7u}) {
    network(test, tanh_activation, {3, 2}, n, random, Step::quadratic);  // one layer has no activation
    for (const Activation& phi : all_activations()) {
      network(test, phi, {3, 4, 2}, n, random);
      network(test, phi, {2, 3, 3, 2}, n, random);  // square in the middle: a transpose too many keeps the shape
    }
    // Six layers, widths that all differ, then widths that are all the same, so that only numbers can tell layers
    // apart.
    for (const Activation& phi : {tanh_activation, swish_activation}) {
      network(test, phi, {3, 5, 2, 6, 4, 7, 1}, n, random);
      network(test, phi, {3, 3, 3, 3, 3, 3, 3}, n, random);
    }
  }
  descent(test, random);
  Random off_the_kinks(8);  // of the first twelve seeds the only one with no ReLU near its corner
  for (const Activation& phi : all_activations()) signal(test, phi, off_the_kinks);
  return test.done("test_lesson1_gradients");
}
