// Lesson 4: the rivals, a hidden layer of ReLU or tanh units with a linear read-out (lesson 1 derives them), and where
// the training of ReLU units on XOR comes to rest. Forward and backward by hand: 5_hidden_net.cpp.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>

#include "lessons/4_bilinear_gates/model/2_product_net.hpp"

namespace lesson4 {

enum class Bend { relu, tanh };

struct HiddenForm {
  Bend bend;
  std::size_t in, units, out;
};

struct HiddenNet {
  using Number = double;

  HiddenForm form;
  Matrix<double> W, b;  // d x h, 1 x h
  Matrix<double> U, d;  // h x o, 1 x o

  // All parameters zero.
  explicit HiddenNet(const HiddenForm& f);

  // The start of training.
  HiddenNet(const HiddenForm& f, Random& random);

  Tensors<double> tensors();

  struct Trace {
    Matrix<double> Z, H, Y;
  };

  // X is n x d, t.Y n x o.
  void forward(const Matrix<double>& X, Trace& t) const;
  void backward(const Matrix<double>& X, const Trace& t, const Matrix<double>& dY, Gradients<HiddenNet>& g) const;

  // Return φ(z) and φ'(z) of every entry.
  Matrix<double> values(Matrix<double> Z) const;
  Matrix<double> slopes(Matrix<double> Z) const;
};

// Returns the loss at which a ReLU net on XOR is at rest, told from nothing but which units are on at which corners;
// nothing for tanh. When no unit bends, on at some corners and off at others, the net is affine, and the best affine
// map says 1/2 everywhere. Otherwise the corners at which all units are off share one value, at best their mean, and
// the others can be right where units enough are on. A single unit that bends, the others off everywhere, is not
// enough: it is that of part 3, wherever it is on.
std::optional<double> resting_loss(const HiddenNet& net);

// Return nothing: the slope of a product is a polynomial of its weights, 0 at points and in no region.
inline std::optional<double> resting_loss(const ProductLayer&) { return {}; }
inline std::optional<double> resting_loss(const ProductNet&) { return {}; }

}  // namespace lesson4
