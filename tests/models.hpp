// What the gradient tests of lessons ask of a model beside its slopes (gradients.hpp): exact slopes in quarters, gradients
// without that of X, in float, worked out by hand, and two models that are to be the same function.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "common/loss.hpp"
#include "tests/gradients.hpp"

// Draws all tensors as quarters (common/gradcheck.hpp).
inline void fill_quarters(const Tensors<double>& tensors, Random& random) {
  for (const auto& [name, tensor] : tensors) tensor = quarters(tensor.rows(), tensor.cols(), random);
}

// Returns the loss Σ R ⊙ Y, whose gradient is R.
inline auto weighted_by(const Matrix<double>& R) {
  return [R](const Matrix<double>& Y) { return Loss<double>{dot(R, Y), R}; };
}

// Checks a model whose outputs are at most quadratic in each of its tensors and in X through a weighted sum of them, exactly.
template <class Model>
void check_weighted(GradientTest& test, const std::string& name, Model model, Matrix<double> X, Random& random) {
  fill_quarters(model.tensors(), random);
  const Matrix<double> Y = output(model, X);
  test.model(name + ", weighted", model, X, weighted_by(quarters(Y.rows(), Y.cols(), random)), Step::quadratic);
}

// Returns the list of all gradients, that of X at the end.
template <class Model>
Tensors<typename Model::Number> with_X(Gradients<Model>& g) {
  Tensors<typename Model::Number> all = g.d.tensors();
  all.push_back({"X", g.dX});
  return all;
}

// Checks that the parameters' gradients are the same to the bit when nobody asks for that of X.
template <class Model, class LossOfY>
void check_without_dX(GradientTest& test, const std::string& name, const Model& model, const Matrix<double>& X,
                      LossOfY loss) {
  Gradients<Model> with = gradients(model, X, loss), without(model);
  typename Model::Trace trace;
  model.forward(X, trace);
  without.with_dX = false;
  model.backward(X, trace, loss(trace.Y).gradient, without);
  const Tensors<double> expected = with.d.tensors(), found = without.d.tensors();
  for (std::size_t t = 0; t < expected.size(); ++t)
    test.check.that(found[t].tensor == expected[t].tensor, name + ": d" + expected[t].name + " without dX");
}

// Checks the gradients of the same model in float, X's too, against those in double. `loss` takes outputs of either kind.
template <class Narrow, class Wide, class LossOfY>
void check_in_float(GradientTest& test, const std::string& name, Wide wide, Matrix<double> X, LossOfY loss) {
  Narrow narrow(wide.form);
  Matrix<float> narrow_X;
  Tensors<double> all = wide.tensors();
  Tensors<float> rounded = narrow.tensors();
  all.push_back({"X", X});
  rounded.push_back({"X", narrow_X});
  same_numbers(all, rounded);
  Gradients<Wide> expected = gradients(wide, X, loss);
  Gradients<Narrow> found = gradients(narrow, narrow_X, loss);
  test.in_float(name, with_X(found), with_X(expected));
}

// Returns the names of a model's tensors in a row, as WbVcUd.
template <class Model>
std::string names_in(const Model& model) {
  std::string all;
  for (const auto& [name, tensor] : model.tensors()) all += name;
  return all;
}

// A case worked out by hand.
struct ByHand {
  Matrix<double> X, Y, dY;
  std::vector<std::pair<std::string, Matrix<double>>> gradients;  // in the order of the tensors; X is last
};

// Checks it. Small whole numbers only, so nothing is rounded and everything must be equal.
template <class Model>
void check_by_hand(GradientTest& test, const std::string& name, const Model& model, const ByHand& expected) {
  typename Model::Trace trace;
  model.forward(expected.X, trace);
  test.check.that(trace.Y == expected.Y, name + " by hand: Y");
  Gradients<Model> g(model);
  model.backward(expected.X, trace, expected.dY, g);
  const Tensors<double> derived = with_X(g);
  test.check.that(derived.size() == expected.gradients.size(), name + " by hand: the number of tensors");
  for (std::size_t t = 0; t < std::min(derived.size(), expected.gradients.size()); ++t) {
    const auto& [tensor, gradient] = expected.gradients[t];
    test.check.that(derived[t].name == tensor && derived[t].tensor == gradient, name + " by hand: d" + tensor);
  }
}
