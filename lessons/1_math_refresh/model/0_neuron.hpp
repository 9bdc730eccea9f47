// Lesson 1, the smallest network: one neuron with one input and no activation, and a step of gradient descent.
// Equation numbers: README.md. Plain numbers, no matrix: a reader can type this.
// SPDX-License-Identifier: MIT
#pragma once
#include <span>

namespace lesson1 {

// An input, and what the neuron should say of it.
struct Example {
  double x, target;
};

struct Neuron {
  double w = 0, b = 0;

  double operator()(double x) const { return w * x + b; }  // (1.1)
};

// Takes one step of gradient descent on the mean of (y - target)²; returns the loss before it.
inline double descend(Neuron& neuron, std::span<const Example> examples, double rate) {
  double loss = 0, dw = 0, db = 0;
  for (const auto& [x, target] : examples) {
    const double error = neuron(x) - target;
    loss += error * error / double(examples.size());        // (1.3)
    const double dy = 2 * error / double(examples.size());  // (1.3) back
    dw += dy * x;                                           // (1.1) back
    db += dy;                                               // (1.1) back
  }
  neuron.w -= rate * dw;  // a step against the gradient, back
  neuron.b -= rate * db;  // back
  return loss;
}

}  // namespace lesson1
