// Lesson 1, part 3: the numbers of the network that is done by hand can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include "common/gradcheck.hpp"
#include "common/support/parts.hpp"
#include "lessons/1_math_refresh/run/diagram.hpp"

namespace lesson1 {
namespace {

constexpr knob::Numbers input{"x", "the two inputs", {1, 2}, {-3, 3, 0.25}};
constexpr knob::Numbers first{
    "w1", "W₁ row by row: from the first input, then from the second", {0.5, -1, 0.25, 1}, {-3, 3, 0.25}};
constexpr knob::Numbers first_bias{"b1", "b₁", {0, -0.5}, {-3, 3, 0.25}};
constexpr knob::Numbers second{"w2", "W₂, one weight for each unit", {2, -4}, {-5, 5, 0.25}};
constexpr knob::Real second_bias{"b2", "b₂", 1, {-3, 3, 0.25}};
constexpr knob::Real wanted{"target", "what the output should be", 0, {-10, 10, 0.5}};
constexpr knob::Choice activation{"activation", "φ of the two units", {"relu", "leaky", "sigmoid", "tanh", "swish"}};

Matrix<double> matrix_of(std::size_t rows, std::size_t cols, const std::vector<double>& numbers) {
  Matrix<double> M(rows, cols);
  std::copy(numbers.begin(), numbers.end(), M.values().begin());
  return M;
}

// The worst relative error of a gradient's entry; entries at a corner, where there is no slope, are left out.
double worst_off_corners(const GradientReport& report) {
  double worst = 0;
  for (const GradientRow& row : report.rows) worst = std::max(worst, row.worst);
  return worst;
}

void run(Lesson& lesson, Pool&, const knob::Settings& at) {
  Mlp net({activations[at[activation]], {2, 2, 1}});
  net.W[0] = matrix_of(2, 2, at[first]);
  net.b[0] = matrix_of(1, 2, at[first_bias]);
  net.W[1] = matrix_of(2, 1, at[second]);
  net.b[1](0, 0) = at[second_bias];
  Matrix<double> X = matrix_of(1, 2, at[input]);
  const Matrix<double> target(1, 1, at[wanted]);
  Mlp::Trace t;
  net.forward(X, t);
  const Loss<double> loss = mean_squared_error(t.Y, target);
  Gradients<Mlp> g(net);
  net.backward(X, t, loss.gradient, g);
  lesson.picture("turned_network", diagram_by_hand(net, t, loss, g));
  std::string let_back;
  for (std::size_t j = 0; j < 2; ++j)
    let_back += join(j == 0 ? "Unit 1 lets " : ", unit 2 ", net.form.activation.prime(t.Z[0](0, j)));
  lesson.say(let_back, " of its gradient through. The loss is ", loss.value, ".");
  const auto to_target = [&](const Matrix<double>& Y) { return mean_squared_error(Y, target); };
  // Part 4 says what a sound check reaches.
  lesson.claim("every gradient entry that has a slope, against numbers",
               worst_off_corners(check_model(net, X, to_target)), at_most(1e-7));
}

}  // namespace

Bench<Pool> bench3() {
  return {"Which numbers come back through a small network?",
          {&input, &first, &first_bias, &second, &second_bias, &wanted, &activation},
          run};
}

}  // namespace lesson1
