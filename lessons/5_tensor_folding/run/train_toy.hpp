// Lesson 5, parts 10 and 13: the toy whose features are known: rare features squeezed through a bottleneck (lesson 4).
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "common/initialize.hpp"
#include "common/loss.hpp"
#include "common/optimizer.hpp"
#include "net.hpp"

// Rows of features that are each 1 with probability p, else 0; with `some`, none of the rows is empty.
inline Matrix<double> draw_features(std::size_t rows, std::size_t features, double p, bool some, Random& random) {
  Matrix<double> X(rows, features);
  for (std::size_t i = 0; i < rows; ++i)
    for (bool empty = true; empty;) {
      for (double& x : X.row(i)) {
        x = random.uniform() < p ? 1 : 0;
        empty = empty && x == 0;
      }
      empty = empty && some;
    }
  return X;
}

// The loss of giving X back is the mean squared error; the slopes of all parameters but e, which stays zero.
inline Net<double> slopes_of_toy(const Net<double>& net, const Matrix<double>& X) {
  const auto trace = net.forward(X);
  auto gradients = net.backward(trace, mean_squared_error(trace.logits, X).gradient, false);  // back
  gradients.d.e = Matrix<double>(1, net.e.cols());                                            // stays zero, back
  return gradients.d;
}

// A net that gives n features back through m numbers and h products, trained on drawn rows. E has no bias, and one factor of
// each product starts as the constant 1, so that the net starts linear.
inline Net<double> train_toy(std::size_t n, std::size_t m, std::size_t h, double p, long steps, Random random) {
  Net<double> net({n, m, h, n, true});
  net.E = uniform_weights<double>(n, m, random);
  net.W = uniform_weights<double>(m, h, random), net.V = uniform_weights<double>(m, h, random);
  net.U = uniform_weights<double>(h, n, random);
  net.c = Matrix<double>(1, h, 1);
  AdamW<double> adam({0.9, 0.999, 1e-8, 0});
  for (long step = 0; step < steps; ++step) {
    Net<double> slopes = slopes_of_toy(net, draw_features(256, n, p, false, random));
    adam.step(net.tensors(), slopes.tensors(), cosine_rate(step, steps, 0.02));
  }
  return net;
}
