// Exercise 4.5 (find the bug, 10 minutes, easy): the backward pass of a product layer with a read-out, Y = H·U + d.
// Started with V = W and c = b, which our XOR by hand has, too, this trains without fault, and a gradient check finds
// nothing. `make exercise4` draws V and c anew. Which gradients are wrong then? Look for their numbers elsewhere.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/4_bilinear_gates/model/2_product_net.hpp"

namespace ex4_5 {

using lesson4::ProductLayer;
using lesson4::ProductNet;

// t is what net.forward(X, t) left: t.layer holds P, Q and H. X is n x d, dY is n x o.
inline Gradients<ProductNet> backward(const ProductNet& net, const Matrix<double>& X, const ProductNet::Trace& t,
                                      const Matrix<double>& dY) {
  // TODO: find the bug and mend it.
  const ProductLayer& layer = net.layer;
  const auto& [P, Q, H] = t.layer;
  Gradients<ProductNet> g(net);
  g.d.U = matmul(transpose(H), dY);                                        // h x o
  g.d.d = column_sums(dY);                                                 // 1 x o
  const Matrix<double> dH = matmul(dY, transpose(net.U));                  // n x h
  const Matrix<double> dP = hadamard(dH, P);                               // n x h
  const Matrix<double> dQ = hadamard(dH, Q);                               // n x h
  g.d.layer.W = matmul(transpose(X), dP);                                  // d x h
  g.d.layer.b = column_sums(dP);                                           // 1 x h
  g.d.layer.V = matmul(transpose(X), dQ);                                  // d x h
  g.d.layer.c = column_sums(dQ);                                           // 1 x h
  g.dX = matmul(dP, transpose(layer.W)) + matmul(dQ, transpose(layer.V));  // n x d
  return g;
}

}  // namespace ex4_5
