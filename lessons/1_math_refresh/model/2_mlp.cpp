// Lesson 1, the model: the forward and the backward pass of a multi-layer perceptron. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/1_math_refresh/model/2_mlp.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace lesson1 {

Mlp::Mlp(const MlpForm& f) : form(f) {
  if (f.widths.size() < 2) throw std::invalid_argument("a network needs the widths of its inputs and outputs");
  for (std::size_t l = 0; l + 1 < f.widths.size(); ++l) {
    W.emplace_back(f.widths[l], f.widths[l + 1]);
    b.emplace_back(1, f.widths[l + 1]);
  }
}

Tensors<double> Mlp::tensors() {
  Tensors<double> all;
  for (std::size_t l = 0; l < layers(); ++l) {
    all.push_back({std::string("W").append(std::to_string(l + 1)), W[l]});
    all.push_back({std::string("b").append(std::to_string(l + 1)), b[l]});
  }
  return all;
}

void Mlp::forward(const Matrix<double>& X, Trace& t) const {
  t = {};
  t.H.push_back(X);
  for (std::size_t l = 0; l < layers(); ++l) {
    t.Y = add_row(matmul(t.H[l], W[l]), b[l]);       // n x out   (1.1)
    if (l + 1 == layers()) return;                   // the output has no activation
    t.H.push_back(map(t.Y, form.activation.value));  // n x out   (1.2)
    t.Z.push_back(std::move(t.Y));
  }
}

void Mlp::backward(const Matrix<double>& /* t.H[0] */, const Trace& t, const Matrix<double>& dY,
                   Gradients<Mlp>& g) const {
  Matrix<double> dZ = dY;  // the output has no activation, back
  for (std::size_t l = layers(); l-- > 0;) {
    g.d.W[l] = matmul(transpose(t.H[l]), dZ);                        // in x out   (1.1) back
    g.d.b[l] = column_sums(dZ);                                      // 1 x out    (1.1) back
    Matrix<double> dH = matmul(dZ, transpose(W[l]));                 // n x in     (1.1) back
    if (l == 0) g.dX = std::move(dH);                                // H[0] is X, back
    else dZ = hadamard(dH, map(t.Z[l - 1], form.activation.prime));  // n x in     (1.2) back
  }
}

}  // namespace lesson1
