// Lesson 5, part 6: the rivals of the product net, a softmax classifier and a ReLU net, and counting what is right.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/model.hpp"
#include "common/support/digits.hpp"

namespace lesson5 {

struct LinearForm {
  std::size_t inputs = 0, outputs = 0;
};

// Y = X·W + b: softmax regression (lesson 2 derives its loss).
template <class T>
struct LinearNet {
  using Number = T;

  LinearForm form;
  Matrix<T> W, b;  // inputs x outputs, 1 x outputs

  // All parameters zero, which is also the start of training: there is one best place, and it is found from anywhere.
  explicit LinearNet(const LinearForm& f);
  LinearNet(const LinearForm& f, Random&) : LinearNet(f) {}

  Tensors<T> tensors() { return {{"W", W}, {"b", b}}; }
  ConstTensors<T> tensors() const { return read_only(*this); }

  struct Trace {
    Matrix<T> Y;  // the logits
  };

  // X is n x inputs, t.Y n x outputs.
  void forward(const Matrix<T>& X, Trace& t) const;
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<LinearNet>& g) const;
};

struct ReluForm {
  std::size_t inputs = 0, hidden = 0, outputs = 0;
};

// H = relu(X·W + b), Y = H·U + d (lesson 1).
template <class T>
struct ReluNet {
  using Number = T;

  ReluForm form;
  Matrix<T> W, b;  // inputs x h, 1 x h
  Matrix<T> U, d;  // h x outputs, 1 x outputs

  // All parameters zero.
  explicit ReluNet(const ReluForm& f);

  // The start of training: lesson 1's rule for ReLU in front, N(0, 1/fan-in) behind.
  ReluNet(const ReluForm& f, Random& random);

  Tensors<T> tensors() { return {{"W", W}, {"b", b}, {"U", U}, {"d", d}}; }
  ConstTensors<T> tensors() const { return read_only(*this); }

  struct Trace {
    Matrix<T> H, Y;  // Y holds the logits
  };

  // X is n x inputs, t.Y n x outputs.
  void forward(const Matrix<T>& X, Trace& t) const;
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<ReluNet>& g) const;
};

// Returns the column with the largest entry of each row: what a classifier answers. T is float or double.
template <class T>
std::vector<std::uint32_t> largest_of_rows(const Matrix<T>& logits);

// Returns the share of rows whose largest logit is that of the label. T is float or double.
template <class T>
double accuracy_of(const Matrix<T>& logits, const std::vector<std::uint32_t>& labels);

// Returns the share of the images that a model takes for what they are.
template <class Model>
double accuracy(const Model& model, const Images& images) {
  return accuracy_of(output(model, Matrix<typename Model::Number>(images.X.view())), images.labels);
}

}  // namespace lesson5
