// Exercise 3.5 (find the bug, 15 minutes): the BMLP's hidden layer, H = X·W1 + mean(X)·u1, as an
// object. It keeps its buffers from call to call. A gradient check that makes a new object for each
// loss finds nothing wrong. Compare what the first call returns with what the second does.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <utility>

#include "common/matrix.hpp"

namespace ex3_5 {

// TODO: find the bug and mend it; delete this line when you start.

class HiddenLayer {
 public:
  struct Gradients {
    Matrix<double> dW1, du1;
  };

  // For batches of n rows; W1 is in x h, u1 is 1 x h.
  HiddenLayer(std::size_t n, Matrix<double> W1, Matrix<double> u1)
      : W1_(std::move(W1)), u1_(std::move(u1)), X_(n, W1_.rows()), mX_(n, 1), H_(n, W1_.cols()) {}

  // X is n x in. The result, n x h, is good until the next call. Throws std::invalid_argument for
  // another shape.
  const Matrix<double>& forward(const Matrix<double>& X) {
    check_shapes(X.shape() == X_.shape(), "forward", X_.shape(), X.shape());
    X_ = X;
    for (std::size_t i = 0; i < X.rows(); ++i)
      for (const double x : X.row(i)) mX_(i, 0) += x / double(X.cols());
    matmul_into(H_, X, W1_);
    matmul_into(H_, mX_, u1_, Write::add);
    return H_;
  }

  // The gradients at the last X; dH is n x h.
  Gradients backward(const Matrix<double>& dH) const {
    return {matmul(transpose(X_), dH), matmul(transpose(mX_), dH)};
  }

 private:
  Matrix<double> W1_, u1_;     // in x h, 1 x h
  Matrix<double> X_, mX_, H_;  // n x in, n x 1, n x h
};

}  // namespace ex3_5
