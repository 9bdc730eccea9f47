// Lesson 6: what the layer computes, said in other ways: with a gate for each pair of tokens, as one bilinear form for each
// head, and as one matrix from value to output. For parts 1, 2 and 9, which confront them with the layer.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "attention.hpp"

// Mixtures of one sequence with a gate inside the sum: C_i = Σ_j A_ij·(g ⊙ V_j), where g is the gate of the attending token i
// or of the value's own token j. By the definition, pair by pair; A is heads·tokens x tokens, the others tokens x d.   (6.19)
enum class WhoseGate { attending, own };
inline Matrix<double> gated_mixtures(const Attention<double>::Trace& t, std::size_t heads, WhoseGate whose) {
  const std::size_t tokens = t.V.rows(), width = t.V.cols() / heads;
  Matrix<double> C(tokens, t.V.cols());
  for (std::size_t i = 0; i < tokens; ++i)
    for (std::size_t j = 0; j < tokens; ++j)
      for (std::size_t k = 0; k < C.cols(); ++k)
        C(i, k) += t.A(k / width * tokens + i, j) * t.G(whose == WhoseGate::own ? j : i, k) * t.V(j, k);
  return C;
}

// The square of a head's scores: q_i·k_j = x_i·(Wq·Wkᵀ)·x_jᵀ, without biases. d x d of rank dh at most.   (6.20)
inline Matrix<double> score_form(const Attention<double>& a, std::size_t h) {
  const std::size_t width = a.form.head_width();
  return matmul(column_block(a.Wq, h * width, width), transpose(column_block(a.Wk, h * width, width)));
}

// What a head does to a token that it attends to: x_j·(Wv·Wo), without biases and gates. d x d of rank dh at most.   (6.21)
inline Matrix<double> output_form(const Attention<double>& a, std::size_t h) {
  const std::size_t width = a.form.head_width();
  return matmul(column_block(a.Wv, h * width, width), row_block(a.Wo, h * width, width));
}
