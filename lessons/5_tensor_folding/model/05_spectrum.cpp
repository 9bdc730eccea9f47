// Lesson 5, parts 5 to 9: what the eigenvectors of a net's slices say. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/model/05_spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lessons/5_tensor_folding/model/01_tensor.hpp"

namespace lesson5 {
namespace {

// The two matrices that make a slice, S = F·G·Fᵀ.
struct SliceFactors {
  Matrix<double> F, G;  // inputs x 2h, 2h x 2h
};

template <class T>
SliceFactors factors_of(const Net<T>& net, std::size_t o) {
  Matrix<double> W(net.W.view()), V(net.V.view());
  if (net.form.embedding) {
    const Matrix<double> E(net.E.view());
    W = matmul(E, W);
    V = matmul(E, V);
  }
  const std::size_t h = W.cols();
  SliceFactors s{Matrix<double>(W.rows(), 2 * h), Matrix<double>(2 * h, 2 * h)};
  for (std::size_t k = 0; k < h; ++k) {
    for (std::size_t i = 0; i < W.rows(); ++i) {
      s.F(i, k) = W(i, k);
      s.F(i, h + k) = V(i, k);
    }
    s.G(k, h + k) = s.G(h + k, k) = double(net.U(k, o)) / 2;
  }
  return s;
}

}  // namespace

template <class T>
Eigen eigen_through_factors(const Net<T>& net, std::size_t o) {
  const auto [F, G] = factors_of(net, o);
  const Eigen square = eigen_symmetric(matmul(transpose(F), F));
  // Sums of so many products, and rotations of so many columns, leave a μ uncertain by this share of the largest.
  const double uncertain = double(F.rows() + F.cols()) * std::numeric_limits<double>::epsilon();
  Matrix<double> root(F.cols(), F.cols()), inverse(F.cols(), F.cols());  // rows: r_k·√μ_k and r_k/√μ_k
  for (std::size_t k = 0; k < F.cols(); ++k) {
    if (square.values[k] <= uncertain * square.values[0]) continue;
    const double size = std::sqrt(square.values[k]);
    for (std::size_t j = 0; j < F.cols(); ++j) {
      root(k, j) = size * square.vectors(k, j);
      inverse(k, j) = square.vectors(k, j) / size;
    }
  }
  const Matrix<double> K = matmul(matmul(root, G), transpose(root));  // 2h x 2h   (5.14)
  Eigen small = eigen_symmetric(symmetric_part(K));  // where terms cancel, rounding is all that is left, not symmetric
  small.vectors = matmul(matmul(small.vectors, inverse), transpose(F));  // rows again, 2h x inputs
  return small;
}

template Eigen eigen_through_factors(const Net<float>&, std::size_t);
template Eigen eigen_through_factors(const Net<double>&, std::size_t);

double effective_rank(const std::vector<double>& values) {
  double sum = 0, squares = 0;
  for (const double value : values) {
    sum += std::abs(value);
    squares += value * value;
  }
  return squares > 0 ? sum * sum / squares : 0;  // (5.19)
}

Matrix<double> evaluate_truncated(const std::vector<Eigen>& spectra, const Matrix<double>& X, std::size_t kept) {
  Matrix<double> Y(X.rows(), spectra.size());
  for (std::size_t o = 0; o < spectra.size(); ++o) {
    const std::size_t count = std::min(kept, spectra[o].values.size());
    const Matrix<double> VX = matmul(X, transpose(row_block(spectra[o].vectors, 0, count)));  // n x count
    for (std::size_t r = 0; r < X.rows(); ++r)
      for (std::size_t k = 0; k < count; ++k) Y(r, o) += spectra[o].values[k] * VX(r, k) * VX(r, k);  // (5.18)
  }
  return Y;
}

std::size_t most_positive(const Eigen& eigen) {
  return std::size_t(std::max_element(eigen.values.begin(), eigen.values.end()) - eigen.values.begin());
}

std::size_t most_negative(const Eigen& eigen) {
  return std::size_t(std::min_element(eigen.values.begin(), eigen.values.end()) - eigen.values.begin());
}

double border_energy(std::span<const double> v, std::size_t rows, std::size_t cols) {
  double border = 0;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < cols; ++c)
      if (r == 0 || c == 0 || r + 1 == rows || c + 1 == cols) border += v[r * cols + c] * v[r * cols + c];
  return border;
}

}  // namespace lesson5
