// Exercise 6.8, solution: another norm, forward and backward.
// With r = 1/√(mean + ε) and mean = Σx²/d: ∂mean/∂x_j = 2·x_j/d, so ∂r/∂x_j = -½·r³·2·x_j/d = -r²·N_j/d, and
// ∂N_l/∂x_j = r·(δ_jl - N_j·N_l/d). The term -1/d of layer norm came through the mean of x, which is not taken away here.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>

#include "common/matrix.hpp"

namespace ex6_8 {

inline constexpr double epsilon = 1e-5;

struct Gradients {
  Matrix<double> dX, dgain;
};

// 1/√(mean of x² + ε) of row i.
inline double inverse_size(const Matrix<double>& X, std::size_t i) {
  double squares = 0;
  for (const double x : X.row(i)) squares += x * x;
  return 1 / std::sqrt(squares / double(X.cols()) + epsilon);
}

inline Matrix<double> forward(const Matrix<double>& X, const Matrix<double>& gain) {
  Matrix<double> Y(X.rows(), X.cols());
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t j = 0; j < X.cols(); ++j) Y(i, j) = gain(0, j) * X(i, j) * inverse_size(X, i);
  return Y;
}

inline Gradients backward(const Matrix<double>& X, const Matrix<double>& gain, const Matrix<double>& dY) {
  Gradients g{Matrix<double>(X.rows(), X.cols()), Matrix<double>(1, X.cols())};
  for (std::size_t i = 0; i < X.rows(); ++i) {
    const double r = inverse_size(X, i);
    double along = 0;  // the mean of dN ⊙ N
    for (std::size_t j = 0; j < X.cols(); ++j)
      along += gain.values()[j] * dY(i, j) * X(i, j) * r / double(X.cols());  // back
    for (std::size_t j = 0; j < X.cols(); ++j) {
      g.dX(i, j) = r * (gain.values()[j] * dY(i, j) - X(i, j) * r * along);  // back
      g.dgain(0, j) += dY(i, j) * X(i, j) * r;                               // back
    }
  }
  return g;
}

}  // namespace ex6_8
