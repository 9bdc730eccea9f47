// Lesson 4, part 2: the product layer: a case by hand, and a gradient check that has no truncation error.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>

#include "common/gradcheck.hpp"
#include "common/support/lesson.hpp"
#include "lessons/4_bilinear_gates/product_layer.hpp"

// Every parameter and X against numbers, through Σ R ⊙ output with a fixed random R; all numbers are quarters.
template <class Model>
GradientReport check_model(Model& model, std::size_t n, std::size_t in, Random& random) {
  for (const auto& [name, tensor] : model.tensors()) tensor = quarters(tensor.rows(), tensor.cols(), random);
  Matrix<double> X = quarters(n, in, random);
  const auto trace = model.forward(X);
  const auto R = quarters(n, trace.output().cols(), random);
  auto gradients = model.backward(trace, R);
  Tensors<double> tensors = model.tensors(), derived = gradients.d.tensors();
  tensors.push_back({"X", X});
  derived.push_back({"X", gradients.dX});
  return check_gradients(
      tensors, derived, [&] { return dot(R, model.forward(X).output()); }, Step::quadratic);
}

// The largest relative error of dX when its slopes are central differences with step h.
inline double error_at_step(double h, Random random) {
  ProductLayer layer(4, 5, true, random);
  Matrix<double> X = normal_matrix<double>(6, 4, 1, random);
  const Matrix<double> R = normal_matrix<double>(6, 5, 1, random);
  const Matrix<double> dX = layer.backward(layer.forward(X), R).dX;
  double worst = 0, largest = 0;
  for (std::size_t k = 0; k < X.size(); ++k) {
    double& x = X.values()[k];
    const double kept = x;
    x = kept + h;
    const double up = dot(R, layer.forward(X).H);
    x = kept - h;
    const double down = dot(R, layer.forward(X).H);
    x = kept;
    worst = std::max(worst, std::abs((up - down) / (2 * h) - dX.values()[k]));
    largest = std::max(largest, std::abs(dX.values()[k]));
  }
  return worst / largest;
}

inline void layer_by_hand(Lesson& lesson) {
  ProductLayer unit(2, 1);
  unit.W = {{1}, {2}}, unit.b = {{-1}}, unit.V = {{3}, {-1}}, unit.c = {{2}};
  const auto t = unit.forward({{2, 1}});
  const auto g = unit.backward(t, {{1}});
  lesson.say("By hand, with the numbers of README.md: x = (2, 1), p = ", t.P(0, 0), ", q = ", t.Q(0, 0),
             ", h = ", t.H(0, 0), ". Backward from dh = 1: dp = q, dq = p, dW = (", g.d.W(0, 0), ", ", g.d.W(1, 0),
             "), dV = (", g.d.V(0, 0), ", ", g.d.V(1, 0), "), dX = (", g.dX(0, 0), ", ", g.dX(0, 1), ").");
  lesson.claim("h by hand", t.H(0, 0), exactly(21));
  lesson.claim("dW and dV by hand, max |diff|",
               std::max(max_abs_difference(g.d.W, {{14}, {7}}), max_abs_difference(g.d.V, {{6}, {3}})), exactly(0));
  lesson.claim("dX by hand, max |diff|", max_abs_difference(g.dX, {{16, 11}}), exactly(0));
}

inline void part2(Lesson& lesson) {
  layer_by_hand(lesson);
  Random random(lesson.options().seed, 40);
  ProductLayer layer(4, 5);
  lesson.say(
      "Every gradient against numbers. The layer is linear in each parameter and quadratic in X, so a central ",
      "difference is exact at any step. With multiples of 1/4 for numbers nothing is rounded either, and derived and ",
      "numeric are equal:");
  lesson.claim_gradients("product layer", check_model(layer, 6, 4, random), 0);
  ProductNet net(4, 5, 3);
  Bottleneck bottleneck(6, 2, 5);
  lesson.claim("with a read-out: every gradient entry", check_model(net, 6, 4, random).worst(), exactly(0));
  lesson.claim("with a bottleneck too", check_model(bottleneck, 7, 6, random).worst(), exactly(0));

  lesson.say(
      "The step and the error of dX, now with normal numbers, which do round. In lesson 1 this was a U; here the "
      "right branch, truncation, is missing, and of these steps 1 rounds least:");
  Table table{{"step h", "largest relative error"}, {}};
  double last = 0;
  for (const double h : {1.0, 1e-2, 1e-4, 1e-6, 1e-8}) {
    const double error = error_at_step(h, random);
    table.rows.push_back({significant(h), significant(error, 2)});
    last = error;
  }
  lesson.show(table);
  lesson.claim("h = 1: largest relative error", error_at_step(1, random), at_most(1e-13));
  lesson.claim("h = 1e-8: powers of ten that it is worse by", std::log10(last / error_at_step(1, random)),
               within(7.77, 4.5 * 0.19));  // mean and spread over 400 seeds
}
