// Exercise 4.5, solution: the backward pass of a product layer with a read-out, Y = H·U + d.
// U and d are right, all that lies behind the product is wrong, and the wrong dW is the right dV: each factor was given
// its own value as its slope, but the slope of p·q in p is q. With V = W and c = b both factors are equal, and so are
// the right and the wrong lines. Training keeps it so, since dV = dW and dc = db: the bug never shows, and all that the
// net can ever compute are squares with weights. A gradient check must draw every parameter by itself.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/4_bilinear_gates/model/2_product_net.hpp"

namespace ex4_5 {

using lesson4::ProductLayer;
using lesson4::ProductNet;

// t is what net.forward(X, t) left: t.layer holds P, Q and H. X is n x d, dY is n x o.
inline Gradients<ProductNet> backward(const ProductNet& net, const Matrix<double>& X, const ProductNet::Trace& t,
                                      const Matrix<double>& dY) {
  const ProductLayer& layer = net.layer;
  const auto& [P, Q, H] = t.layer;
  Gradients<ProductNet> g(net);
  g.d.U = matmul(transpose(H), dY);                                        // h x o   back
  g.d.d = column_sums(dY);                                                 // 1 x o   back
  const Matrix<double> dH = matmul(dY, transpose(net.U));                  // n x h   back
  const Matrix<double> dP = hadamard(dH, Q);                               // n x h   back
  const Matrix<double> dQ = hadamard(dH, P);                               // n x h   back
  g.d.layer.W = matmul(transpose(X), dP);                                  // d x h   back
  g.d.layer.b = column_sums(dP);                                           // 1 x h   back
  g.d.layer.V = matmul(transpose(X), dQ);                                  // d x h   back
  g.d.layer.c = column_sums(dQ);                                           // 1 x h   back
  g.dX = matmul(dP, transpose(layer.W)) + matmul(dQ, transpose(layer.V));  // n x d   back
  return g;
}

}  // namespace ex4_5
