// Lesson 4, part 2: the numbers of one product unit, and the step of its gradient check, can be turned.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "common/loss.hpp"
#include "common/support/parts.hpp"
#include "lessons/4_bilinear_gates/model/3_gates.hpp"
#include "lessons/4_bilinear_gates/run/diagram.hpp"
#include "lessons/4_bilinear_gates/run/session.hpp"

namespace lesson4 {
namespace {

constexpr knob::Numbers first{"w", "w1, w2 and b of the first factor", {1, 2, -1}, {-3, 3, 0.25}};
constexpr knob::Numbers second{"v", "v1, v2 and c of the second", {3, -1, 2}, {-3, 3, 0.25}};
constexpr knob::Numbers input{"x", "the two inputs", {2, 1}, {-3, 3, 0.25}};
constexpr knob::Real arriving{"dh", "the gradient that arrives at the output", 1, {-3, 3, 0.25}};
constexpr knob::Real power{"log-delta", "log10 of the step of the gradient check: 0 is a step of 1", 0, {-15, 3, 0.25}};

Factor factor_of(const std::vector<double>& weights) { return {weights[0], weights[1], weights[2]}; }

// The largest difference between dX and what moving each input by δ finds, and what rounding may make it.
struct Checked {
  double difference = 0, allowed = 0;
  Matrix<double> numeric{1, 2};
};

Checked check_inputs(const ProductLayer& unit, Matrix<double> X, double dh, const Matrix<double>& dX, double step) {
  Checked found;
  for (std::size_t k = 0; k < 2; ++k) {
    const double kept = X(0, k);
    X(0, k) = kept + step;
    const double up = output(unit, X)(0, 0);
    X(0, k) = kept - step;
    const double down = output(unit, X)(0, 0);
    X(0, k) = kept;
    found.numeric(0, k) = dh * (up - down) / (2 * step);
    found.difference = std::max(found.difference, std::abs(found.numeric(0, k) - dX(0, k)));
  }
  // Each factor is at most 21 + 3δ here, and some ten roundings go into a loss; a rounded step moves it by up to 6ε of the
  // same size.
  const double size = 21 + 3 * step;
  found.allowed = 10 * std::numeric_limits<double>::epsilon() * std::abs(dh) * (size * size / step + 40 * size);
  return found;
}

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const ProductLayer unit = unit_of(factor_of(at[first]), factor_of(at[second]));
  Matrix<double> X(1, 2);
  std::copy_n(at[input].begin(), 2, X.values().begin());
  const Matrix<double> dh(1, 1, at[arriving]);
  ProductLayer::Trace t;
  unit.forward(X, t);
  Gradients<ProductLayer> g(unit);
  unit.backward(X, t, dh, g);
  lesson.picture("turned_unit", diagram_of(unit, X, t, dh, g));
  const double step = std::pow(10, at[power]);
  const Checked found = check_inputs(unit, X, at[arriving], g.dX, step);
  lesson.say("p = ", t.P(0, 0) + 0.0, " and q = ", t.Q(0, 0) + 0.0,
             ": each factor's gradient is dh times the other factor. With a step of ", significant(step, 2),
             " moving the inputs finds dX = ", pair_text(found.numeric), ", off by ", significant(found.difference, 2),
             ".");
  lesson.claim("dX against moving x, beyond what rounding may do", found.difference - found.allowed, at_most(0));
}

}  // namespace

Bench<Session> bench2() {
  return {"What comes back through one product, and which step finds it best?",
          {&first, &second, &input, &arriving, &power},
          run};
}

}  // namespace lesson4
