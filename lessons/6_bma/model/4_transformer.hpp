// Lesson 6, the model: transformer blocks around the attention; forward and backward by hand: 4_transformer.cpp. The
// residual stream X is one matrix that each branch adds to; its gradient dX passes through unchanged and collects what
// comes back through the branches. n rows are tokens, d is the width. dX means d loss / d X. Equation numbers:
// README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include "lessons/6_bma/model/2_gates.hpp"
#include "lessons/6_bma/model/3_layers.hpp"

namespace lesson6 {

struct TransformerForm {
  Gate gate = Gate::standard;
  std::size_t layers = 1, heads = 1, width = 0;
  bool causal = true, biases = true;
  double dropout = 0;  // of attention weights, of each branch, and of the embeddings

  GatedForm attention() const { return {gate, width, heads, causal, biases, dropout}; }
};

// X += attention(norm(X)), then X += feed-forward(norm(X)): norms stand before the branches (Xiong et al.
// 2020).   (6.18)
template <class T>
struct Block {
  LayerNorm<T> norm1;
  GatedAttention<T> attention;
  LayerNorm<T> norm2;
  FeedForward<T> feed_forward;
  double dropout;

  explicit Block(const TransformerForm& f);

  Tensors<T> tensors();

  struct Trace {
    typename LayerNorm<T>::Trace norm1, norm2;
    typename GatedAttention<T>::Trace attention;
    typename FeedForward<T>::Trace feed_forward;
    Matrix<T> mask1, mask2;  // dropout of the two branches
  };
  struct Room {
    typename GatedAttention<T>::Room attention;
    typename FeedForward<T>::Room feed_forward;
    Matrix<T> dbranch, dN;  // n x d: what enters a branch, and what comes out of it
  };

  // Changes the residual stream X, n x d.
  void forward(Matrix<T>& X, Layout layout, Trace& t, Random* random) const;

  // Makes of the gradient dX behind the block the one before it.
  void backward(Matrix<T>& dX, Layout layout, const Trace& t, Room& room, Block& d) const;
};

// Blocks one after the other, and a last norm.
template <class T>
struct Transformer {
  TransformerForm form;
  std::vector<Block<T>> blocks;
  LayerNorm<T> norm;

  // All weights zero. Throws std::invalid_argument when the heads do not divide the width.
  explicit Transformer(const TransformerForm& f);

  Tensors<T> tensors();

  struct Trace {
    std::vector<typename Block<T>::Trace> blocks;
    typename LayerNorm<T>::Trace norm;  // norm.Y is the output, n x d
  };
  struct Room {
    typename Block<T>::Room block;  // one is enough for all
  };

  // Changes the residual stream X, n x d.
  void forward(Matrix<T>& X, Layout layout, Trace& t, Random* random) const;

  // From the gradient of t.norm.Y to that of the X that came in.
  void backward(Layout layout, const Trace& t, const Matrix<T>& dY, Room& room, Transformer& d, Matrix<T>& dX) const;
};

}  // namespace lesson6
