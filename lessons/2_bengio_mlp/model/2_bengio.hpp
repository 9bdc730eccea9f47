// Lesson 2, the model: Bengio's neural language model. Forward and backward: 2_bengio.cpp. Equations: README.md.
// Sizes: n windows of c symbols, d numbers for each symbol, h hidden units. dX means d loss / d X.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/loss.hpp"
#include "common/model.hpp"
#include "lessons/2_bengio_mlp/model/1_windows.hpp"

namespace lesson2 {

struct BengioForm {
  std::size_t vocab = 0, context = 0, dim = 0, hidden = 0;
  bool direct = false;  // connections from the embeddings straight to the logits (the paper's W)
};

// Returns the index of the padding symbol: the row after the last of the vocabulary.
inline std::uint32_t padding_of(const BengioForm& form) { return std::uint32_t(form.vocab); }

template <class T>
struct Bengio {
  using Number = T;

  BengioForm form;
  Matrix<T> C;       // (vocab + 1) x d: one row for each symbol, the last one for padding
  Matrix<T> W1, b1;  // c·d x h, 1 x h
  Matrix<T> W2, b2;  // h x vocab, 1 x vocab
  Matrix<T> Wd;      // c·d x vocab, or 0 x 0 without direct connections

  // All parameters zero.
  explicit Bengio(const BengioForm& f);

  // The start of training: C normal, W1 by lesson 1's rule for tanh, the last layer small, so that the loss starts at
  // ln vocab.
  Bengio(const BengioForm& f, Random& random, double last_deviation = 0.01);

  Tensors<T> tensors();  // C, W1, b1, W2, b2, Wd
  ConstTensors<T> tensors() const { return read_only(*this); }

  // What the backward pass needs to remember of the forward pass.
  struct Trace {
    Matrix<T> E, H;  // n x c·d, n x h
    Matrix<T> Y;     // n x vocab: the logits, S in README.md
  };

  // X are n windows. Their symbols are looked up, so there is no dX.
  void forward(const Windows& X, Trace& t) const;
  void backward(const Windows& X, const Trace& t, const Matrix<T>& dY, Gradients<Bengio>& g) const;

  // Sets the gradients of all parameters but C, and returns dE: backward up to its last step.
  Matrix<T> backward_to_embeddings(const Trace& t, const Matrix<T>& dY, Bengio& d) const;

  // Returns the rows of C side by side, n x c·d, and from dE of that shape dC.
  Matrix<T> look_up(const Windows& X) const;
  Matrix<T> scatter_add(const Windows& X, const Matrix<T>& dE) const;
};

// Makes the loss of the logits of these windows, for gradients(model, windows, loss_of(windows)) and its like. The
// windows must outlive it.   (2.6)
inline auto loss_of(const Windows& windows) {
  return [&windows](const auto& logits) { return softmax_cross_entropy(logits, std::span(windows.targets)); };
}

}  // namespace lesson2
