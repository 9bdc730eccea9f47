// What all models of the course have in common. A model is made from its form, the sizes and the
// parts that it has, and rows are examples:
//
//   Model(form)                all parameters zero
//   Model(form, random)        the start of training, unless the lesson studies that very thing
//   tensors()                  the parameters by name, in forward order
//   forward(X, trace)          trace.Y is what the model makes of the batch X; the rest is what
//                              backward needs
//   backward(X, trace, dY, g)  from dY = d loss / d Y: g.parameters holds d loss / d parameter
//                              under the parameter's own name, and g.dX is d loss / d X; both are
//                              set, not added to
//
// A layer inside a model does the same with its own part of the gradients: backward(..., d, dX), in
// which d.W is d loss / d W. It sets dX, too, unless the line says that it adds: Write::add, +=, or
// the name of what it calls, as lesson 3's add_back.
// X is a matrix, or what the model takes instead: symbols that are looked up have no dX.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "common/random.hpp"

// For models where biases are a choice.
enum class Biases { without, with };

// One tensor of a model. Gradient check, optimizer and files walk lists of them.
template <class M>
struct Named {
  std::string name;
  M& tensor;
};
template <class T>
using Tensors = std::vector<Named<Matrix<T>>>;
template <class T>
using ConstTensors = std::vector<Named<const Matrix<T>>>;

// Returns the list for `tensors() const`. Nothing is written through the cast.
template <class Model>
ConstTensors<typename Model::Number> read_only(const Model& model) {
  ConstTensors<typename Model::Number> all;
  for (const auto& [name, tensor] : const_cast<Model&>(model).tensors())
    all.push_back({name, tensor});
  return all;
}

template <class Model>
std::size_t parameters_of(const Model& model) {
  std::size_t count = 0;
  for (const auto& [name, tensor] : read_only(model)) count += tensor.size();
  return count;
}

// What a backward pass works in. A model whose training is to make no new matrices has a
// struct Scratch.
template <class Model>
struct ScratchOf {};
template <class Model>
requires requires { typename Model::Scratch; }
struct ScratchOf<Model> : Model::Scratch {};

template <class Model>
struct Gradients {
  Model parameters;  // parameters.W is d loss / d W
  Matrix<typename Model::Number> dX;
  bool with_dX = true;  // false: nobody needs dX, as in training, and backward may leave it out
  ScratchOf<Model> scratch;

  explicit Gradients(const Model& of) : parameters(of.form) {}
};

template <class Model, class Input>
Matrix<typename Model::Number> output(const Model& model, const Input& X) {
  typename Model::Trace trace;
  model.forward(X, trace);
  return std::move(trace.Y);
}

// A pass forward and back over a batch. A training loop keeps one from step to step.
template <class Model>
struct Pass {
  typename Model::Trace trace;
  Gradients<Model> g;

  explicit Pass(const Model& model) : g(model) { g.with_dX = false; }

  Tensors<typename Model::Number> gradients() { return g.parameters.tensors(); }

  // Returns the loss, with its gradients in g; `loss_of` makes a Loss of Y.
  template <class Input, class LossOfY>
  double run(const Model& model, const Input& X, const LossOfY& loss_of) {
    model.forward(X, trace);
    const auto loss = loss_of(trace.Y);
    model.backward(X, trace, loss.gradient, g);  // back
    return loss.value;
  }
};

template <class Model, class Input, class LossOfY>
Gradients<Model> gradients(const Model& model, const Input& X, const LossOfY& loss_of) {
  Pass<Model> pass(model);
  pass.g.with_dX = true;
  pass.run(model, X, loss_of);
  return std::move(pass.g);
}

// Draws all tensors anew, N(0, deviation²).
template <class T>
void fill_normal(const Tensors<T>& tensors, Random& random, double deviation = 1) {
  for (const auto& [name, tensor] : tensors)
    tensor = normal_matrix<T>(tensor.rows(), tensor.cols(), deviation, random);
}
