// Lesson 1: sends signals through deep random networks and back, and predicts what becomes of them. Equations:
// README.md.
// SPDX-License-Identifier: MIT
#include "lessons/1_math_refresh/model/3_signal.hpp"

#include <utility>

namespace lesson1 {

std::vector<Matrix<double>> unit_weights(const std::vector<std::size_t>& widths, Random& random) {
  std::vector<Matrix<double>> weights;
  for (std::size_t l = 0; l + 1 < widths.size(); ++l)
    weights.push_back(normal_matrix<double>(widths[l], widths[l + 1], 1, random));
  return weights;
}

// The mean is subtracted first; E[h²] - E[h]² would leave nothing but rounding where the inputs have become nearly
// equal.
double variance_across_inputs(const Matrix<double>& H) {
  const Matrix<double> mean = (-1 / double(H.rows())) * column_sums(H);
  return mean_square(add_row(H, mean));
}

double mean_over(const std::vector<double>& line, std::size_t first, std::size_t last) {
  double sum = 0;
  for (std::size_t l = first; l <= last; ++l) sum += line[l];
  return sum / double(last - first + 1);
}

double growth(const Signal& signal, std::size_t from, std::size_t to) {
  return std::pow(signal.backward[to] / signal.backward[from], 1 / double(from - to));
}

Signal send(const std::vector<Matrix<double>>& unit, Activation phi, VarianceRule variance, const Matrix<double>& X,
            Matrix<double> G) {
  Signal signal;
  std::vector<Matrix<double>> W, Z;
  Matrix<double> H = X;
  for (std::size_t l = 0; l <= unit.size(); ++l) {
    signal.forward.push_back(mean_square(H));
    signal.across.push_back(variance_across_inputs(H));
    if (l == unit.size()) break;
    W.push_back(std::sqrt(variance(double(unit[l].rows()), double(unit[l].cols()))) * unit[l]);
    Z.push_back(matmul(H, W[l]));
    H = map(Z[l], phi.value);
  }
  signal.backward.assign(unit.size() + 1, mean_square(G));
  for (std::size_t l = unit.size(); l-- > 0;) {
    const Matrix<double> dZ = hadamard(std::move(G), map(Z[l], phi.prime));  // batch x out   (1.2) back
    G = matmul(dZ, transpose(W[l]));                                         // batch x in    (1.1) back
    signal.backward[l] = mean_square(G);
  }
  signal.dX = std::move(G);  // back
  return signal;
}

std::vector<double> predicted_forward(Activation phi, double gain, double q, std::size_t layers) {
  std::vector<double> moments{q};
  for (std::size_t l = 0; l < layers; ++l) {
    q = gaussian_mean([phi](double z) { return phi.value(z) * phi.value(z); }, gain * q);
    moments.push_back(q);
  }
  return moments;
}

double relu_correlation(double c) {
  return (std::sqrt(1 - c * c) + (std::numbers::pi - std::acos(c)) * c) / std::numbers::pi;
}

}  // namespace lesson1
