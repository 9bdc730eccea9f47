// Lesson 4, part 2: the product layer: a case by hand, and a gradient check that has no truncation error.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include "common/gradcheck.hpp"
#include "common/loss.hpp"
#include "lessons/4_bilinear_gates/model/3_gates.hpp"
#include "lessons/4_bilinear_gates/model/7_bottleneck.hpp"
#include "lessons/4_bilinear_gates/run/diagram.hpp"
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
  lesson.figure("unit", diagram_of(unit, X, t, dh, g));
  lesson.say("The unit by hand: p = ", t.P(0, 0), ", q = ", t.Q(0, 0), ", h = ", t.Y(0, 0), "; dW = ", pair_text(g.d.W),
             ", dV = ", pair_text(g.d.V), ", dX = ", pair_text(g.dX), ".");
  lesson.claim("h by hand", t.Y(0, 0), exactly(21));
  lesson.claim_same("dW and dV by hand",
                    std::max(max_abs_difference(g.d.W, {{14}, {7}}), max_abs_difference(g.d.V, {{6}, {3}})));
  lesson.claim_same("dX by hand", max_abs_difference(g.dX, {{16, 11}}));
}

}  // namespace

void part2(Lesson& lesson, Session&) {
  layer_by_hand(lesson);
  Random random(lesson.options().seed, 40);
  lesson.note("Every gradient against numbers, through Σ R ⊙ H with a step of 1, all numbers multiples of 1/4:");
  lesson.claim_gradients("product layer", check_exactly(ProductLayer({4, 5}), 6, 4, random), 0);
  lesson.claim("with a read-out: every gradient entry", check_exactly(ProductNet({4, 5, 3}), 6, 4, random).worst(),
               exactly(0));
  lesson.claim("with a bottleneck too", check_exactly(Bottleneck({6, 2, 5}), 7, 6, random).worst(), exactly(0));

  Table table{{"step"}, {{"error"}}};
  double last = 0;
  for (const double h : {1.0, 1e-2, 1e-4, 1e-6, 1e-8}) {
    const double error = error_at_step(h, random);
    table.head.push_back(significant(h));
    table.rows[0].push_back(significant(error, 2));
    last = error;
  }
  lesson.detail(table);
  const double at_1 = error_at_step(1, random);
  lesson.say("Which step is the best for a gradient check of normal numbers, which round? dX is off by ",
             significant(at_1, 2), " at 1, by ", significant(last, 2), " at 1e-8.");
  // Some fifty products of numbers near 1 are added up: 50·ε = 1e-14; over seeds some 1e-15.
  lesson.claim("h = 1: largest relative error", at_1, at_most(1e-13));
  lesson.claim("h = 1e-8: powers of ten that it is worse by", std::log10(last / at_1),
               within(7.77, 4.5 * 0.19));  // mean and spread over 400 seeds
}

}  // namespace lesson4
