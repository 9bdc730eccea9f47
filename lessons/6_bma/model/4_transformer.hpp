// Lesson 6: transformer blocks around the attention, forward and backward by hand. The residual stream X is one matrix that
// each branch adds to; its gradient dX passes through unchanged and collects what comes back through the branches.
// n rows are tokens, d is the width. dX means d loss / d X. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "attention.hpp"
#include "layers.hpp"

struct TransformerForm {
  Gate gate = Gate::standard;
  std::size_t layers = 1, heads = 1, width = 0;
  bool causal = true, biases = true;
  double dropout = 0;  // of attention weights, of each branch, and of the embeddings

  AttentionForm attention() const { return {gate, width, heads, causal, biases, dropout}; }
};

// Appends γ and β under their PyTorch names.
template <class T>
void append(Tensors<T>& all, const std::string& prefix, LayerNorm<T>& norm) {
  all.push_back({prefix + "weight", norm.gain});
  if (norm.shift.size() > 0) all.push_back({prefix + "bias", norm.shift});
}

// X += attention(norm(X)), then X += feed-forward(norm(X)): norms stand before the branches (Xiong et al. 2020).
template <class T>
struct Block {
  LayerNorm<T> norm1;
  Attention<T> attention;
  LayerNorm<T> norm2;
  FeedForward<T> feed_forward;
  double dropout;

  explicit Block(const TransformerForm& f)
      : norm1(f.width, f.biases),
        attention(f.attention()),
        norm2(f.width, f.biases),
        feed_forward(f.width, f.biases),
        dropout(f.dropout) {}

  void append_to(Tensors<T>& all, const std::string& prefix) {
    append(all, prefix + "norm1.", norm1);
    for (const Named<T>& named : attention.tensors(prefix + "attn.")) all.push_back(named);
    append(all, prefix + "norm2.", norm2);
    FeedForward<T>& f = feed_forward;
    for (const Named<T>& named : {Named<T>{"W1", f.W1}, {"b1", f.b1}, {"W2", f.W2}, {"b2", f.b2}})
      if (named.tensor.size() > 0) all.push_back({prefix + "mlp." + named.name, named.tensor});
  }

  struct Trace {
    typename LayerNorm<T>::Trace norm1, norm2;
    typename Attention<T>::Trace attention;
    typename FeedForward<T>::Trace feed_forward;
    Matrix<T> mask1, mask2;  // dropout of the two branches
  };

  void forward(Matrix<T>& X, const Layout& layout, Trace& t, Random* random) const {
    norm1.forward(X, t.norm1);                                  // n x d   (6.10)
    attention.forward(t.norm1.Y, layout, t.attention, random);  // n x d   (6.1) to (6.9)
    draw_mask(t.mask1, X.rows(), X.cols(), dropout, random);    //         (6.12)
    add_branch(X, t.attention.Y, t.mask1);                      // n x d   (6.13)
    norm2.forward(X, t.norm2);                                  // n x d   (6.10)
    feed_forward.forward(t.norm2.Y, t.feed_forward);            // n x d   (6.11)
    draw_mask(t.mask2, X.rows(), X.cols(), dropout, random);    //         (6.12)
    add_branch(X, t.feed_forward.Y, t.mask2);                   // n x d   (6.13)
  }

  // dX is the gradient behind the block and becomes the one before it. `d` is room to work in.
  void backward(Matrix<T>& dX, const Layout& layout, const Trace& t, Trace& d, Block& grad) const {
    const Matrix<T>& dF = branch_gradient(dX, t.mask2, d.mask2);                                         // (6.13) back
    feed_forward.backward(t.norm2.Y, t.feed_forward, dF, d.feed_forward, grad.feed_forward, d.norm2.Y);  // (6.11) back
    norm2.backward(t.norm2, d.norm2.Y, grad.norm2, dX);                                                  // (6.10) back
    const Matrix<T>& dA = branch_gradient(dX, t.mask1, d.mask1);                                         // (6.13) back
    attention.backward(t.norm1.Y, layout, t.attention, dA, d.attention, grad.attention,
                       d.norm1.Y);                       // (6.9) to (6.1) back
    norm1.backward(t.norm1, d.norm1.Y, grad.norm1, dX);  // (6.10) back
  }

 private:
  // X += mask ⊙ Y.   (6.13)
  static void add_branch(Matrix<T>& X, Matrix<T>& Y, const Matrix<T>& mask) {
    apply_mask(Y, mask);
    X += Y;
  }

  // The gradient that enters a branch: mask ⊙ dX, kept in `room`, since dX itself goes on past the branch.
  static const Matrix<T>& branch_gradient(const Matrix<T>& dX, const Matrix<T>& mask, Matrix<T>& room) {
    if (mask.size() == 0) return dX;
    multiply(dX, mask, room);  // n x d   (6.13) back
    return room;
  }
};

// Blocks one after the other, and a last norm.
template <class T>
struct Transformer {
  TransformerForm form;
  std::vector<Block<T>> blocks;
  LayerNorm<T> norm;

  // All weights zero. Throws std::invalid_argument when the heads do not divide the width.
  explicit Transformer(const TransformerForm& f) : form(f), blocks(f.layers, Block<T>(f)), norm(f.width, f.biases) {}

  void append_to(Tensors<T>& all) {
    for (std::size_t b = 0; b < blocks.size(); ++b) blocks[b].append_to(all, "blocks." + std::to_string(b) + ".");
    append(all, "norm.", norm);
  }

  struct Trace {
    std::vector<typename Block<T>::Trace> blocks;
    typename LayerNorm<T>::Trace norm;  // norm.Y is the output, n x d
    Matrix<T> X;                        // room for the gradient of the residual stream
  };

  // X, n x d, is the residual stream: it is changed.
  void forward(Matrix<T>& X, const Layout& layout, Trace& t, Random* random) const {
    t.blocks.resize(blocks.size());
    for (std::size_t b = 0; b < blocks.size(); ++b) blocks[b].forward(X, layout, t.blocks[b], random);
    norm.forward(X, t.norm);  // n x d   (6.10)
  }

  // From the gradient of t.norm.Y to those of the parameters and, in d.X, of the X that came in.
  void backward(const Matrix<T>& dY, const Layout& layout, const Trace& t, Trace& d, Transformer& grad) const {
    make_room(d.X, dY.rows(), dY.cols());
    std::fill(d.X.values().begin(), d.X.values().end(), T(0));  // back
    norm.backward(t.norm, dY, grad.norm, d.X);                  // n x d   (6.10) back
    d.blocks.resize(1);                                         // one is room enough for all
    for (std::size_t b = blocks.size(); b-- > 0;)
      blocks[b].backward(d.X, layout, t.blocks[b], d.blocks[0], grad.blocks[b]);  // back
  }
};
