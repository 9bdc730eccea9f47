// Lesson 3, part 7: a product whose first factor passes through swish_β: at β = 0 a product layer, at β = 1 SwiGLU, at
// large β ReGLU. Forward and backward by hand: 14_swish_gate.cpp. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/3_swish_vs_bmlp/model/10_product.hpp"

namespace lesson3 {

struct GateForm : Sizes {
  double beta = 1;  // fixed, not trained
};

template <class T>
struct SwishGate {
  using Number = T;

  GateForm form;
  Product<T> product;  // a product layer's factors and read-out, and their start

  // All parameters zero.
  explicit SwishGate(const GateForm& f);

  // The start of training.
  SwishGate(const GateForm& f, Random& random);

  Tensors<T> tensors() { return product.tensors(); }

  // What the backward pass needs to remember. G is σ(βP), S is swish_β(P).
  struct Trace {
    Matrix<T> P, G, S, Q, H, Y;
  };

  // X is n x d, t.Y n x o.
  void forward(const Matrix<T>& X, Trace& t) const;
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<SwishGate>& g) const;
};

}  // namespace lesson3
