// Lesson 1: what becomes of a signal in a deep random network, forward and backward, and what theory says of it.
// Everything is measured with the second moment E[h²], the mean of the squares of all entries. Equations: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "common/matrix.hpp"
#include "lessons/1_math_refresh/model/1_activations.hpp"

namespace lesson1 {

// Draws one matrix of N(0, 1) numbers for each pair of neighbouring widths. An experiment scales them, so that two rows
// of its table differ in the scale alone and not in the luck of the draw.
std::vector<Matrix<double>> unit_weights(const std::vector<std::size_t>& widths, Random& random);

// Returns the mean over units of the variance over examples: how far apart the network still holds its inputs.
double variance_across_inputs(const Matrix<double>& H);

// What was measured at layer 0 (the inputs), 1, ..., L.
struct Signal {
  std::vector<double> forward;   // E[h²]
  std::vector<double> across;    // variance across inputs
  std::vector<double> backward;  // E[g²], g = d loss / d h, for a g drawn at random behind the last layer
  Matrix<double> dX;             // g at the inputs
};

// Returns what a line of a signal is on average over the layers first, ..., last.
double mean_over(const std::vector<double>& line, std::size_t first, std::size_t last);

// Returns the factor by which E[g²] of the gradient changes in each layer on its way back from layer `from` to layer
// `to`.
double growth(const Signal& signal, std::size_t from, std::size_t to);

// Which variance the weights of a layer get, given how many numbers go in and come out.
using VarianceRule = double (*)(double in, double out);

// Sends X through h ← φ(h·W) layer by layer, and G, drawn behind the last layer, back again.
Signal send(const std::vector<Matrix<double>>& unit, Activation phi, VarianceRule variance, const Matrix<double>& X,
            Matrix<double> G);

// Returns E[f(z)] for z ~ N(0, q), by the trapezoid rule out to 12 standard deviations: exact to rounding for smooth f,
// because the bell curve and all its slopes vanish at both ends.
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

// Returns the theory for infinitely wide layers: q ← E[φ(z)²], z ~ N(0, gain·q), where gain = n·Var W, for q and after
// each of so many layers.   (1.12)
std::vector<double> predicted_forward(Activation phi, double gain, double q, std::size_t layers);

// Returns what a ReLU layer makes of the correlation c of two inputs of equal length.   (1.14)
double relu_correlation(double c);

}  // namespace lesson1
