// Exercise 3.6, solution: one training step's loss and gradients, for a swish MLP.
// The same factor in every tensor comes from what they have in common: dY. The loss is a mean over n·o entries, so
// dY = 2·(Y - T)/(n·o); dividing by n alone makes it o times too large. With one output nothing is wrong, which is how
// such a line gets through its first test. AdamW forgives the factor, since it divides it out again; SGD, clipping by
// the norm and a gradient check do not. Dividing the loss by n as well would hide the bug, and change every loss in the
// log.
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
  Swish<double>::Trace trace;
  model.forward(X, trace);
  const Matrix<double> error = trace.Y - T;  // n x o
  const double loss = dot(error, error) / double(error.size());
  const Matrix<double> dY = (2 / double(error.size())) * error;  // n x o   back
  Step step{loss, Gradients<Swish<double>>(model)};
  model.backward(X, trace, dY, step.gradients);  // back
  return step;
}

}  // namespace ex3_6
