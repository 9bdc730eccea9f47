// Lesson 1: what becomes of a signal in a deep random network, forward and backward, and what theory says of it.
// Everything is measured with the second moment E[h²], the mean of the squares of all entries. Equations: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "activations.hpp"
#include "common/matrix.hpp"

// One matrix of N(0, 1) numbers for each pair of neighbouring widths. An experiment scales them, so that two rows of its
// table differ in the scale alone and not in the luck of the draw.
inline std::vector<Matrix<double>> unit_weights(const std::vector<std::size_t>& widths, Random& random) {
  std::vector<Matrix<double>> weights;
  for (std::size_t l = 0; l + 1 < widths.size(); ++l)
    weights.push_back(normal_matrix<double>(widths[l], widths[l + 1], 1, random));
  return weights;
}

// The mean over units of the variance over examples: how far apart the network still holds its inputs. The mean is
// subtracted first; E[h²] - E[h]² would leave nothing but rounding where the inputs have become nearly equal.
inline double variance_across_inputs(const Matrix<double>& H) {
  const Matrix<double> mean = (-1 / double(H.rows())) * column_sums(H);
  return mean_square(add_row(H, mean));
}

// What was measured at layer 0 (the inputs), 1, ..., L.
struct Signal {
  std::vector<double> forward;   // E[h²]
  std::vector<double> across;    // variance across inputs
  std::vector<double> backward;  // E[g²], g = d loss / d h, for a g drawn at random behind the last layer
  Matrix<double> dX;             // g at the inputs
};

// What a line of a signal is on average over the layers first, ..., last.
inline double mean_over(const std::vector<double>& line, std::size_t first, std::size_t last) {
  double sum = 0;
  for (std::size_t l = first; l <= last; ++l) sum += line[l];
  return sum / double(last - first + 1);
}

// The factor by which E[g²] of the gradient changes in each layer on its way back from layer `from` to layer `to`.
inline double growth(const Signal& signal, std::size_t from, std::size_t to) {
  return std::pow(signal.backward[to] / signal.backward[from], 1 / double(from - to));
}

// Which variance the weights of a layer get, given how many numbers go in and come out.
using VarianceRule = double (*)(double in, double out);

// Sends X through h ← φ(h·W) layer by layer, and G, drawn behind the last layer, back again.
inline Signal send(const std::vector<Matrix<double>>& unit, Activation phi, VarianceRule variance,
                   const Matrix<double>& X, Matrix<double> G) {
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

// E[f(z)] for z ~ N(0, q), by the trapezoid rule out to 12 standard deviations: exact to rounding for smooth f, because
// the bell curve and all its slopes vanish at both ends.
template <class F>
double gaussian_mean(F f, double q) {
  constexpr int points = 2400;
  constexpr double reach = 12, step = 2 * reach / points;
  double sum = 0;
  for (int k = 0; k <= points; ++k) {
    const double z = -reach + k * step;
    sum += std::exp(-z * z / 2) * f(std::sqrt(q) * z);
  }
  return sum * step / std::sqrt(2 * std::numbers::pi);
}

// The theory for infinitely wide layers: q ← E[φ(z)²], z ~ N(0, gain·q), where gain = n·Var W.   (1.12)
inline std::vector<double> predicted_forward(Activation phi, double gain, double q, std::size_t layers) {
  std::vector<double> moments{q};
  for (std::size_t l = 0; l < layers; ++l) {
    q = gaussian_mean([phi](double z) { return phi.value(z) * phi.value(z); }, gain * q);
    moments.push_back(q);
  }
  return moments;
}

// What a ReLU layer makes of the correlation c of two inputs of equal length.   (1.14)
inline double relu_correlation(double c) {
  return (std::sqrt(1 - c * c) + (std::numbers::pi - std::acos(c)) * c) / std::numbers::pi;
}
