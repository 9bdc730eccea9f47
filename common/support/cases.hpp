// Two who walk the list of a lesson's models (common/cases.hpp): what --export writes, and what a part claims.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "common/cases.hpp"
#include "common/gradcheck.hpp"
#include "common/support/checkpoint.hpp"
#include "common/support/lesson.hpp"

// Adds every model with its output, loss and gradients to a file.
struct Exports {
  safetensors::File file;
  std::string called = "Y";  // the output, in the file

  template <class Model, class Input, class LossOfY>
  void add(const std::string& name, const Model& model, const Input& X, const LossOfY& loss, Quadratic = {}) {
    add_model(file, name, called, model, X, loss);
  }
  template <class... Case>
  void also(const Case&...) {}
};

// Claims that every gradient of every model is right: a right derivation leaves 1e-8, a wrong one 1e-4 (lesson 1, part 4).
struct GradientClaims {
  Lesson& lesson;

  template <class Model, class Input, class LossOfY>
  void add(const std::string& name, Model model, Input X, const LossOfY& loss, Quadratic = {}) {
    lesson.claim_gradients(name, check_model(model, X, loss), 1e-7);
  }
  template <class... Case>
  void also(const Case&...) {}
};
