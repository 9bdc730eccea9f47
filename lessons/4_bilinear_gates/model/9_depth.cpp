// Lesson 4, part 10: sends a signal through product layers.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/model/9_depth.hpp"

#include <cmath>

namespace lesson4 {

// h times what brings its second moment to q.
static Matrix<double> brought_to(double q, const Matrix<double>& h) { return std::sqrt(q / mean_square(h)) * h; }

Matrix<double> wired(Wiring wiring, const Matrix<double>& H, const Matrix<double>& W, const Matrix<double>& V) {
  const Matrix<double> h = wiring == Wiring::norm || wiring == Wiring::both ? brought_to(1, H) : H;
  const Matrix<double> product = hadamard(matmul(h, W), matmul(h, V));
  return wiring == Wiring::residual || wiring == Wiring::both ? H + product : product;
}

Matrix<double> log_moments(const std::vector<Chain>& chains, std::size_t width, std::size_t layers, Random random) {
  Matrix<double> logs(chains.size(), layers + 1);
  const auto x = normal_matrix<double>(1, width, 1, random);
  std::vector<Matrix<double>> H;
  for (std::size_t c = 0; c < chains.size(); ++c) {
    H.push_back(brought_to(chains[c].start, x));
    logs(c, 0) = std::log10(mean_square(H[c]));
  }
  const double deviation = 1 / std::sqrt(double(width));
  for (std::size_t l = 1; l <= layers; ++l) {
    const auto W = normal_matrix<double>(width, width, deviation, random);
    const auto V = normal_matrix<double>(width, width, deviation, random);
    for (std::size_t c = 0; c < chains.size(); ++c) {
      H[c] = wired(chains[c].wiring, H[c], W, V);
      logs(c, l) = std::log10(mean_square(H[c]));
    }
  }
  return logs;
}

}  // namespace lesson4
