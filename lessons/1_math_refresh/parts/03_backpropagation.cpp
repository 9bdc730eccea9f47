// Lesson 1, part 3: backpropagation through an L-layer network: a small case by hand, then every gradient checked.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "common/gradcheck.hpp"
#include "common/loss.hpp"
#include "common/support/lesson.hpp"
#include "lessons/1_math_refresh/run/diagram.hpp"

namespace lesson1 {
namespace {

// An L-layer network with the shapes of what flows.
plot::Diagram layers_diagram() {
  using enum plot::Box::Kind;
  return {.title = "L layers and a loss",
          .boxes = {{"H₀ = X", 0, 1, stored},
                    {"Z₁", 1.05, 1},
                    {"H₁", 2.1, 1},
                    {"…", 3.2, 1, alone},
                    {"Z_L = Y", 4.4, 1},
                    {"loss", 5.6, 1},
                    {"W₁, b₁", 1.05, 0, stored, "in × width, 1 × width"},
                    {"W_L, b_L", 4.35, 0, stored, "width × out, 1 × out"},
                    {"T", 5.6, 0, stored, "n × out"}},
          .arrows = {{"H₀ = X", "Z₁", "n × in"},
                     {"Z₁", "H₁", "n × width"},
                     {"H₁", "…", "n × width"},
                     {"…", "Z_L = Y", "n × width"},
                     {"Z_L = Y", "loss", "n × out"},
                     {"W₁, b₁", "Z₁"},
                     {"W_L, b_L", "Z_L = Y"},
                     {"T", "loss"}}};
}

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
  lesson.figure("by_hand", diagram_by_hand(net, t, loss, g));
  lesson.claim("loss by hand", loss.value, exactly(1));
  lesson.claim_same("dW1 by hand", max_abs_difference(g.d.W[0], {{4, -8}, {8, -16}}));
  lesson.claim_same("dW2 by hand", max_abs_difference(g.d.W[1], {{2}, {1}}));
  lesson.claim_same("db1 and db2 by hand",
                    std::max(max_abs_difference(g.d.b[0], {{4, -8}}), max_abs_difference(g.d.b[1], {{2}})));
  lesson.claim_same("dX by hand", max_abs_difference(g.dX, {{10, -7}}));
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
  lesson.say("Is every derived gradient the slope that moving its number finds?");
  lesson.figure("layers", layers_diagram());
  by_hand(lesson);
  lesson.note("4 inputs, hidden layers of 6 and 5, 3 outputs, 7 examples; with tanh, tensor by tensor:");
  // The same case for every --seed: among some thousand random ones is one with a unit so near its corner that the
  // check errs.
  Random random(1);
  const GradientReport of_tanh = check_mlp(tanh_activation, random);
  lesson.claim_gradients("tanh", of_tanh, 1e-7);  // part 4: what a sound check reaches
  Table table{{"3 layers of", "worst relative error of a gradient's entry"}, {}};
  table.rows.push_back({tanh_activation.name, significant(of_tanh.worst(), 2)});
  for (const Activation& phi : activations) {
    if (phi.value == tanh_activation.value) continue;
    const double worst = check_mlp(phi, random).worst();
    lesson.claim(std::string(phi.name) + ": every gradient entry", worst, at_most(1e-7));
    table.rows.push_back({phi.name, significant(worst, 2)});
  }
  lesson.show(table);
}

}  // namespace lesson1
