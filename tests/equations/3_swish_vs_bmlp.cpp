// Binds lesson 3's equations to what the program computes.
// SPDX-License-Identifier: MIT
#include "common/frame/formula/equation_checker.hpp"
#include "lessons/3_swish_vs_bmlp/floors.hpp"
#include "lessons/3_swish_vs_bmlp/lesson.hpp"

namespace lesson3 {

using formula::Scope, formula::Value;
using Entries = ConstTensors<double>;

// Models without equations of their own match no overload.
struct Models {
  formula::EquationChecker& checker;

  template <class Model, class Loss>
  void add(const std::string&, const Model& model, const Matrix<double>& X, const Loss& loss,
           Quadratic = {}) {
    bind(model, X, loss);
  }
  template <class... Case>
  void test_only(const Case&...) {}

 private:
  template <class Model, class Loss>
  void bind(const Model&, const Matrix<double>&, const Loss&) {}

  template <class Loss>
  void bind(const Bmlp<double>& model, const Matrix<double>& X, const Loss& loss) {
    Scope s;
    s.values = {{"ones", 1.0}, {"in", double(model.form.in)}, {"h", double(model.form.hidden)}};
    const auto trace = [](const auto& t) {
      return Entries{{"mX", t.mX}, {"H", t.H}, {"mH", t.mH}, {"Y", t.Y}};
    };
    checker.model("3.4 3.5", model, X, loss, trace, s);
    for (const auto& [name, tensor] : model.tensors()) s.values[name] = tensor;
    Matrix<double> unit_vectors(X.cols(), X.cols());
    for (std::size_t i = 0; i < X.cols(); ++i) unit_vectors(i, i) = 1;
    s.values["X"] = X;
    s.values["H"] = matmul(X, model.W1) + matmul(row_means(X), model.u1);
    s.values["Y"] = output(model, X);
    s.values["M"] = output(model, unit_vectors);
    checker.holds("3.7", s);
  }

  template <class Loss>
  void bind(const BatchBmlp<double>& model, const Matrix<double>& X, const Loss& loss) {
    Scope s;
    s.values["n"] = double(X.rows());
    const auto trace = [](const auto& t) {
      return Entries{{"mX", t.mX}, {"H", t.H}, {"mH", t.mH}, {"Y", t.Y}};
    };
    checker.model("3.15 3.16", model, X, loss, trace, s);
  }

  template <class Loss>
  void bind(const Swish<double>& model, const Matrix<double>& X, const Loss& loss) {
    if (!model.has_biases()) return;
    Scope s;
    s.values["z"] = -0.7;
    const auto trace = [](const auto& t) {
      return Entries{{"Z", t.layer.Z}, {"H", t.hidden}, {"Y", t.Y}};
    };
    checker.model("3.1 3.2 3.3", model, X, loss, trace, s);
  }

  template <class Loss>
  void bind(const GatedMean<double>& model, const Matrix<double>& X, const Loss& loss) {
    Scope s;
    s.values = {{"ones", 1.0}, {"in", double(model.form.in)}};
    const auto trace = [](const auto& t) {
      return Entries{{"m", t.layer.m}, {"F", t.layer.F}, {"H", t.hidden}, {"Y", t.Y}};
    };
    checker.model("3.17 3.3", model, X, loss, trace, s);
  }

  template <class Loss>
  void bind(const Product<double>& model, const Matrix<double>& X, const Loss& loss) {
    const auto trace = [](const auto& t) {
      return Entries{{"P", t.layer.P}, {"Q", t.layer.Q}, {"H", t.hidden}, {"Y", t.Y}};
    };
    checker.model("3.8 3.9 3.10 3.3", model, X, loss, trace);
  }

  template <class Loss>
  void bind(const Product2<double>& model, const Matrix<double>& X, const Loss&) {
    Product2<double>::Trace t;
    model.forward(X, t);
    Scope s;
    s.values = {{"H", t.layer.H}, {"J", t.layer.J}, {"H~", t.hidden}};
    for (const auto& [name, tensor] : model.tensors()) s.values[name] = tensor;
    checker.holds("3.11 3.12", s);
  }
};

void equations(formula::EquationChecker& checker) {
  Models models{checker};
  visit_models(models);
  Random random(4);
  const Rows example = example_rows(random);
  SwishGate<double> gate({{4, 5, 3}, 1.5});
  fill_normal(gate.tensors(), random, 0.7);
  Scope s;
  s.values = {{"β", gate.layer.beta}, {"z", -0.7}};
  s.functions["swish_β'"] = formula::entrywise([](double z) {
    return elementary::sigmoid(1.5 * z) * (1 + 1.5 * z * (1 - elementary::sigmoid(1.5 * z)));
  });
  const auto trace = [](const auto& t) {
    return Entries{
        {"P", t.layer.P}, {"Q", t.layer.Q}, {"G", t.layer.G}, {"H", t.hidden}, {"Y", t.Y}};
  };
  checker.model("3.8 3.9 3.13 3.14 3.3", gate, example.X, squared_error(example.T), trace, s);
  Scope least;
  least.values = {{"Φ", example.X}, {"T", example.T}, {"w", least_squares(example.X, example.T)}};
  checker.holds("3.6", least);
  for (const auto& [number, suite] :
       {std::pair<const char*, Suite>("3.18", suite_a), {"3.19", suite_b}}) {
    const Rows one = draw_rows(suite, 1, random);
    Scope targets;
    targets.values = {{"x", one.X}, {"y", one.T}};
    checker.holds(number, targets);
  }
  const auto f = [](const Matrix<double>& x) {
    return map_entries(x, [](double z) { return z * z * z + 2; });
  };
  const auto row = [](const Value& v) {  // the row 0 is a 0
    return v.is_number() ? Matrix<double>(1, 3) : v.matrix();
  };
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
