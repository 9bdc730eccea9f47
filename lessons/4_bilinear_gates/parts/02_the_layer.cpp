// Lesson 4, part 2: the product layer: a case by hand, and a gradient check that has no truncation error.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "common/gradcheck.hpp"
#include "common/loss.hpp"
#include "lessons/4_bilinear_gates/model/3_gates.hpp"
#include "lessons/4_bilinear_gates/model/7_bottleneck.hpp"
#include "lessons/4_bilinear_gates/run/session.hpp"

namespace lesson4 {
namespace {

// Checks every parameter and X against numbers, through Σ R ⊙ output with a fixed random R; all numbers are quarters.
template <class Model>
GradientReport check_exactly(Model model, std::size_t n, std::size_t in, Random& random) {
  for (const auto& [name, tensor] : model.tensors()) tensor = quarters(tensor.rows(), tensor.cols(), random);
  Matrix<double> X = quarters(n, in, random);
  const Matrix<double> R = quarters(n, output(model, X).cols(), random);
  const auto weighted = [&](const Matrix<double>& Y) { return Loss<double>{dot(R, Y), R}; };
  return check_model(model, X, weighted, Step::quadratic);
}

// Returns the largest relative error of dX when its slopes are central differences with step h.
double error_at_step(double h, Random random) {
  const ProductLayer layer({4, 5}, random);
  Matrix<double> X = normal_matrix<double>(6, 4, 1, random);
  const Matrix<double> R = normal_matrix<double>(6, 5, 1, random);
  const auto weighted = [&](const Matrix<double>& Y) { return Loss<double>{dot(R, Y), R}; };
  const Matrix<double> dX = gradients(layer, X, weighted).dX;
  double worst = 0, largest = 0;
  for (std::size_t k = 0; k < X.size(); ++k) {
    double& x = X.values()[k];
    const double kept = x;
    x = kept + h;
    const double up = dot(R, output(layer, X));
    x = kept - h;
    const double down = dot(R, output(layer, X));
    x = kept;
    worst = std::max(worst, std::abs((up - down) / (2 * h) - dX.values()[k]));
    largest = std::max(largest, std::abs(dX.values()[k]));
  }
  return worst / largest;
}

void layer_by_hand(Lesson& lesson) {
  const ProductLayer unit = unit_of({1, 2, -1}, {3, -1, 2});
  const Matrix<double> X{{2, 1}}, dh{{1}};
  ProductLayer::Trace t;
  unit.forward(X, t);
  Gradients<ProductLayer> g(unit);
  unit.backward(X, t, dh, g);
  lesson.say("By hand, with the numbers of README.md: x = (2, 1), p = ", t.P(0, 0), ", q = ", t.Q(0, 0),
             ", h = ", t.Y(0, 0), ". Backward from dh = 1: dp = q, dq = p, dW = (", g.d.W(0, 0), ", ", g.d.W(1, 0),
             "), dV = (", g.d.V(0, 0), ", ", g.d.V(1, 0), "), dX = (", g.dX(0, 0), ", ", g.dX(0, 1), ").");
  lesson.claim("h by hand", t.Y(0, 0), exactly(21));
  lesson.claim("dW and dV by hand, max |diff|",
               std::max(max_abs_difference(g.d.W, {{14}, {7}}), max_abs_difference(g.d.V, {{6}, {3}})), exactly(0));
  lesson.claim("dX by hand, max |diff|", max_abs_difference(g.dX, {{16, 11}}), exactly(0));
}

}  // namespace

void part2(Lesson& lesson, Session&) {
  layer_by_hand(lesson);
  Random random(lesson.options().seed, 40);
  lesson.say(
      "Every gradient against numbers. "
      "The layer is linear in each parameter and quadratic in X, so a central difference is exact at any step. "
      "With multiples of 1/4 for numbers nothing is rounded either, and derived and numeric are equal:");
  lesson.claim_gradients("product layer", check_exactly(ProductLayer({4, 5}), 6, 4, random), 0);
  lesson.claim("with a read-out: every gradient entry", check_exactly(ProductNet({4, 5, 3}), 6, 4, random).worst(),
               exactly(0));
  lesson.claim("with a bottleneck too", check_exactly(Bottleneck({6, 2, 5}), 7, 6, random).worst(), exactly(0));

  lesson.say(
      "The step and the error of dX, now with normal numbers, which do round. In lesson 1 this was a U; "
      "here the right branch, truncation, is missing, and of these steps 1 rounds least:");
  Table table{{"step h", "largest relative error"}, {}};
  double last = 0;
  for (const double h : {1.0, 1e-2, 1e-4, 1e-6, 1e-8}) {
    const double error = error_at_step(h, random);
    table.rows.push_back({significant(h), significant(error, 2)});
    last = error;
  }
  lesson.show(table);
  // Some fifty products of numbers near 1 are added up: 50·ε = 1e-14; over seeds some 1e-15.
  lesson.claim("h = 1: largest relative error", error_at_step(1, random), at_most(1e-13));
  lesson.claim("h = 1e-8: powers of ten that it is worse by", std::log10(last / error_at_step(1, random)),
               within(7.77, 4.5 * 0.19));  // mean and spread over 400 seeds
}

}  // namespace lesson4
