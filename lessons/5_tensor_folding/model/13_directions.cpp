// Lesson 5, part 13: features from the weights alone. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/model/13_directions.hpp"

#include <algorithm>
#include <cmath>

#include "lessons/5_tensor_folding/model/03_fold.hpp"
#include "lessons/5_tensor_folding/model/05_spectrum.hpp"

namespace lesson5 {

// Returns the net behind its embedding: what it makes of the m numbers.
static Net<double> behind_embedding(const Net<double>& net) {
  Net<double> behind({net.form.seen(), 0, net.form.hidden, net.form.outputs});
  behind.W = net.W;
  behind.b = net.b;
  behind.V = net.V;
  behind.c = net.c;
  behind.U = net.U;
  behind.d = net.d;
  return behind;
}

Matrix<double> directions_from_weights(const Net<double>& net, Basis basis) {
  const std::size_t m = net.form.seen();
  const Tensor3 S = symmetric(fold(behind_embedding(net)));
  Matrix<double> linear(S.outputs(), m), found(S.outputs(), m), N = identity(m);
  for (std::size_t o = 0; o < S.outputs(); ++o)
    for (std::size_t i = 0; i < m; ++i) linear(o, i) = S(o, i, m);
  if (basis == Basis::balanced)
    N = matrix_function(matmul(transpose(linear), linear), [](double value) { return 1 / std::sqrt(value); });
  for (std::size_t o = 0; o < S.outputs(); ++o) {
    const Matrix<double> quadratic(row_block(column_block(S.slices[o], 0, m), 0, m));
    const Eigen eigen = eigen_symmetric(symmetric_part(matmul(matmul(N, quadratic), N)));
    const Matrix<double> v = matmul(row_block(eigen.vectors, most_positive(eigen), 1), N);  // 1 x m   (5.28)
    double agreement = 0;
    for (std::size_t i = 0; i < m; ++i) agreement += v(0, i) * linear(o, i);
    for (std::size_t i = 0; i < m; ++i) found(o, i) = agreement < 0 ? -v(0, i) : v(0, i);
  }
  return found;
}

Net<double> in_another_basis(Net<double> net, Random& random) {
  const std::size_t m = net.form.seen();
  const auto B = normal_matrix<double>(m, m, 1, random);
  const Matrix<double> stretch = matmul(transpose(B), B);
  const auto A = matrix_function(stretch, [](double value) { return std::sqrt(value); });
  const auto inverse = matrix_function(stretch, [](double value) { return 1 / std::sqrt(value); });
  net.E = matmul(net.E, A);
  net.W = matmul(inverse, net.W);
  net.V = matmul(inverse, net.V);
  return net;
}

std::size_t recovered(const Matrix<double>& truth, const Matrix<double>& found) {
  const Matrix<double> cosines = matmul(unit_rows(truth), transpose(unit_rows(found)));
  std::size_t count = 0;
  for (std::size_t i = 0; i < cosines.rows(); ++i)
    count += *std::max_element(cosines.row(i).begin(), cosines.row(i).end()) > 0.95;
  return count;
}

Matrix<double> pseudo_inverse(const Matrix<double>& D) {
  return matmul(matrix_function(matmul(transpose(D), D), [](double value) { return 1 / value; }), transpose(D));
}

}  // namespace lesson5
