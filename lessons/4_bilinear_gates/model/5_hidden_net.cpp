// Lesson 4: the forward and the backward pass of the rivals, and where they stop. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/model/5_hidden_net.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "common/initialize.hpp"
#include "lessons/4_bilinear_gates/model/3_gates.hpp"

namespace lesson4 {

HiddenNet::HiddenNet(const HiddenForm& f) : form(f), W(f.in, f.units), b(1, f.units), U(f.units, f.out), d(1, f.out) {}

HiddenNet::HiddenNet(const HiddenForm& f, Random& random) : HiddenNet(f) {
  W = uniform_weights<double>(f.in, f.units, random);
  b = uniform_matrix<double>(1, f.units, 1 / std::sqrt(double(f.in)), random);
  U = uniform_weights<double>(f.units, f.out, random);
  d = uniform_matrix<double>(1, f.out, 1 / std::sqrt(double(f.units)), random);
}

Tensors<double> HiddenNet::tensors() { return {{"W", W}, {"b", b}, {"U", U}, {"d", d}}; }

static double value(Bend bend, double z) { return bend == Bend::relu ? (z > 0 ? z : 0) : std::tanh(z); }

static double slope(Bend bend, double z) {
  const double h = value(bend, z);
  return bend == Bend::relu ? (z > 0 ? 1 : 0) : 1 - h * h;  // (4.11) back
}

Matrix<double> HiddenNet::values(Matrix<double> Z) const {
  return map(std::move(Z), [this](double z) { return value(form.bend, z); });
}

Matrix<double> HiddenNet::slopes(Matrix<double> Z) const {
  return map(std::move(Z), [this](double z) { return slope(form.bend, z); });  // (4.11) back
}

void HiddenNet::forward(const Matrix<double>& X, Trace& t) const {
  t.Z = add_row(matmul(X, W), b);    // n x h   (4.10)
  t.H = values(t.Z);                 // n x h   (4.11)
  t.Y = add_row(matmul(t.H, U), d);  // n x o   (4.4)
}

void HiddenNet::backward(const Matrix<double>& X, const Trace& t, const Matrix<double>& dY,
                         Gradients<HiddenNet>& g) const {
  g.d.U = matmul(transpose(t.H), dY);                   // h x o   (4.4) back
  g.d.d = column_sums(dY);                              // 1 x o   (4.4) back
  const Matrix<double> dH = matmul(dY, transpose(U));   // n x h   (4.4) back
  const Matrix<double> dZ = hadamard(dH, slopes(t.Z));  // n x h   (4.11) back
  g.d.W = matmul(transpose(X), dZ);                     // d x h   (4.10) back
  g.d.b = column_sums(dZ);                              // 1 x h   (4.10) back
  if (!g.with_dX) return;                               // nobody needs it in training
  g.dX = matmul(dZ, transpose(W));                      // n x d   (4.10) back
}

std::optional<double> resting_loss(const HiddenNet& net) {
  if (net.form.bend != Bend::relu) return {};
  HiddenNet::Trace trace;
  net.forward(corner_rows(), trace);
  const Matrix<double>& Z = trace.Z;
  std::size_t bending = 0;
  for (std::size_t k = 0; k < Z.cols(); ++k) {
    std::size_t on = 0;
    for (std::size_t i = 0; i < Z.rows(); ++i) on += Z(i, k) > 0;
    bending += on > 0 && on < Z.rows();
  }
  double silent = 0, ones = 0;  // corners at which all units are off, and those of them where a 1 is wanted
  for (std::size_t i = 0; i < Z.rows(); ++i) {
    const std::span<const double> row = Z.row(i);
    if (std::any_of(row.begin(), row.end(), [](double z) { return z > 0; })) continue;
    ++silent;
    ones += gate_named("XOR").truth[i];
  }
  if (bending == 0) return 1.0 / 4;
  if (silent == 0) return 0;
  if (bending == 1) return 1.0 / 6;
  return ones * (silent - ones) / silent / 4;  // Σ (t - mean)² of zeros and ones, a mean over four corners
}

}  // namespace lesson4
