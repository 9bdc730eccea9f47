// Lesson 1, the model: a multi-layer perceptron, forward and backward by hand. Equation numbers are those of README.md.
// Rows are examples, Y = X·W + b, W is in x out; dX means d loss / d X and has the shape of X.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "activations.hpp"
#include "common/matrix.hpp"

struct Mlp {
  Activation activation;
  std::vector<Matrix<double>> W, b;  // layer l: widths[l] x widths[l+1] and 1 x widths[l+1]

  // All weights and biases zero. widths: inputs, hidden layers, outputs. Throws for fewer than two numbers.
  Mlp(Activation phi, const std::vector<std::size_t>& widths) : activation(phi) {
    if (widths.size() < 2) throw std::invalid_argument("a network needs the widths of its inputs and outputs");
    for (std::size_t l = 0; l + 1 < widths.size(); ++l) {
      W.emplace_back(widths[l], widths[l + 1]);
      b.emplace_back(1, widths[l + 1]);
    }
  }

  std::size_t layers() const { return W.size(); }

  Tensors<double> tensors() {
    Tensors<double> all;
    for (std::size_t l = 0; l < layers(); ++l) {
      all.push_back({"W" + std::to_string(l + 1), W[l]});
      all.push_back({"b" + std::to_string(l + 1), b[l]});
    }
    return all;
  }

  // What the backward pass needs to remember of the forward pass. H[0] is X; the last Z is the output.
  struct Trace {
    std::vector<Matrix<double>> H, Z;

    const Matrix<double>& output() const { return Z.back(); }
  };

  Trace forward(Matrix<double> X) const {
    Trace t;
    for (std::size_t l = 0; l < layers(); ++l) {
      t.H.push_back(l == 0 ? std::move(X) : map(t.Z[l - 1], activation.value));  // n x in    (1.2)
      t.Z.push_back(add_row(matmul(t.H[l], W[l]), b[l]));                        // n x out   (1.1)
    }
    return t;
  }

  struct Gradients;

  // dY is d loss / d output, n x outputs.
  Gradients backward(const Trace& t, const Matrix<double>& dY) const;
};

// The parameters' gradients stand in a model of the same shape under the same names: d.W[l] is d loss / d W[l].
struct Mlp::Gradients {
  Mlp d;
  Matrix<double> dX;
};

inline Mlp::Gradients Mlp::backward(const Trace& t, const Matrix<double>& dY) const {
  Gradients g{*this, {}};
  Matrix<double> dZ = dY;  // the output has no activation, back
  for (std::size_t l = layers(); l-- > 0;) {
    g.d.W[l] = matmul(transpose(t.H[l]), dZ);                   // in x out   (1.1) back
    g.d.b[l] = column_sums(dZ);                                 // 1 x out    (1.1) back
    Matrix<double> dH = matmul(dZ, transpose(W[l]));            // n x in     (1.1) back
    if (l == 0) g.dX = std::move(dH);                           // H[0] is X, back
    else dZ = hadamard(dH, map(t.Z[l - 1], activation.prime));  // n x in     (1.2) back
  }
  return g;
}
