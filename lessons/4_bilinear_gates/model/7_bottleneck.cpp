// Lesson 4: the forward and the backward pass through a bottleneck. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/model/7_bottleneck.hpp"

#include <utility>

#include "common/initialize.hpp"

namespace lesson4 {

Bottleneck::Bottleneck(const BottleneckForm& f)
    : form(f), E(f.features, f.numbers), net({f.numbers, f.units, f.features, f.biases}) {}

Bottleneck::Bottleneck(const BottleneckForm& f, Random& random) : Bottleneck(f) {
  E = uniform_weights<double>(f.features, f.numbers, random);
  net.layer.W = uniform_weights<double>(f.numbers, f.units, random);
  net.layer.V = uniform_weights<double>(f.numbers, f.units, random);
  net.U = uniform_weights<double>(f.units, f.features, random);
  if (f.biases == Biases::with) net.layer.c = Matrix<double>(1, f.units, 1);
}

Tensors<double> Bottleneck::tensors() {
  Tensors<double> all{{"E", E}};
  for (const Named<Matrix<double>>& each : net.tensors()) all.push_back(each);
  return all;
}

void Bottleneck::forward(const Matrix<double>& X, Trace& t) const {
  t.Z = matmul(X, E);  // n x m   (4.13)
  net.forward(t.Z, t.net);
  t.Y = std::move(t.net.Y);
}

void Bottleneck::backward(const Matrix<double>& X, const Trace& t, const Matrix<double>& dY,
                          Gradients<Bottleneck>& g) const {
  Gradients<ProductNet> of_net(net);
  net.backward(t.Z, t.net, dY, of_net);     // back
  g.d.net = std::move(of_net.d);            // back
  g.d.E = matmul(transpose(X), of_net.dX);  // features x m   (4.13) back
  if (!g.with_dX) return;                   // nobody needs it in training
  g.dX = matmul(of_net.dX, transpose(E));   // n x features   (4.13) back
}

}  // namespace lesson4
