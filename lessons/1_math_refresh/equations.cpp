// Lesson 1: its equations, bound to what the program computes under their names (common/formula/book.hpp).
// SPDX-License-Identifier: MIT
#include "common/formula/book.hpp"
#include "common/loss.hpp"
#include "lessons/1_math_refresh/models.hpp"

namespace lesson1 {

using formula::entrywise, formula::of_numbers, formula::Scope;

static void neuron(formula::Book& book, Random& random) {
  const auto x = normal_matrix<double>(6, 1, 1, random), target = normal_matrix<double>(6, 1, 1, random);
  Neuron one{0.7, -0.2};
  std::vector<Example> examples;
  Matrix<double> y(6, 1);
  for (std::size_t i = 0; i < 6; ++i) {
    examples.push_back({x(i, 0), target(i, 0)});
    y(i, 0) = one(x(i, 0));
  }
  Scope s;
  s.values = {{"x", x}, {"target", target}, {"w", one.w}, {"b", one.b}, {"y", y}, {"loss", descend(one, examples, 0)}};
  book.holds("1.1 1.2", s);
}

static void activations_and_slopes(formula::Book& book) {
  Scope s;
  s.functions = {{"relu", entrywise(relu)}, {"relu'", entrywise(relu_prime)}, {"leaky", entrywise(leaky_relu)}};
  s.functions.insert(
      {{"leaky'", entrywise(leaky_relu_prime)}, {"σ", entrywise(sigmoid)}, {"σ'", entrywise(sigmoid_prime)}});
  s.functions.insert({{"tanh", entrywise(tanh_activation.value)}, {"tanh'", entrywise(tanh_prime)}});
  s.functions.insert({{"swish_β", entrywise([](double z) { return swish_beta(z, 1.5); })}});
  s.functions.insert({{"swish_β'", entrywise([](double z) { return swish_beta_prime(z, 1.5); })}});
  for (const double z : {-1.3, 0.4}) {
    s.values = {{"z", z}, {"β", 1.5}};
    book.holds("1.4 1.5 1.6 1.7 1.8", s);
  }
}

// A layer, and a network of three: what the program has of it, by layers.
static void networks(formula::Book& book, Random& random) {
  Mlp<double> layer({tanh_activation, {3, 4}});
  fill_normal(layer.tensors(), random);
  const auto H = normal_matrix<double>(5, 3, 1, random), dZ = normal_matrix<double>(5, 4, 1, random);
  const Gradients<Mlp<double>> g = gradients(layer, H, weighted_sum{dZ});
  Scope s;
  s.values = {{"H", H}, {"W", layer.W[0]}, {"b", layer.b[0]}, {"Z", output(layer, H)}, {"dZ", dZ}};
  s.values.insert({{"dW", g.d.W[0]}, {"db", g.d.b[0]}, {"dH", g.dX}});
  book.model("1.3", s, {"H", "W", "b"}, "Z");

  Mlp<double> net({tanh_activation, {2, 4, 3, 6}});
  fill_normal(net.tensors(), random);
  const auto X = normal_matrix<double>(5, 2, 1, random), T = normal_matrix<double>(5, 6, 1, random);
  Mlp<double>::Trace t;
  net.forward(X, t);
  const Loss<double> loss = mean_squared_error(t.Y, T);
  Scope deep;
  deep.functions = {{"φ", entrywise(tanh_activation.value)}, {"φ'", entrywise(tanh_prime)}};
  deep.values = {{"X", X}, {"Y", t.Y}, {"T", T}, {"Z_3", t.Y}, {"Z_L", t.Y}, {"rows", 5.0}, {"out", 6.0}};
  deep.values.insert({{"loss", loss.value}, {"dY", loss.gradient}});
  Matrix<double> back = loss.gradient;  // the way back in the words of section 3
  for (std::size_t l = 3; l-- > 0;) {
    const std::string at = "_" + std::to_string(l + 1), below = "_" + std::to_string(l);
    deep.values.insert({{"W" + at, net.W[l]}, {"b" + at, net.b[l]}, {"H" + below, t.H[l]}});
    if (l == 0) break;
    deep.values.insert({{"Z" + below, t.Z[l - 1]}, {"dH" + below, matmul(back, transpose(net.W[l]))}});
    back = hadamard(matmul(back, transpose(net.W[l])), map(t.Z[l - 1], tanh_prime));
    deep.values["dZ" + below] = back;
  }
  book.holds("1.9 1.10", deep);
  book.holds("1.9 1.10", deep, true);
}

void equations(formula::Book& book) {
  Random random(6);
  neuron(book, random);
  activations_and_slopes(book);
  networks(book, random);
  Scope s;
  s.functions["loss"] = of_numbers(+[](double x) { return 3 * x * x - 2 * x + 7; });
  s.values = {{"x", 1.5}, {"δ", 0.25}, {"slope", 6 * 1.5 - 2}};  // of a quadratic it is exact
  book.holds("1.11", s);
  s.values = {{"base", 0.032}, {"n", 256.0}, {"rate", rate_by_inputs(0.032, 256, 1)}};
  book.holds("1.14", s);
  book.instead("1.12", "a mean over random weights; part 5 claims it of 2,000 units");
  book.instead("1.13", "a mean over random networks; part 5 claims it of fifty layers");
  book.instead("1.15", "a mean over a normal number; part 5 claims it of wide layers");
  book.instead("1.16", "a law of random networks; part 5 claims it of a hundred");
}

}  // namespace lesson1
