// Lesson 3, part 1: the swish MLP. Forward and backward by hand: 03_swish.cpp. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/3_swish_vs_bmlp/model/02_readout.hpp"

namespace lesson3 {

enum class Biases { without, with };

struct SwishForm : Sizes {
  Biases biases = Biases::with;
};

template <class T>
struct Swish {
  using Number = T;

  SwishForm form;
  Matrix<T> W1, b1;    // d x h, 1 x h
  Readout<T> readout;  // W2, W3, b2; without biases b1 and b2 stay zero and are not listed

  // All parameters zero.
  explicit Swish(const SwishForm& f);

  // The start of training.
  Swish(const SwishForm& f, Random& random);

  Tensors<T> tensors();
  ConstTensors<T> tensors() const { return read_only(*this); }

  // What the backward pass needs to remember of the forward pass. G is σ(H).
  struct Trace {
    Matrix<T> H, G, S, Y;
  };

  // X is n x d, t.Y n x o.
  void forward(const Matrix<T>& X, Trace& t) const;
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<Swish>& g) const;
};

}  // namespace lesson3
