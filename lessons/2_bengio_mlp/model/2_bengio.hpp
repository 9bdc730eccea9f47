// Lesson 2, the model: Bengio's neural language model, forward and backward by hand. Equation numbers: README.md.
// Sizes: n windows of c symbols, d numbers for each symbol, h hidden units. dX means d loss / d X.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/matrix.hpp"
#include "common/random.hpp"
#include "common/support/elementary.hpp"
#include "windows.hpp"

struct BengioSizes {
  std::size_t vocab = 0, context = 0, dim = 0, hidden = 0;
  bool direct = false;  // connections from the embeddings straight to the logits (the paper's W)
};

// Index of the padding symbol: the row after the last of the vocabulary.
inline std::uint32_t padding_of(const BengioSizes& sizes) { return std::uint32_t(sizes.vocab); }

template <class T>
struct Bengio {
  BengioSizes sizes;
  Matrix<T> C;       // (vocab + 1) x d: one row for each symbol, the last one for padding
  Matrix<T> W1, b1;  // c·d x h, 1 x h
  Matrix<T> W2, b2;  // h x vocab, 1 x vocab
  Matrix<T> Wd;      // c·d x vocab, or 0 x 0 without direct connections

  // All parameters zero.
  explicit Bengio(BengioSizes s)
      : sizes(s),
        C(s.vocab + 1, s.dim),
        W1(s.context * s.dim, s.hidden),
        b1(1, s.hidden),
        W2(s.hidden, s.vocab),
        b2(1, s.vocab),
        Wd(s.direct ? s.context * s.dim : 0, s.direct ? s.vocab : 0) {}

  // The start of training: C normal, W1 by lesson 1's rule for tanh, the last layer small, so that the loss starts at
  // ln vocab.
  Bengio(BengioSizes s, Random& random, double last_deviation = 0.01) : Bengio(s) {
    const std::size_t in = s.context * s.dim;
    C = normal_matrix<T>(s.vocab + 1, s.dim, 1, random);
    W1 = normal_matrix<T>(in, s.hidden, 1 / std::sqrt(double(in)), random);
    W2 = normal_matrix<T>(s.hidden, s.vocab, last_deviation, random);
  }

  Tensors<T> tensors() {
    Tensors<T> all{{"C", C}, {"W1", W1}, {"b1", b1}, {"W2", W2}, {"b2", b2}};
    if (sizes.direct) all.push_back({"Wd", Wd});
    return all;
  }

  // What the backward pass needs to remember of the forward pass.
  struct Trace {
    Matrix<T> E, H, logits;
  };

  Trace forward(const Windows& windows) const {
    Trace t;
    t.E = look_up(windows);                                        // n x c·d     (2.1)
    t.H = add_row(matmul(t.E, W1), b1);                            // n x h       (2.2)
    t.H = map(std::move(t.H), elementary::tanh<T>);                // n x h       (2.3)
    t.logits = add_row(matmul(t.H, W2), b2);                       // n x vocab   (2.4)
    if (sizes.direct) matmul_into(t.logits, t.E, Wd, Write::add);  // n x vocab   (2.5)
    return t;
  }

  // Gradients of all parameters, in a model of the same shape; dlogits is n x vocab.
  Bengio backward(const Windows& windows, const Trace& t, const Matrix<T>& dlogits) const {
    Bengio d(sizes);
    const Matrix<T> dE = backward_to_embeddings(t, dlogits, d);  // n x c·d        back
    d.scatter_add(windows, dE);                                  // (vocab+1) x d (2.1) back
    return d;
  }

  // All of it but the last step: puts the gradients of the parameters behind C into d, and returns dE.
  Matrix<T> backward_to_embeddings(const Trace& t, const Matrix<T>& dlogits, Bengio& d) const {
    Matrix<T> dE(t.E.rows(), t.E.cols());                                                    // n x c·d
    if (sizes.direct) d.Wd = matmul(transpose(t.E), dlogits);                                // c·d x vocab (2.5) back
    if (sizes.direct) dE = matmul(dlogits, transpose(Wd));                                   // n x c·d     (2.5) back
    d.W2 = matmul(transpose(t.H), dlogits);                                                  // h x vocab   (2.4) back
    d.b2 = column_sums(dlogits);                                                             // 1 x vocab   (2.4) back
    Matrix<T> dH = matmul(dlogits, transpose(W2));                                           // n x h       (2.4) back
    const Matrix<T> dZ = zip(std::move(dH), t.H, [](T g, T y) { return g * (1 - y * y); });  // n x h       (2.3) back
    d.W1 = matmul(transpose(t.E), dZ);                                                       // c·d x h     (2.2) back
    d.b1 = column_sums(dZ);                                                                  // 1 x h       (2.2) back
    matmul_into(dE, dZ, transpose(W1), Write::add);                                          // n x c·d     (2.2) back
    return dE;
  }

  // E[i, k·d + a] = C[context[i,k], a]: the rows of C side by side.   (2.1)
  Matrix<T> look_up(const Windows& windows) const {
    Matrix<T> E(windows.size(), sizes.context * sizes.dim);
    for (std::size_t i = 0; i < E.rows(); ++i)
      for (std::size_t k = 0; k < sizes.context; ++k) {
        const std::span<const T> row = C.row(windows.context(i)[k]);
        std::copy(row.begin(), row.end(), E.row(i).begin() + std::ptrdiff_t(k * sizes.dim));
      }
    return E;
  }

  // C[context[i,k], a] += dE[i, k·d + a]. A symbol that stands twice collects twice: += and never =.   (2.1) back
  void scatter_add(const Windows& windows, const Matrix<T>& dE) {
    for (std::size_t i = 0; i < dE.rows(); ++i)
      for (std::size_t k = 0; k < sizes.context; ++k) {
        const std::span<T> row = C.row(windows.context(i)[k]);
        for (std::size_t a = 0; a < sizes.dim; ++a) row[a] += dE(i, k * sizes.dim + a);  // (2.1) back
      }
  }
};
