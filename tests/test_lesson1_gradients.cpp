// The gradients of lesson 1 against numbers: each activation, the MLP with each activation, depth and batch, and the
// mean squared error. With --dump it prints the gradients instead.
// SPDX-License-Identifier: MIT
#include "common/loss.hpp"
#include "lessons/1_math_refresh/mlp.hpp"
#include "lessons/1_math_refresh/signal.hpp"
#include "tests/gradients.hpp"

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
    test.model(phi.name, {{"Z", Z}}, {{"Z", dZ}}, [&] { return sum(map(Z, phi.value)); });
  }
  for (const double beta : {-1.0, 0.0, 0.5, 3.0}) {
    Matrix<double> dZ = map(Z, [beta](double z) { return swish_beta_prime(z, beta); });
    test.model("swish with beta " + std::to_string(beta), {{"Z", Z}}, {{"Z", dZ}},
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
    test.model(
        "mean squared error of " + std::to_string(n), {{"Y", Y}}, {{"Y", dY}},
        [&] { return mean_squared_error(Y, target).value; }, Step::quadratic);
  }
}

static void network(GradientTest& test, const Activation& phi, const std::vector<std::size_t>& widths, std::size_t n,
                    Random& random, Step step = Step::smooth) {
  Mlp model(phi, widths);
  fill_normal(model.tensors(), random);
  Matrix<double> X = normal_matrix<double>(n, widths.front(), 1, random);
  const Matrix<double> target = normal_matrix<double>(n, widths.back(), 1, random);
  const Mlp::Trace trace = model.forward(X);
  Mlp::Gradients gradients = model.backward(trace, mean_squared_error(trace.output(), target).gradient);

  Tensors<double> tensors = model.tensors(), derived = gradients.d.tensors();
  tensors.push_back({"X", X});
  derived.push_back({"X", gradients.dX});
  const std::string name =
      std::string(phi.name) + ", " + std::to_string(model.layers()) + " layers, " + std::to_string(n) + " examples";
  test.model(
      name, tensors, derived, [&] { return mean_squared_error(model.forward(X).output(), target).value; }, step);
}

// The gradient that part 5 sends back through random layers, against numbers: loss = Σ G ⊙ H_L.
static void signal(GradientTest& test, const Activation& phi, Random& random) {
  const VarianceRule variance = [](double in, double out) { return 2 / (in + out); };
  const std::vector<Matrix<double>> unit = unit_weights({3, 4, 4, 2}, random);
  Matrix<double> X = normal_matrix<double>(5, 3, 1, random);
  const Matrix<double> G = normal_matrix<double>(5, 2, 1, random);
  const auto loss = [&] {
    Matrix<double> H = X;
    for (const Matrix<double>& W : unit)
      H = map(matmul(H, std::sqrt(variance(double(W.rows()), double(W.cols()))) * W), phi.value);
    return dot(G, H);
  };
  Signal sent = send(unit, phi, variance, X, G);
  test.model(std::string("signal ") + phi.name, {{"X", X}}, {{"X", sent.dX}}, loss);
  test.check.near(sent.backward[0], mean_square(sent.dX), 0, "the second moment at the inputs is that of dX");
}

int main(int argc, char** argv) {
  GradientTest test(argc, argv);
  Random random(1);
  primes(test);
  loss_alone(test, random);
  for (const std::size_t n : {1u, 7u}) {
    network(test, tanh_activation, {3, 2}, n, random, Step::quadratic);  // one layer has no activation
    for (const Activation& phi : all_activations()) {
      network(test, phi, {3, 4, 2}, n, random);
      network(test, phi, {2, 3, 3, 2}, n, random);  // square in the middle: a transpose too many keeps the shape
    }
  }
  for (const Activation& phi : all_activations()) signal(test, phi, random);
  return test.done("test_lesson1_gradients");
}
