// Lesson 1, part 7: trains deep ReLU networks.
// SPDX-License-Identifier: MIT
#include "lessons/1_math_refresh/run/train.hpp"

#include <cmath>
#include <string>

#include "common/loss.hpp"

namespace lesson1 {

Examples same_sign(std::size_t count, Random& random) {
  Examples examples{Matrix<double>(count, 2), Matrix<double>(count, 1)};
  for (std::size_t i = 0; i < count; ++i) {
    for (double& x : examples.X.row(i)) x = random.uniform(-std::sqrt(3.0), std::sqrt(3.0));
    examples.target(i, 0) = examples.X(i, 0) * examples.X(i, 1) > 0 ? 1 : -1;
  }
  return examples;
}

Mlp deep_network(double gain, std::size_t layers, Random& random) {
  std::vector<std::size_t> widths(layers + 1, 64);
  widths.front() = 2;
  widths.back() = 1;
  Mlp net({relu_activation, widths});
  for (std::size_t l = 0; l < layers; ++l) {
    const double variance = (l + 1 < layers ? gain : 1) / double(widths[l]);  // no ReLU behind the last layer
    net.W[l] = normal_matrix<double>(widths[l], widths[l + 1], std::sqrt(variance), random);
  }
  return net;
}

double descend(Mlp& net, const Examples& examples, Sgd<double>& descent, double rate) {
  Mlp::Trace trace;
  net.forward(examples.X, trace);
  const Loss<double> loss = mean_squared_error(trace.Y, examples.target);
  Gradients<Mlp> g(net);
  net.backward(examples.X, trace, loss.gradient, g);  // back
  descent.step(net.tensors(), g.d.tensors(), rate);
  return loss.value;
}

std::vector<double> train_deep(double gain, std::size_t layers, std::size_t steps, std::uint64_t seed) {
  Random random(seed, 7);
  const Examples examples = same_sign(128, random);
  Mlp net = deep_network(gain, layers, random);
  Sgd<double> descent(0.9);
  std::vector<double> losses;
  while (losses.size() < steps || (losses.back() >= learnt && losses.size() < 5 * steps)) {
    losses.push_back(descend(net, examples, descent, 0.001));
    if (!std::isfinite(losses.back())) throw Diverged("training diverged at step " + std::to_string(losses.size() - 1));
  }
  return losses;
}

}  // namespace lesson1
