// Exercise 3.2 (transfer, 15 minutes): the gradient of weights that are stored out x in.
// The program behind the BMLP keeps W with one row for each output, so Y = X·Wᵀ. Weights and gradients are plain runs
// of numbers there: each use says which shape they have, and no check can object. Training with this backward pass
// neither works nor crashes; a very small learning rate makes it look stable. `make exercise3` compares gradients with
// numbers.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include "common/matrix.hpp"

namespace ex3_2 {

// TODO: find the bug and mend it; delete this line when you start.

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
  const View<double> dweights{g.dW.data(), {in, out}, std::ptrdiff_t(out)};
  matmul_into(dweights, transpose(X), dY);  // dW = Xᵀ·dY
  g.dX = matmul(dY, weights);               // dX = dY·W
  return g;
}

}  // namespace ex3_2
