// Lesson 4, the model: the forward and the backward pass of a product layer. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/model/1_product_layer.hpp"

#include <cmath>

#include "common/initialize.hpp"

namespace lesson4 {

ProductLayer::ProductLayer(const LayerForm& f)
    : form(f), W(f.in, f.units), b(1, f.units), V(f.in, f.units), c(1, f.units) {}

ProductLayer::ProductLayer(const LayerForm& f, Random& random) : ProductLayer(f) {
  for (const auto& [name, tensor] : tensors())
    tensor = uniform_matrix<double>(tensor.rows(), f.units, 1 / std::sqrt(double(f.in)), random);
}

Tensors<double> ProductLayer::tensors() {
  if (form.biases == Biases::without) return {{"W", W}, {"V", V}};
  return {{"W", W}, {"b", b}, {"V", V}, {"c", c}};
}

void ProductLayer::forward(const Matrix<double>& X, Trace& t) const {
  t.P = add_row(matmul(X, W), b);  // n x h   (4.1)
  t.Q = add_row(matmul(X, V), c);  // n x h   (4.2)
  t.Y = hadamard(t.P, t.Q);        // n x h   (4.3)
}

void ProductLayer::backward(const Matrix<double>& X, const Trace& t, const Matrix<double>& dH,
                            Gradients<ProductLayer>& g) const {
  const Matrix<double> dP = hadamard(dH, t.Q);      // n x h   (4.3) back
  const Matrix<double> dQ = hadamard(dH, t.P);      // n x h   (4.3) back
  g.d.V = matmul(transpose(X), dQ);                 // d x h   (4.2) back
  g.d.c = column_sums(dQ);                          // 1 x h   (4.2) back
  g.d.W = matmul(transpose(X), dP);                 // d x h   (4.1) back
  g.d.b = column_sums(dP);                          // 1 x h   (4.1) back
  if (!g.with_dX) return;                           // nobody needs it in training
  g.dX = matmul(dQ, transpose(V));                  // n x d   (4.2) back
  matmul_into(g.dX, dP, transpose(W), Write::add);  // n x d   (4.1) back
}

}  // namespace lesson4
