// Lesson 5, the model: embedding, product layer, unembedding. Forward and backward by hand: 02_net.cpp.
// Rows are examples; the names of all tensors are those of README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "common/model.hpp"

namespace lesson5 {

enum class Biases { with, without };

// Which parts a net has. Without an embedding the product layer sees X itself.
struct NetForm {
  std::size_t inputs = 0, embedding = 0, hidden = 0, outputs = 0;  // embedding: 0 for none
  Biases biases = Biases::with;

  std::size_t seen() const { return embedding ? embedding : inputs; }  // m: what the product layer sees
  bool operator==(const NetForm&) const = default;
};

template <class T>
struct Net {
  using Number = T;

  NetForm form;
  Matrix<T> E, e;        // inputs x m, 1 x m
  Matrix<T> W, b, V, c;  // m x h, 1 x h, twice
  Matrix<T> U, d;        // h x outputs, 1 x outputs; biases that are not there stay zero and are not listed

  // All parameters zero.
  explicit Net(const NetForm& f);

  // The start of training: weights N(0, 1/fan-in), biases 0.
  Net(const NetForm& f, Random& random);

  Tensors<T> tensors();  // E, e, W, b, V, c, U, d: those that the form has
  ConstTensors<T> tensors() const { return read_only(*this); }

  // What the backward pass needs to remember. Z is what the product layer sees; Y holds the logits.
  struct Trace {
    Matrix<T> Z, P, Q, H, Y;
  };

  // X is n x inputs, t.Y n x outputs.
  void forward(const Matrix<T>& X, Trace& t) const;
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<Net>& g) const;
};

}  // namespace lesson5
