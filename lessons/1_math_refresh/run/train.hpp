// Lesson 1, part 7: deep ReLU networks, a small task, and gradient descent with momentum.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/optimizer.hpp"
#include "common/random.hpp"
#include "lessons/1_math_refresh/model/2_mlp.hpp"

namespace lesson1 {

// Inputs with second moment 1, and what the network should say of each.
struct Examples {
  Matrix<double> X, target;
};

// Draws pairs of numbers; have both the same sign?
Examples same_sign(std::size_t count, Random& random);

// Draws ReLU layers of width 64 with Var W = gain/n_in, for two inputs and one output.
Mlp deep_network(double gain, std::size_t layers, Random& random);

// Takes one step of gradient descent; returns the loss before it.
double descend(Mlp& net, const Examples& examples, Sgd<double>& descent, double rate);

// A network learns when its loss falls below a half; the answer 0 scores 1.
inline constexpr double learnt = 0.5;

// Returns the loss at every step, for `steps` steps and as many more as the network needs to learn, up to five times as
// many. Throws Diverged.
std::vector<double> train_deep(double gain, std::size_t layers, std::size_t steps, std::uint64_t seed);

}  // namespace lesson1
