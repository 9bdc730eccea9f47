// Lesson 5, part 9: patterns that fool a net, and what they do to images. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/model/07_fooling.hpp"

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "lessons/5_tensor_folding/model/05_spectrum.hpp"
#include "lessons/5_tensor_folding/model/06_classifiers.hpp"

namespace lesson5 {

Net<double> contrast(const Net<float>& net, std::size_t target) {
  NetForm form = net.form;
  form.outputs = 1;
  Net<double> one(form);
  one.W = Matrix<double>(net.W.view());
  one.V = Matrix<double>(net.V.view());
  for (std::size_t k = 0; k < net.U.rows(); ++k) {
    double mean = 0;
    for (const float u : net.U.row(k)) mean += double(u) / double(net.U.cols());
    one.U(k, 0) = double(net.U(k, target)) - mean;
  }
  return one;
}

Matrix<double> times_M(const Net<double>& one, const Matrix<double>& X) {
  Matrix<double> P = matmul(X, one.W), Q = matmul(X, one.V);  // n x h
  for (std::size_t r = 0; r < X.rows(); ++r)
    for (std::size_t k = 0; k < P.cols(); ++k) {
      P(r, k) *= one.U(k, 0) / 2;
      Q(r, k) *= one.U(k, 0) / 2;
    }
  return matmul(P, transpose(one.V)) + matmul(Q, transpose(one.W));  // n x inputs
}

Matrix<double> unit(const Matrix<double>& A) { return 1 / std::sqrt(dot(A, A)) * A; }

Matrix<double> fooling_direction(const Net<double>& one) {
  const Eigen eigen = eigen_through_factors(one, 0);
  const Matrix<double> v(row_block(eigen.vectors, most_positive(eigen), 1));
  return (std::accumulate(v.values().begin(), v.values().end(), 0.0) < 0 ? -1.0 : 1.0) * v;  // (5.20)
}

Matrix<double> ink_direction(const Net<double>& one) { return unit(times_M(one, Matrix<double>(1, one.W.rows(), 1))); }

template <class Model>
Attack attack(const Model& net, const Images& images, std::size_t target, std::span<const double> direction,
              double size) {
  Matrix<float> moved = images.X;
  for (std::size_t i = 0; i < moved.rows(); ++i)
    for (std::size_t j = 0; j < direction.size(); ++j) moved(i, j) += float(size * direction[j]);
  const std::vector<std::uint32_t> found = largest_of_rows(output(net, moved));
  Attack result;
  std::size_t others = 0, fooled = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    others += images.labels[i] != target;
    fooled += images.labels[i] != target && found[i] == target;
    result.accuracy += double(found[i] == images.labels[i]) / double(found.size());
  }
  result.success = others > 0 ? double(fooled) / double(others) : 0;
  return result;
}

template Attack attack(const Net<float>&, const Images&, std::size_t, std::span<const double>, double);
template Attack attack(const ReluNet<float>&, const Images&, std::size_t, std::span<const double>, double);

}  // namespace lesson5
