// Binds lesson 1's equations to what the program computes.
// SPDX-License-Identifier: MIT
#include <numeric>

#include "common/frame/formula/equation_checker.hpp"
#include "common/loss.hpp"
#include "lessons/1_math_refresh/models.hpp"

namespace lesson1 {

using formula::entrywise, formula::Scope;

static void neuron(formula::EquationChecker& checker, Random& random) {
  const auto x = normal_matrix<double>(6, 1, 1, random);
  const auto target = normal_matrix<double>(6, 1, 1, random);
  const Neuron one{0.7, -0.2};
  std::vector<Example> examples;
  Matrix<double> y(6, 1);
  for (std::size_t i = 0; i < 6; ++i) {
    examples.push_back({x(i, 0), target(i, 0)});
    y(i, 0) = one(x(i, 0));
  }
  Scope s;
  s.values = {{"x", x}, {"target", target}, {"w", one.w}, {"b", one.b}, {"y", y}, {"rows", 6.0}};
  Neuron moved = one;
  s.values.insert({{"loss", descend(moved, examples, 1)}, {"dloss", 1.0}});
  s.values.insert({{"dw", one.w - moved.w}, {"db", one.b - moved.b}});
  checker.model("1.1 1.2", s, {"x", "target", "w", "b"}, "loss");
}

static void activations_and_slopes(formula::EquationChecker& checker) {
  Scope s;
  s.functions["relu"] = entrywise(relu);
  s.functions["relu'"] = entrywise(relu_prime);
  s.functions["leaky"] = entrywise(leaky_relu);
  s.functions["leaky'"] = entrywise(leaky_relu_prime);
  s.functions["σ"] = entrywise(sigmoid);
  s.functions["σ'"] = entrywise(sigmoid_prime);
  s.functions["tanh"] = entrywise(tanh_activation.value);
  s.functions["tanh'"] = entrywise(tanh_prime);
  s.functions["swish_β"] = entrywise([](double z) { return swish_beta(z, 1.5); });
  s.functions["swish_β'"] = entrywise([](double z) { return swish_beta_prime(z, 1.5); });
  for (const double z : {-1.3, 0.4}) {
    s.values = {{"z", z}, {"β", 1.5}};
    checker.holds("1.4 1.14 1.5 1.6 1.15", s);
  }
}

static void networks(formula::EquationChecker& checker, Random& random) {
  Mlp<double> layer({tanh_activation, {3, 4}});
  fill_normal(layer.tensors(), random);
  const auto H = normal_matrix<double>(5, 3, 1, random);
  const auto dZ = normal_matrix<double>(5, 4, 1, random);
  const Gradients<Mlp<double>> g = gradients(layer, H, weighted_sum{dZ});
  Scope s;
  s.values = {{"H", H}, {"W", layer.W[0]}, {"b", layer.b[0]}, {"Z", output(layer, H)}, {"dZ", dZ}};
  s.values.insert({{"dW", g.parameters.W[0]}, {"db", g.parameters.b[0]}, {"dH", g.dX}});
  checker.model("1.3", s, {"H", "W", "b"}, "Z");

  Mlp<double> net({tanh_activation, {2, 4, 3, 6}});
  fill_normal(net.tensors(), random);
  const auto X = normal_matrix<double>(5, 2, 1, random);
  const auto T = normal_matrix<double>(5, 6, 1, random);
  Mlp<double>::Trace t;
  net.forward(X, t);
  const Loss<double> loss = mean_squared_error(t.Y, T);
  Scope deep;
  deep.functions = {{"φ", entrywise(tanh_activation.value)}, {"φ'", entrywise(tanh_prime)}};
  deep.values = {{"X", X},     {"Y", t.Y},    {"T", T},    {"Z_3", t.Y},
                 {"Z_L", t.Y}, {"rows", 5.0}, {"out", 6.0}};
  deep.values.insert({{"loss", loss.value}, {"dY", loss.gradient}});
  Matrix<double> back = loss.gradient;  // section 3's backward pass
  for (std::size_t l = 3; l-- > 0;) {
    const std::string at = "_" + std::to_string(l + 1), below = "_" + std::to_string(l);
    deep.values.insert({{"W" + at, net.W[l]}, {"b" + at, net.b[l]}, {"H" + below, t.H[l]}});
    if (l == 0) break;
    deep.values.insert(
        {{"Z" + below, t.Z[l - 1]}, {"dH" + below, matmul(back, transpose(net.W[l]))}});
    back = hadamard(matmul(back, transpose(net.W[l])), map_entries(t.Z[l - 1], tanh_prime));
    deep.values["dZ" + below] = back;
  }
  checker.holds("1.7 1.8", deep);
  checker.holds("1.7 1.8", deep, true);
}

// Averages over all networks with weights of ±0.6, so nothing is drawn.
static void laws(formula::EquationChecker& checker) {
  constexpr std::size_t n = 2, layers = 3;
  const Matrix<double> h0{{0.7, 1.9}};
  std::vector<double> z, h;  // of the first unit, and of the last layer
  for (unsigned coins = 0; coins < 1U << (n * n * layers); ++coins) {
    Matrix<double> H = h0;
    for (std::size_t l = 0; l < layers; ++l) {
      Matrix<double> W(n, n);
      for (std::size_t k = 0; k < n * n; ++k)
        W.values()[k] = (coins >> (n * n * l + k)) % 2 == 0 ? -0.6 : 0.6;
      const Matrix<double> Z = matmul(H, W);
      if (l == 0) z.push_back(Z(0, 0));
      H = map_entries(Z, relu);
    }
    h.insert(h.end(), H.values().begin(), H.values().end());
  }
  const auto row = [](const std::vector<double>& all) {
    return formula::Value({1, all.size()}, all);
  };
  const auto mean = [](const formula::Value& of) {
    return std::accumulate(of.numbers.begin(), of.numbers.end(), 0.0) / double(of.numbers.size());
  };
  Scope s;
  s.functions["E"] = [&](const std::vector<formula::Value>& of) { return mean(of[0]); };
  s.functions["Var"] = [](const std::vector<formula::Value>& of) {
    return mean_square(of[0].matrix());  // the mean is 0
  };
  s.values = {{"n", double(n)}, {"W", row({-0.6, 0.6})}, {"z", row(z)}, {"h", h0}};
  checker.holds("1.10", s);
  s.values = {{"n", double(n)},
              {"W", row({-0.6, 0.6})},
              {"L", double(layers)},
              {"h_L", row(h)},
              {"h_0", h0}};
  checker.holds("1.11", s);

  // All coins of a unit's two outgoing weights, with all pairs of a slope and a gradient each.
  const std::vector<double> slopes{0, 1}, gradients{-0.4, 1.3};
  std::vector<double> dh;
  for (unsigned coins = 0; coins < 1U << 6; ++coins) {
    const auto one_of = [&](unsigned bit, const std::vector<double>& of) {
      return of[coins >> bit & 1];
    };
    const std::vector<double> weights{-0.6, 0.6};
    dh.push_back(one_of(0, weights) * one_of(1, slopes) * one_of(2, gradients) +
                 one_of(3, weights) * one_of(4, slopes) * one_of(5, gradients));
  }
  s.values = {{"n_out", 2.0},
              {"W", row({-0.6, 0.6})},
              {"φ'", row(slopes)},
              {"g", row(gradients)},
              {"dh", row(dh)}};
  checker.holds("1.12", s);

  // Approximates means over the bell curve by sums.
  std::vector<double> places;
  for (int k = -100; k <= 100; ++k) places.push_back(k / 10.0);
  s.functions["E"] = [&](const std::vector<formula::Value>& of) {
    double sum = 0;
    for (std::size_t k = 0; k < places.size(); ++k)
      sum += std::exp(-places[k] * places[k] / 2) * of[0].numbers[k] / 10;
    return sum / std::sqrt(2 * std::numbers::pi);
  };
  s.functions["φ"] = entrywise(tanh_activation.value);
  s.values = {{"n", 2.0}, {"W", row({-0.6, 0.6})}, {"z", row(places)}};
  const std::vector<double> M = predicted_forward(tanh_activation, 2 * 0.36, 1.7, 3);
  for (std::size_t l = 0; l < M.size(); ++l) s.values["M_" + std::to_string(l)] = M[l];
  for (std::size_t l = 0; l + 1 < M.size(); ++l)
    s.values["z_" + std::to_string(l)] = std::sqrt(2 * 0.36 * M[l]) * row(places).matrix();
  checker.holds("1.16", s);
  const double kappa = gaussian_mean([](double x) { return 4 * std::pow(relu(x), 4); }, 1) - 1;
  s.values = {{"L", 7.0},
              {"n", 30.0},
              {"mean", -kappa * 7 / 30 / 2},
              {"variance", log_moment_variance(7, 30)}};
  checker.holds("1.17", s);
}

void equations(formula::EquationChecker& checker) {
  Random random(6);
  neuron(checker, random);
  activations_and_slopes(checker);
  networks(checker, random);
  Scope s;
  s.functions["loss"] = entrywise([](double x) { return 3 * x * x - 2 * x + 7; });
  s.values = {{"x", 1.5}, {"δ", 0.25}, {"slope", 6 * 1.5 - 2}};  // exact for a quadratic
  checker.holds("1.9", s);
  s.values = {{"base", 0.032}, {"n", 256.0}, {"rate", rate_by_inputs(0.032, 256, 1)}};
  checker.holds("1.13", s);
  laws(checker);
}

}  // namespace lesson1
