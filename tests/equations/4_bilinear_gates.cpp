// Binds lesson 4's equations to what the program computes.
// SPDX-License-Identifier: MIT
#include "common/frame/formula/equation_checker.hpp"
#include "lessons/4_bilinear_gates/forms.hpp"
#include "lessons/4_bilinear_gates/superposition.hpp"

namespace lesson4 {

using formula::Scope;

// No two numbers are equal here.
static constexpr Factor one{0.5, -1.5, 2}, other{-0.7, 1.1, 0.3};

static void forms(formula::EquationChecker& checker) {
  const QuadraticForm f = multiplied_out(one, other);
  Scope s;
  s.values = {{"w", Matrix<double>{{0, one.x, one.y}}},
              {"v", Matrix<double>{{0, other.x, other.y}}},
              {"b", one.one},
              {"c", other.one}};
  s.values.insert({{"xx", f.xx},
                   {"yy", f.yy},
                   {"xy", f.xy},
                   {"x_", f.x},
                   {"y_", f.y},
                   {"one", f.one},
                   {"S", matrix_of(f)}});
  s.values.insert({{"x", 1.7}, {"y", -0.4}});
  s.functions["f"] = [&](const std::vector<formula::Value>& place) {
    return f.at(place[0].numbers[0], place[1].numbers[0]);
  };
  checker.holds("4.6 4.7", s);
  const Signature squares = signature(matrix_of({.xx = 1, .yy = 1, .one = 1}));
  s.values = {{"plus", squares.plus},
              {"minus", squares.minus},
              {"units", squares.units()},
              {"p", 1.7},
              {"q", -0.4}};
  checker.holds("4.8", s);
  constexpr std::size_t function = 0x5d;
  Matrix<double> sign(1, 8), values(1, 8);
  for (std::size_t k = 0; k < 8; ++k) {
    sign(0, k) = parity_sign(k);
    values(0, k) = output_bit(function, k);
  }
  s.values = {{"sign", sign}, {"f", values}, {"κ", cubic_coefficient(function)}};
  checker.holds("4.11", s);
}

static void models(formula::EquationChecker& checker) {
  const Example e = example();
  const auto named = [](const auto& t) {
    return ConstTensors<double>{{"P", t.layer.P}, {"Q", t.layer.Q}, {"H", t.layer.Y}, {"Y", t.Y}};
  };
  checker.model("4.2 4.3 4.4 4.5", e.net, e.X, squared_error(e.T), named);
  Random random(2);
  HiddenNet<double> hidden({tanh_activation, 4, 5, 3});
  fill_normal(hidden.tensors(), random, 0.7);
  Scope s;
  s.functions = {{"φ", formula::entrywise(tanh_activation.value)},
                 {"φ'", formula::entrywise(tanh_activation.slope)}};
  checker.model(
      "4.9 4.10 4.5", hidden, e.X, squared_error(e.T),
      [](const auto& t) {
        return ConstTensors<double>{{"Z", t.Z}, {"H", t.H}, {"Y", t.Y}};
      },
      s);
  Bottleneck<double> squeezed({4, 2, 5});
  fill_normal(squeezed.tensors(), random);
  Bottleneck<double>::Trace t;
  squeezed.forward(e.X, t);
  WeightedRows rows{e.X, {.1, .3, .05, .15, .2, .12, .08}};
  Matrix<double> weight(1, 7);
  std::copy(rows.weight.begin(), rows.weight.end(), weight.values().begin());
  s.values = {{"X", e.X},
              {"E", squeezed.E},
              {"J", t.J},
              {"Y", t.Y},
              {"weight", weight},
              {"features", 4.0},
              {"loss", expected_error(t.Y, rows).value}};
  checker.holds("4.12 4.13", s);
  const ProductLayer<double>& layer = squeezed.net.layer;
  formula::Value F({4, 5, 5}, {});
  for (const Matrix<double>& table : folded(squeezed))
    F.numbers.insert(F.numbers.end(), table.values().begin(), table.values().end());
  s.values = {{"F", F},
              {"U", squeezed.net.U},
              {"w", over_features(squeezed.E, layer.W, layer.b)},
              {"v", over_features(squeezed.E, layer.V, layer.c)}};
  checker.holds("4.15", s);
}

void equations(formula::EquationChecker& checker) {
  Random random(1);
  const auto A = normal_matrix<double>(3, 4, 1, random), B = normal_matrix<double>(2, 4, 1, random);
  Scope s;
  s.values = {{"A", A},
              {"B", B},
              {"r", normal_matrix<double>(1, 3, 1, random)},
              {"s", normal_matrix<double>(1, 2, 1, random)}};
  s.functions["g"] = [&](const std::vector<formula::Value>& rows) {
    return hadamard(matmul(rows[0].matrix(), A), matmul(rows[1].matrix(), B));
  };
  checker.holds("4.1", s);
  forms(checker);
  models(checker);
  checker.instead("4.14", "a bound; part 9 claims it: exact where it holds, never beyond");
}

}  // namespace lesson4
