// Lesson 3: its equations, bound to what the program computes under their names
// (common/formula/equation_checker.hpp).
// SPDX-License-Identifier: MIT
#include "common/formula/equation_checker.hpp"
#include "lessons/3_swish_vs_bmlp/floors.hpp"
#include "lessons/3_swish_vs_bmlp/lesson.hpp"

namespace lesson3 {

using formula::Scope, formula::Value;
using Entries = ConstTensors<double>;

// Every model in its turn.
struct Models {
  formula::EquationChecker& checker;

  template <class Model, class Loss>
  void add(const std::string&, const Model& model, const Matrix<double>& X, const Loss& loss,
           Quadratic = {}) {
    Scope s;
    s.values = {{"ones", 1.0}, {"in", double(X.cols())}};
    if constexpr (std::is_same_v<Model, Bmlp<double>>) {
      s.values["h"] = double(model.W1.cols());
      checker.model(
          "3.4 3.5", model, X, loss,
          [](const auto& t) {
            return Entries{{"mX", t.mX}, {"H", t.H}, {"mH", t.mH}, {"Y", t.Y}};
          },
          s);
      Matrix<double> M = Matrix<double>(output(model, identity(X.cols())));
      s.values.insert({{"W1", model.W1},
                       {"u1", model.u1},
                       {"W2", model.W2},
                       {"u2", model.u2},
                       {"W3", model.W3},
                       {"M", M}});
      s.values.insert({{"X", X},
                       {"H", matmul(X, model.W1) + matmul(row_means(X), model.u1)},
                       {"Y", output(model, X)}});
      checker.holds("3.7", s);
    }
    if constexpr (std::is_same_v<Model, Swish<double>>) {
      s.values["z"] = -0.7;
      if (model.form.biases)
        checker.model(
            "3.1 3.2 3.3", model, X, loss,
            [](const auto& t) {
              return Entries{{"Z", t.layer.Z}, {"H", t.hidden}, {"Y", t.Y}};
            },
            s);
    }
    if constexpr (std::is_same_v<Model, GatedMean<double>>)
      checker.model(
          "3.8 3.3", model, X, loss,
          [](const auto& t) {
            return Entries{{"m", t.layer.m}, {"F", t.layer.F}, {"H", t.hidden}, {"Y", t.Y}};
          },
          s);
    if constexpr (std::is_same_v<Model, Product<double>>)
      checker.model("3.9 3.10 3.11 3.3", model, X, loss, [](const auto& t) {
        return Entries{{"P", t.layer.P}, {"Q", t.layer.Q}, {"H", t.hidden}, {"Y", t.Y}};
      });
    if constexpr (std::is_same_v<Model, Product2<double>>) {
      typename Model::Trace t;
      model.forward(X, t);
      const ProductLayer<double>& upper = model.layer.upper;
      s.values = {{"H", t.layer.H},
                  {"J", t.layer.J},
                  {"H~", t.hidden},
                  {"E", model.layer.E},
                  {"e", model.layer.e}};
      s.values.insert({{"W~", upper.W}, {"b~", upper.b}, {"V~", upper.V}, {"c~", upper.c}});
      checker.holds("3.12 3.13", s);
    }
  }
  template <class... Case>
  void test_only(const Case&...) {}

  static Matrix<double> identity(std::size_t n) {
    Matrix<double> I(n, n);
    for (std::size_t i = 0; i < n; ++i) I(i, i) = 1;
    return I;
  }
};

void equations(formula::EquationChecker& checker) {
  Models models{checker};
  visit_models(models);
  Random random(4);
  const auto [X, T] = case_batch(random);
  SwishGate<double> gate({{4, 5, 3}, 1.5});
  fill_normal(gate.tensors(), random, 0.7);
  Scope s;
  s.values = {{"β", gate.layer.beta}, {"z", -0.7}};
  s.functions["swish_β'"] = formula::entrywise([](double z) {
    return elementary::sigmoid(1.5 * z) * (1 + 1.5 * z * (1 - elementary::sigmoid(1.5 * z)));
  });
  checker.model(
      "3.9 3.10 3.14 3.15 3.3", gate, X, squared_error(T),
      [](const auto& t) {
        return Entries{
            {"P", t.layer.P}, {"Q", t.layer.Q}, {"G", t.layer.G}, {"H", t.hidden}, {"Y", t.Y}};
      },
      s);
  Scope least;
  least.values = {{"Φ", X}, {"T", T}, {"w", least_squares(X, T)}};
  checker.holds("3.6", least);
  for (const auto& [number, suite] :
       {std::pair<const char*, Suite>("3.16", suite_a), {"3.17", suite_b}}) {
    const Rows one = draw_rows(suite, 1, random);
    Scope targets;
    targets.values = {{"x", one.X}, {"y", one.T}};
    checker.holds(number, targets);
  }
  const auto f = [](const Matrix<double>& x) {
    return map(x, [](double z) { return z * z * z + 2; });
  };
  const auto row = [](const Value& v) {
    return v.is_number() ? Matrix<double>(1, 3) : v.matrix();
  };  // the row 0 is a 0
  Scope rows;
  for (const char* const name : {"x", "y", "s"})
    rows.values[name] = normal_matrix<double>(1, 3, 1, random);
  rows.functions["f"] = [&](const std::vector<Value>& a) { return f(row(a.at(0))); };
  rows.functions["D"] = [&](const std::vector<Value>& a) {
    return additivity(f, row(a.at(0)), row(a.at(1)));
  };
  rows.functions["DD"] = [&](const std::vector<Value>& a) {
    return additivity_twice(f, row(a.at(0)), row(a.at(2)), row(a.at(1)));
  };
  checker.holds("3.0", rows);
}

}  // namespace lesson3
