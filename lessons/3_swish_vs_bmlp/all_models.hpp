// Lesson 3: all its models in a list, which tests, claims and --export walk.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "common/model_losses.hpp"
#include "lessons/3_swish_vs_bmlp/published.hpp"

namespace lesson3 {

// Inputs and targets, a row for each example.
struct Rows {
  Matrix<double> X, T;

  std::size_t size() const { return X.rows(); }
};

// Draws inputs, and targets unrelated to them.
inline Rows normal_rows(std::size_t count, const Sizes& sizes, Random& random) {
  Rows rows;
  rows.X = normal_matrix<double>(count, sizes.in, 1, random);
  rows.T = normal_matrix<double>(count, sizes.out, 1, random);
  return rows;
}

// The sizes and the batch of what is exported.
inline constexpr Product2Form example_sizes{{.in = 4, .hidden = 5, .out = 3}, 6, 2};
inline Rows example_rows(Random& random) { return normal_rows(7, example_sizes, random); }

// Calls list(name, model, quadratic) with a model of each kind.
template <class List>
void list_kinds(const Product2Form& form, const List& list) {
  const Sizes& sizes = form;
  list("swish", Swish<double>({sizes, Biases::without}), Quadratic::none);
  list("swish_bias", Swish<double>({sizes, Biases::with}), Quadratic::none);
  list("bmlp", Bmlp<double>(sizes), Quadratic::all);
  list("gated_mean", GatedMean<double>(sizes), Quadratic::all);
  list("product", Product<double>(sizes), Quadratic::all);
  list("product2", Product2<double>(form), Quadratic::parameters);
  list("batch_bmlp", BatchBmlp<double>(sizes), Quadratic::all);
}

// Visits the lesson's models (common/model_losses.hpp).
template <class Visitor>
void visit_models(Visitor& visitor) {
  Random random(3);
  const Rows example = example_rows(random);
  const auto exported = [&](const std::string& name, auto model, Quadratic quadratic) {
    fill_normal(model.tensors(), random, 0.7);
    visitor.add(name, model, example.X, squared_error(example.T), quadratic);
  };
  const auto tested = [&](const std::string& name, auto model, Quadratic quadratic,
                          std::size_t count) {
    fill_normal(model.tensors(), random, 0.5);
    const Rows rows = normal_rows(count, model.form, random);
    visitor.test_only(name, model, rows.X, squared_error(rows.T), quadratic);
  };
  const auto tested_square = [&](const std::string& name, auto model, Quadratic quadratic) {
    tested(name + ", all square", model, quadratic, 4);
    tested(name + ", one row", model, quadratic, 1);
  };
  list_kinds(example_sizes, exported);
  constexpr Sizes square{4, 4, 4};  // a transpose too many keeps every shape
  list_kinds({square, 4, 4}, tested_square);
  for (const double beta : {0.5, 4.0})
    tested("gate " + std::to_string(beta), SwishGate<double>({{2, 4, 3}, beta}), Quadratic::none,
           8);
  // At β = 0 the gate is 1/2, which leaves a product layer.
  tested("gate 0", SwishGate<double>({{2, 4, 3}, 0}), Quadratic::all, 8);
  tested("gate, all square", SwishGate<double>({square, 1}), Quadratic::none, 4);
}

}  // namespace lesson3
