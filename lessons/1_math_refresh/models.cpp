// Lesson 1: its models, compiled once and optimized.
// SPDX-License-Identifier: MIT
#include "lessons/1_math_refresh/models.hpp"

namespace lesson1 {

template Matrix<double> each<relu>(Matrix<double>);
template Matrix<double> each<relu_prime>(Matrix<double>);
template struct Mlp<double>;

// Trains at a constant rate as long as goes_on(losses). Returns the loss before each step; one from
// which no training comes back is the last, and `lost`.
template <class Optimizer, class Run, class GoesOn>
static std::vector<double> descend(Mlp<double>& net, Pass<Mlp<double>>& pass, Optimizer optimizer,
                                   const Schedule& schedule, const Run& run,
                                   const GoesOn& goes_on) {
  std::vector<double> losses;
  const auto watch = [&](long, double loss) {
    losses.push_back(loss);
    return goes_on(losses);
  };
  try {
    train(net, pass, optimizer, schedule, lost, run, watch);
  } catch (const Diverged&) {
    losses.push_back(lost);
  }
  return losses;
}

std::vector<double> train_deep(double gain, std::size_t layers, double rate, std::size_t steps,
                               std::size_t patience, Random random, Descent by) {
  const Examples examples = same_sign(pairs, random);
  Mlp<double> net = deep_network(gain, layers, random);
  Pass<Mlp<double>> pass(net);
  const squared_error loss(examples.target);
  const auto with = [&](auto optimizer) {
    return descend(
        net, pass, std::move(optimizer), {.steps = long(patience * steps), .rate = rate, .last = 1},
        [&](long) { return pass.run(net, examples.X, loss); },
        [&](const auto& losses) { return losses.size() < steps || losses.back() >= learnt; });
  };
  if (by == Descent::adam) return with(AdamW<double>({.decay = 0}));
  return with(Sgd<double>(momentum));
}

std::vector<double> train_wide(std::size_t width, double base, RateOf rate_of, double size,
                               Random random, std::size_t steps, Descent by) {
  Examples examples = same_sign(pairs, random);
  Mlp<double> net = deep_network(2, wide_layers, random, width);
  examples.X = size * std::move(examples.X);
  net.W[0] = 1 / size * std::move(net.W[0]);
  Pass<Mlp<double>> pass(net);
  const squared_error loss(examples.target);
  pass.run(net, examples.X, loss);  // which finds the second moments at the start
  std::vector<double> factors;      // of the tensors' rates: W1, b1, W2, ...
  for (std::size_t l = 0; l < wide_layers; ++l) {
    const double moment = mean_square(pass.trace.H[l]), n = double(net.W[l].rows());
    factors.insert(factors.end(), {rate_of(base, n, moment) / base, 1});
  }
  const auto run = [&](long) {
    const double before = pass.run(net, examples.X, loss);
    // Momentum's steps follow the size of a gradient, Adam's do not.
    for (std::size_t l = 0; l < wide_layers && by == Descent::sgd; ++l)
      pass.g.parameters.W[l] = factors[2 * l] * std::move(pass.g.parameters.W[l]);
    return before;
  };
  const Schedule schedule{.steps = long(steps + 1), .rate = base, .last = 1};
  const auto always = [](const auto&) { return true; };
  if (by == Descent::sgd) return descend(net, pass, Sgd<double>(momentum), schedule, run, always);
  return descend(net, pass, AdamW<double>({.decay = 0, .factors = factors}), schedule, run, always);
}

}  // namespace lesson1
