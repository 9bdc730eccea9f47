// Lesson 5, part 14: a net of squares in the place of products. Forward and backward by hand: 14_squares.cpp.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include "lessons/5_tensor_folding/model/02_net.hpp"

namespace lesson5 {

struct SquareForm {
  std::size_t inputs = 0, hidden = 0, outputs = 0;
};

// P = X·W + b, H = P ⊙ P, Y = H·U + d.
template <class T>
struct SquareNet {
  using Number = T;

  SquareForm form;
  Matrix<T> W, b;  // inputs x h, 1 x h
  Matrix<T> U, d;  // h x outputs, 1 x outputs

  // All parameters zero.
  explicit SquareNet(const SquareForm& f);

  // The start of training: weights N(0, 1/fan-in), biases 0.
  SquareNet(const SquareForm& f, Random& random);

  Tensors<T> tensors() { return {{"W", W}, {"b", b}, {"U", U}, {"d", d}}; }
  ConstTensors<T> tensors() const { return read_only(*this); }

  struct Trace {
    Matrix<T> P, H, Y;  // Y holds the logits
  };

  // X is n x inputs, t.Y n x outputs.
  void forward(const Matrix<T>& X, Trace& t) const;
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<SquareNet>& g) const;
};

// Returns the product net without embedding as a net of twice as many squares, by pq = ((p + q)/2)² - ((p - q)/2)².
SquareNet<double> squares_of(const Net<double>& net);

// Returns the differences of order 0, 1, 2, ... of f along a line, as far as there are values: of each the largest |entry|
// over the places and the columns, as a part of that of f. Rows of Y are f at equal steps.   (5.32)
std::vector<double> differences_along(Matrix<double> Y);

}  // namespace lesson5
