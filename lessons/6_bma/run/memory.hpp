// Lesson 6: what the layers keep, in bytes: the matrices of a trace as they stand after a forward pass.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "language_model.hpp"

template <class T>
std::size_t bytes_of(const typename Attention<T>::Trace& t) {
  std::size_t numbers = 0;
  for (const Matrix<T>* A : {&t.Q, &t.K, &t.V, &t.G, &t.M, &t.A, &t.mask, &t.D, &t.C, &t.O, &t.Y}) numbers += A->size();
  return numbers * sizeof(T);
}

template <class T>
std::size_t bytes_of(const typename LanguageModel<T>::Trace& t) {
  std::size_t numbers = t.X.size() + t.mask.size() + t.logits.size();
  const auto norm = [](const typename LayerNorm<T>::Trace& n) { return n.N.size() + n.root.size() + n.Y.size(); };
  std::size_t bytes = 0;
  for (const auto& b : t.transformer.blocks) {
    numbers += norm(b.norm1) + norm(b.norm2) + b.mask1.size() + b.mask2.size();
    numbers += b.feed_forward.Z.size() + b.feed_forward.H.size() + b.feed_forward.Y.size();
    bytes += bytes_of<T>(b.attention);
  }
  return bytes + (numbers + norm(t.transformer.norm)) * sizeof(T);
}
