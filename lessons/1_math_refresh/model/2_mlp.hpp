// Lesson 1, the model: a multi-layer perceptron. Forward and backward by hand: 2_mlp.cpp. Equation numbers: README.md.
// Rows are examples, Y = X·W + b, W is in x out; dX means d loss / d X and has the shape of X.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include "common/model.hpp"
#include "lessons/1_math_refresh/model/1_activations.hpp"

namespace lesson1 {

struct MlpForm {
  Activation activation;            // behind each layer but the last
  std::vector<std::size_t> widths;  // inputs, hidden layers, outputs
};

struct Mlp {
  using Number = double;

  MlpForm form;
  std::vector<Matrix<double>> W, b;  // layer l: widths[l] x widths[l+1] and 1 x widths[l+1]

  // All weights and biases zero. Throws std::invalid_argument for fewer than two widths.
  explicit Mlp(const MlpForm& f);

  std::size_t layers() const { return W.size(); }
  Tensors<double> tensors();  // W1, b1, W2, ...
  ConstTensors<double> tensors() const { return read_only(*this); }

  // What the backward pass needs to remember: H[l] is what layer l saw (H[0] is X), Z[l] what it made of that, before
  // its activation; what the last layer made is Y.
  struct Trace {
    std::vector<Matrix<double>> H, Z;
    Matrix<double> Y;
  };

  // X is n x inputs, t.Y n x outputs.
  void forward(const Matrix<double>& X, Trace& t) const;
  void backward(const Matrix<double>& X, const Trace& t, const Matrix<double>& dY, Gradients<Mlp>& g) const;
};

}  // namespace lesson1
