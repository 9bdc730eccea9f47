// Lesson 4: the rivals, a hidden layer of ReLU or tanh units with a linear read-out (lesson 1 derives them).
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include "product_layer.hpp"

enum class Bend { relu, tanh };

struct HiddenNet {
  Bend bend;
  Matrix<double> W, b;  // d x h, 1 x h
  Matrix<double> U, d;  // h x o, 1 x o

  // All parameters zero.
  HiddenNet(Bend phi, std::size_t in, std::size_t hidden, std::size_t out)
      : bend(phi), W(in, hidden), b(1, hidden), U(hidden, out), d(1, out) {}

  // The start of training.
  HiddenNet(Bend phi, std::size_t in, std::size_t hidden, std::size_t out, Random& random)
      : HiddenNet(phi, in, hidden, out) {
    W = uniform_weights<double>(in, hidden, random);
    b = uniform_matrix<double>(1, hidden, 1 / std::sqrt(double(in)), random);
    U = uniform_weights<double>(hidden, out, random);
    d = uniform_matrix<double>(1, out, 1 / std::sqrt(double(hidden)), random);
  }

  Tensors<double> tensors() { return {{"W", W}, {"b", b}, {"U", U}, {"d", d}}; }

  struct Trace {
    Matrix<double> X, Z, H, Y;

    const Matrix<double>& output() const { return Y; }
  };

  double value(double z) const { return bend == Bend::relu ? (z > 0 ? z : 0) : std::tanh(z); }
  double slope(double z) const {
    const double h = value(z);
    return bend == Bend::relu ? (z > 0 ? 1 : 0) : 1 - h * h;  // (4.11) back
  }

  Trace forward(Matrix<double> X) const {
    Trace t;
    t.X = std::move(X);
    t.Z = add_row(matmul(t.X, W), b);                       // n x h   (4.10)
    t.H = map(t.Z, [this](double z) { return value(z); });  // n x h   (4.11)
    t.Y = add_row(matmul(t.H, U), d);                       // n x o   (4.4)
    return t;
  }

  struct Gradients;

  // dY is d loss / d Y, n x o.
  Gradients backward(const Trace& t, const Matrix<double>& dY) const;
};

struct HiddenNet::Gradients {
  HiddenNet d;
  Matrix<double> dX;
};

inline HiddenNet::Gradients HiddenNet::backward(const Trace& t, const Matrix<double>& dY) const {
  Gradients g{HiddenNet(bend, W.rows(), W.cols(), U.cols()), {}};
  g.d.U = matmul(transpose(t.H), dY);                                                       // h x o   (4.4) back
  g.d.d = column_sums(dY);                                                                  // 1 x o   (4.4) back
  const Matrix<double> dH = matmul(dY, transpose(U));                                       // n x h   (4.4) back
  const Matrix<double> dZ = hadamard(dH, map(t.Z, [this](double z) { return slope(z); }));  // n x h   (4.11) back
  g.d.W = matmul(transpose(t.X), dZ);                                                       // d x h   (4.10) back
  g.d.b = column_sums(dZ);                                                                  // 1 x h   (4.10) back
  g.dX = matmul(dZ, transpose(W));                                                          // n x d   (4.10) back
  return g;
}
