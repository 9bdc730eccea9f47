// Exercise 3.5 (find the bug, 15 minutes, medium): the BMLP's whole backward pass, with the published gap.
// H = X·W1 + mean(X)·u1, Y = H·W2 + mean(H)·u2 + X·W3. Every line below is right in itself. Something is missing, and
// as long as u1 and u2 are small, most numbers hardly show it. `make exercise3` draws parameters of size 1 instead:
// which gradients are right, which are wrong, and what do the wrong ones have in common?
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/3_swish_vs_bmlp/model/04_means.hpp"
#include "lessons/3_swish_vs_bmlp/model/05_bmlp.hpp"

namespace ex3_5 {

using lesson3::Bmlp, lesson3::add_column;

// X is n x d. What `forward` of the model left in the trace: mX n x 1, H n x h, mH n x 1, Y n x o. dY is n x o.
inline Gradients<Bmlp<double>> backward(const Bmlp<double>& model, const Matrix<double>& X,
                                        const Bmlp<double>::Trace& trace, const Matrix<double>& dY) {
  // TODO: find what is missing and add it.
  const auto& [mX, H, mH, Y] = trace;
  Gradients<Bmlp<double>> g(model);
  g.d.W2 = matmul(transpose(H), dY);                           // h x o
  g.d.u2 = matmul(transpose(mH), dY);                          // 1 x o
  g.d.W3 = matmul(transpose(X), dY);                           // d x o
  const Matrix<double> dH = matmul(dY, transpose(model.W2));   // n x h
  g.d.W1 = matmul(transpose(X), dH);                           // d x h
  g.d.u1 = matmul(transpose(mX), dH);                          // 1 x h
  const Matrix<double> dmX = matmul(dH, transpose(model.u1));  // n x 1
  g.dX = matmul(dH, transpose(model.W1));                      // n x d
  g.dX += matmul(dY, transpose(model.W3));                     // n x d
  g.dX = add_column(g.dX, 1 / double(X.cols()) * dmX);         // n x d
  return g;
}

}  // namespace ex3_5
