// Lesson 1: its models, compiled once and optimized.
// SPDX-License-Identifier: MIT
#include "lessons/1_math_refresh/models.hpp"

namespace lesson1 {

template Matrix<double> each<relu>(Matrix<double>);
template Matrix<double> each<relu_prime>(Matrix<double>);
template struct Mlp<double>;

// Trains at a constant rate as long as goes_on(losses). Returns the loss before each step; one from
// which no training comes back is the last, and `lost`.
template <class Run, class GoesOn>
static std::vector<double> descend(Mlp<double>& net, Pass<Mlp<double>>& pass, double rate,
                                   std::size_t steps, const Run& run, const GoesOn& goes_on) {
  Sgd<double> descent(momentum);
  std::vector<double> losses;
  const auto watch = [&](long, double loss) {
    losses.push_back(loss);
    return goes_on(losses);
  };
  try {
    train(net, pass, descent, {.steps = long(steps), .rate = rate, .last = 1}, lost, run, watch);
  } catch (const Diverged&) {
    losses.push_back(lost);
  }
  return losses;
}

std::vector<double> train_deep(double gain, std::size_t layers, double rate, std::size_t steps,
                               std::size_t patience, Random random) {
  const Examples examples = same_sign(pairs, random);
  Mlp<double> net = deep_network(gain, layers, random);
  Pass<Mlp<double>> pass(net);
  const squared_error loss(examples.target);
  return descend(
      net, pass, rate, patience * steps, [&](long) { return pass.run(net, examples.X, loss); },
      [&](const auto& losses) { return losses.size() < steps || losses.back() >= learnt; });
}

std::vector<double> train_wide(std::size_t width, double base, RateOf rate_of, double size,
                               Random random, std::size_t steps) {
  Examples examples = same_sign(pairs, random);
  Mlp<double> net = deep_network(2, wide_layers, random, width);
  examples.X = size * std::move(examples.X);
  net.W[0] = 1 / size * std::move(net.W[0]);
  Pass<Mlp<double>> pass(net);
  std::vector<double> factors;
  const auto run = [&](long step) {
    const double loss = pass.run(net, examples.X, squared_error(examples.target));
    for (std::size_t l = 0; l < wide_layers; ++l) {
      const double moment = mean_square(pass.trace.H[l]), n = double(net.W[l].rows());
      if (step == 0) factors.push_back(rate_of(base, n, moment) / base);
      pass.g.parameters.W[l] = factors[l] * std::move(pass.g.parameters.W[l]);  // scales the rate
    }
    return loss;
  };
  return descend(net, pass, base, steps + 1, run, [](const auto&) { return true; });
}

}  // namespace lesson1
