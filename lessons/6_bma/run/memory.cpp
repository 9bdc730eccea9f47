// Lesson 6: what the layers keep, in bytes.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/run/memory.hpp"

#include "common/support/words.hpp"

namespace lesson6 {

std::size_t bytes_of(const GatedAttention<float>::Trace& t) {
  std::size_t numbers = 0;
  for (const Matrix<float>* A : {&t.Q, &t.K, &t.V, &t.G, &t.M, &t.A, &t.mask, &t.D, &t.C, &t.O, &t.Y})
    numbers += A->size();
  return numbers * sizeof(float);
}

static std::size_t bytes_of(const LayerNorm<float>::Trace& t) {
  return (t.N.size() + t.root.size() + t.Y.size()) * sizeof(float);
}

std::size_t bytes_of(const LanguageModel<float>::Trace& t) {
  std::size_t numbers = t.X.size() + t.mask.size() + t.Y.size(), bytes = bytes_of(t.transformer.norm);
  for (const auto& b : t.transformer.blocks) {
    bytes += bytes_of(b.norm1) + bytes_of(b.norm2) + bytes_of(b.attention);
    numbers += b.mask1.size() + b.mask2.size();
    numbers += b.feed_forward.Z.size() + b.feed_forward.H.size() + b.feed_forward.Y.size();
  }
  return bytes + numbers * sizeof(float);
}

std::string kilobytes(std::size_t bytes) { return fixed(double(bytes) / 1024, 0) + " KB"; }

}  // namespace lesson6
