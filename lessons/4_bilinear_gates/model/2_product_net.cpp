// Lesson 4, the model: the forward and the backward pass of a product layer with a read-out. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/model/2_product_net.hpp"

#include <cmath>
#include <utility>

#include "common/initialize.hpp"

namespace lesson4 {

static LayerForm layer_of(const NetForm& f) { return {f.in, f.units, f.biases}; }

ProductNet::ProductNet(const NetForm& f) : form(f), layer(layer_of(f)), U(f.units, f.out), d(1, f.out) {}

ProductNet::ProductNet(const NetForm& f, Random& random)
    : form(f), layer(layer_of(f), random), U(uniform_weights<double>(f.units, f.out, random)), d(1, f.out) {
  if (f.biases == Biases::with) d = uniform_matrix<double>(1, f.out, 1 / std::sqrt(double(f.units)), random);
}

Tensors<double> ProductNet::tensors() {
  Tensors<double> all = layer.tensors();
  all.push_back({"U", U});
  if (form.biases == Biases::with) all.push_back({"d", d});
  return all;
}

// Room for the gradients of the layer alone.
static Gradients<ProductLayer> room_for(const ProductLayer& layer, bool with_dX) {
  Gradients<ProductLayer> room(layer);
  room.with_dX = with_dX;
  return room;
}

void ProductNet::forward(const Matrix<double>& X, Trace& t) const {
  layer.forward(X, t.layer);
  t.Y = add_row(matmul(t.layer.Y, U), d);  // n x o   (4.4)
}

void ProductNet::backward(const Matrix<double>& X, const Trace& t, const Matrix<double>& dY,
                          Gradients<ProductNet>& g) const {
  g.d.U = matmul(transpose(t.layer.Y), dY);            // h x o   (4.4) back
  g.d.d = column_sums(dY);                             // 1 x o   (4.4) back
  const Matrix<double> dH = matmul(dY, transpose(U));  // n x h   (4.4) back
  Gradients<ProductLayer> of_layer(room_for(layer, g.with_dX));
  layer.backward(X, t.layer, dH, of_layer);  // back
  g.d.layer = std::move(of_layer.d);         // back
  g.dX = std::move(of_layer.dX);             // back
}

}  // namespace lesson4
