// Two visitors of a lesson's models (common/model_losses.hpp): --export and claims.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/frame/files/checkpoint.hpp"
#include "common/frame/lesson/lesson.hpp"
#include "common/gradcheck.hpp"
#include "common/model_losses.hpp"

// Adds a model's parameters to a file and, on a batch, its output, loss and gradients.
struct Exports {
  safetensors::File file;
  std::string called = "Y";  // the output's name in the file

  template <class Model, class Input, class LossOfY>
  void add(const std::string& name, const Model& model, const Input& X, const LossOfY& loss,
           Quadratic = {}) {
    const auto Y = output(model, X);
    Gradients<Model> g = gradients(model, X, loss);
    add_tensors(file, name + ".param.", model.tensors());
    add_matrix(file, name + ".output." + called, Y);
    add_scalar(file, name + ".loss", loss(Y).value);
    add_tensors(file, name + ".grad.", g.parameters.tensors());
    if (g.dX.size() > 0) add_matrix(file, name + ".grad.X", g.dX);
  }
  template <class... Case>
  void test_only(const Case&...) {}
};

// Claims that every gradient is right: a right derivation leaves 1e-8, a wrong one 1e-4 (lesson 1,
// part 4).
struct GradientClaims {
  Lesson& lesson;

  template <class Model, class Input, class LossOfY>
  void add(const std::string& name, Model model, Input X, const LossOfY& loss, Quadratic = {}) {
    lesson.claim_gradients(name, check_model(model, X, loss), 1e-7);
  }
  template <class... Case>
  void test_only(const Case&...) {}
};
