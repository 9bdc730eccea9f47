// Exercise 3.5, solution: the backward pass of the whole BMLP.
// W2, u2 and W3 touch the output and are right; W1, u1 and X lie behind H and are wrong: so dH is. H reaches Y through
// W2 and through its mean, and the second path was missing: (1/h)·(dY·u2ᵀ)·1. It is as large as u2. With u2 near 0.01,
// as training starts, it changes dH by less than a hundredth: a check of norms that forgives 1 % forgives the bug, and
// by the time u2 has grown nobody checks any more. A check of every entry finds it even then, in the entries in which
// the other path is small. Parameters of size 1 give every path a voice.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/3_swish_vs_bmlp/model/04_means.hpp"
#include "lessons/3_swish_vs_bmlp/model/05_bmlp.hpp"

namespace ex3_5 {

using lesson3::Bmlp, lesson3::add_column;

// X is n x d. What `forward` of the model left in the trace: mX n x 1, H n x h, mH n x 1, Y n x o. dY is n x o.
inline Gradients<Bmlp<double>> backward(const Bmlp<double>& model, const Matrix<double>& X,
                                        const Bmlp<double>::Trace& trace, const Matrix<double>& dY) {
  const auto& [mX, H, mH, Y] = trace;
  Gradients<Bmlp<double>> g(model);
  g.d.W2 = matmul(transpose(H), dY);                           // h x o   back
  g.d.u2 = matmul(transpose(mH), dY);                          // 1 x o   back
  g.d.W3 = matmul(transpose(X), dY);                           // d x o   back
  const Matrix<double> dmH = matmul(dY, transpose(model.u2));  // n x 1   back
  Matrix<double> dH = matmul(dY, transpose(model.W2));         // n x h   back
  dH = add_column(dH, 1 / double(H.cols()) * dmH);             // n x h   back
  g.d.W1 = matmul(transpose(X), dH);                           // d x h   back
  g.d.u1 = matmul(transpose(mX), dH);                          // 1 x h   back
  const Matrix<double> dmX = matmul(dH, transpose(model.u1));  // n x 1   back
  g.dX = matmul(dH, transpose(model.W1));                      // n x d   back
  g.dX += matmul(dY, transpose(model.W3));                     // n x d   back
  g.dX = add_column(g.dX, 1 / double(X.cols()) * dmX);         // n x d   back
  return g;
}

}  // namespace ex3_5
