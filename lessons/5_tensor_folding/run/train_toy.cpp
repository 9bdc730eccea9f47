// Lesson 5, parts 10 and 13: trains the toy whose features are known.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/run/train_toy.hpp"

#include "common/initialize.hpp"
#include "common/loss.hpp"
#include "common/optimizer.hpp"

namespace lesson5 {

Matrix<double> draw_features(std::size_t rows, std::size_t features, double p, EmptyRows empty_rows, Random& random) {
  Matrix<double> X(rows, features);
  for (std::size_t i = 0; i < rows; ++i)
    for (bool again = true; again;) {
      bool empty = true;
      for (double& x : X.row(i)) {
        x = random.uniform() < p ? 1 : 0;
        empty = empty && x == 0;
      }
      again = empty && empty_rows == EmptyRows::redrawn;
    }
  return X;
}

void toy_pass(const Net<double>& net, const Matrix<double>& X, Pass<Net<double>>& pass) {
  pass.run(net, X, [&](const Matrix<double>& Y) { return mean_squared_error(Y, X); });
  pass.g.d.e = Matrix<double>(1, net.e.cols());  // stays zero, back
}

Net<double> train_toy(const NetForm& form, double p, long steps, Random random) {
  Net<double> net(form);
  net.E = uniform_weights<double>(form.inputs, form.embedding, random);
  net.W = uniform_weights<double>(form.embedding, form.hidden, random);
  net.V = uniform_weights<double>(form.embedding, form.hidden, random);
  net.U = uniform_weights<double>(form.hidden, form.outputs, random);
  net.c = Matrix<double>(1, form.hidden, 1);
  AdamW<double> adam({.decay = 0});
  Pass<Net<double>> pass(net);
  for (long step = 0; step < steps; ++step) {
    toy_pass(net, draw_features(256, form.inputs, p, EmptyRows::allowed, random), pass);
    adam.step(net.tensors(), pass.g.d.tensors(), cosine_rate(step, steps, 0.02));
  }
  return net;
}

}  // namespace lesson5
