// Exercise 3.4, solution: the gradient of weights that are stored out x in.
// dW = Xᵀ·dY belongs to Y = X·W with W in x out. Here W is the transpose of that, and so is its gradient: dYᵀ·X, out x
// in. The wrong version computes all the right numbers and writes them in another order; since in·out = out·in, they
// fit the buffer, and each weight is moved by another weight's gradient. A matrix that knows its shape would have
// thrown.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include "common/matrix.hpp"

namespace ex3_4 {

struct Gradients {
  std::vector<double> dW;  // number for number in the order of W
  Matrix<double> dX;       // n x in
};

// X is n x in, dY is n x out, W holds out x in numbers, row after row. Throws std::invalid_argument for other counts.
inline Gradients backward(const Matrix<double>& X, const std::vector<double>& W, const Matrix<double>& dY) {
  const std::size_t in = X.cols(), out = dY.cols();
  check_shapes(W.size() == out * in, "backward", {out, in}, {1, W.size()});
  Gradients g{std::vector<double>(W.size()), {}};
  const View<const double> weights{W.data(), {out, in}, std::ptrdiff_t(in)};
  const View<double> dweights{g.dW.data(), {out, in}, std::ptrdiff_t(in)};
  matmul_into(dweights, transpose(dY), X);  // dW = dYᵀ·X, back
  g.dX = matmul(dY, weights);               // dX = dY·W, back
  return g;
}

}  // namespace ex3_4
