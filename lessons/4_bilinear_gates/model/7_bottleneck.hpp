// Lesson 4: a bottleneck in front, n features squeezed into m numbers, X·E, which a product net reads. Forward and backward
// by hand: 7_bottleneck.cpp.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/4_bilinear_gates/model/2_product_net.hpp"

namespace lesson4 {

struct BottleneckForm {
  std::size_t features, numbers, units;
  Biases biases = Biases::with;
};

struct Bottleneck {
  using Number = double;

  BottleneckForm form;
  Matrix<double> E;  // features x m
  ProductNet net;

  // All parameters zero.
  explicit Bottleneck(const BottleneckForm& f);

  // The start of training: with biases, one factor of each unit starts near the constant 1, so that the unit starts linear.
  Bottleneck(const BottleneckForm& f, Random& random);

  Tensors<double> tensors();
  ConstTensors<double> tensors() const { return read_only(*this); }

  struct Trace {
    Matrix<double> Z;  // X·E
    ProductNet::Trace net;
    Matrix<double> Y;
  };

  // X and t.Y are n x features.
  void forward(const Matrix<double>& X, Trace& t) const;
  void backward(const Matrix<double>& X, const Trace& t, const Matrix<double>& dY, Gradients<Bottleneck>& g) const;
};

}  // namespace lesson4
