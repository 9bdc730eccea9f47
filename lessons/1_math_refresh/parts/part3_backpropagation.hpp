// Lesson 1, part 3: backpropagation through an L-layer network: a small case by hand, then every gradient checked.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include "common/gradcheck.hpp"
#include "common/loss.hpp"
#include "common/support/lesson.hpp"
#include "lessons/1_math_refresh/mlp.hpp"

// The network of README.md, "By hand": two inputs, two ReLU units, one output.
inline void by_hand(Lesson& lesson) {
  Mlp net(relu_activation, {2, 2, 1});
  net.W[0] = {{0.5, -1}, {0.25, 1}};
  net.b[0] = {{0, -0.5}};
  net.W[1] = {{2}, {-4}};
  net.b[1] = {{1}};
  const Matrix<double> X{{1, 2}}, target{{0}};
  const Mlp::Trace t = net.forward(X);
  const Loss<double> loss = mean_squared_error(t.output(), target);
  const Mlp::Gradients g = net.backward(t, loss.gradient);
  lesson.say("By hand, with the numbers of README.md. Forward: Z1 = (", t.Z[0](0, 0), ", ", t.Z[0](0, 1),
             "), y = ", t.output()(0, 0), ", loss = ", loss.value, ". Backward: dW1 = [", g.d.W[0](0, 0), " ",
             g.d.W[0](0, 1), "; ", g.d.W[0](1, 0), " ", g.d.W[0](1, 1), "], dW2 = (", g.d.W[1](0, 0), ", ",
             g.d.W[1](1, 0), "), dX = (", g.dX(0, 0), ", ", g.dX(0, 1), ").");
  lesson.claim("loss by hand", loss.value, exactly(1));
  lesson.claim("dW1 by hand, max |diff|", max_abs_difference(g.d.W[0], {{4, -8}, {8, -16}}), exactly(0));
  lesson.claim("dW2 by hand, max |diff|", max_abs_difference(g.d.W[1], {{2}, {1}}), exactly(0));
  lesson.claim("db1 and db2 by hand, max |diff|",
               std::max(max_abs_difference(g.d.b[0], {{4, -8}}), max_abs_difference(g.d.b[1], {{2}})), exactly(0));
  lesson.claim("dX by hand, max |diff|", max_abs_difference(g.dX, {{10, -7}}), exactly(0));
}

// Every gradient of a 3-layer network, parameters and input, against numbers.
inline GradientReport check_mlp(const Activation& phi, Random& random) {
  Mlp net(phi, {4, 6, 5, 3});
  for (const auto& [name, tensor] : net.tensors())
    tensor = normal_matrix<double>(tensor.rows(), tensor.cols(), 0.7, random);
  Matrix<double> X = normal_matrix<double>(7, 4, 1, random);
  const Matrix<double> target = normal_matrix<double>(7, 3, 1, random);
  const auto loss = [&] { return mean_squared_error(net.forward(X).output(), target); };

  Mlp::Gradients g = net.backward(net.forward(X), loss().gradient);
  Tensors<double> tensors = net.tensors(), gradients = g.d.tensors();
  tensors.push_back({"X", X});
  gradients.push_back({"X", g.dX});
  return check_gradients(tensors, gradients, [&] { return loss().value; });
}

inline void part3(Lesson& lesson) {
  by_hand(lesson);
  lesson.say(
      "Now 4 inputs, hidden layers of 6 and 5, 3 outputs, 7 examples. Each of the parameters and inputs is moved ",
      "up and down, and the slope found is compared with the derived one. With tanh, tensor by tensor:");
  // The same case for every --seed: of 4,000 random ones, 3 have a ReLU unit so near its corner that the check errs.
  Random random(1);
  lesson.claim_gradients("tanh", check_mlp(tanh_activation, random), 1e-7);  // part 4: what a sound check reaches
  lesson.say("The others, in short:");
  for (const Activation& phi : activations)
    if (phi.value != tanh_activation.value)
      lesson.claim(std::string(phi.name) + ": every gradient entry", check_mlp(phi, random).worst(), at_most(1e-7));
}
