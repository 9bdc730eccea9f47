// Lesson 5, part 12: how near inputs come to what the weights allow. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/model/11_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "lessons/5_tensor_folding/model/08_svd.hpp"

namespace lesson5 {

double share_of_bound(const Net<float>& net, const std::vector<Eigen>& spectra, const Matrix<double>& X) {
  Net<double> precise(net.form);
  precise.W = Matrix<double>(net.W.view());
  precise.V = Matrix<double>(net.V.view());
  precise.U = Matrix<double>(net.U.view());
  const Matrix<double> Y = output(precise, X);
  double nearest = 0;
  for (std::size_t r = 0; r < X.rows(); ++r)
    for (std::size_t o = 0; o < Y.cols(); ++o) {
      const double bound = std::abs(spectra[o].values[0]) * squared_length(X.row(r));  // (5.25)
      nearest = std::max(nearest, std::abs(Y(r, o)) / bound);
    }
  return nearest;
}

double share_of_bound(const ReluNet<float>& net, const Matrix<double>& X) {
  const Svd of_W = svd(Matrix<double>(net.W.view()));
  const Matrix<float> Y = output(net, Matrix<float>(X.view()));
  const double b = std::sqrt(dot(net.b, net.b));
  double nearest = 0;
  for (std::size_t o = 0; o < Y.cols(); ++o) {
    double u = 0;
    for (std::size_t k = 0; k < net.U.rows(); ++k) u += double(net.U(k, o)) * double(net.U(k, o));
    for (std::size_t r = 0; r < X.rows(); ++r) {
      const double bound = std::sqrt(u) * (of_W.values[0] * std::sqrt(squared_length(X.row(r))) + b);
      nearest = std::max(nearest, std::abs(double(Y(r, o)) - double(net.d(0, o))) / bound);
    }
  }
  return nearest;
}

}  // namespace lesson5
