// Exercise 3.6 (find the bug, 10 minutes, easy): one training step's loss and gradients, for a swish MLP.
// AdamW divides each gradient by its own size and trains well with this; with plain gradient descent the learning rate
// seems to depend on the number of outputs. The model's forward and backward are right (model/03_swish.cpp); so is the
// loss, the mean of (Y - T)² over all entries. `make exercise3` checks the gradients for two numbers of outputs:
// compare them.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/3_swish_vs_bmlp/model/03_swish.hpp"

namespace ex3_6 {

using lesson3::Swish;

struct Step {
  double loss;
  Gradients<Swish<double>> gradients;
};

// X is n x d, T is n x o.
inline Step loss_and_gradients(const Swish<double>& model, const Matrix<double>& X, const Matrix<double>& T) {
  // TODO: find the bug and mend it.
  Swish<double>::Trace trace;
  model.forward(X, trace);
  const Matrix<double> error = trace.Y - T;  // n x o
  const double loss = dot(error, error) / double(error.size());
  const Matrix<double> dY = (2 / double(X.rows())) * error;  // n x o
  Step step{loss, Gradients<Swish<double>>(model)};
  model.backward(X, trace, dY, step.gradients);
  return step;
}

}  // namespace ex3_6
