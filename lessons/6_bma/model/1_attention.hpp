// Lesson 6, the model: multi-head attention. Scores, softmax, mixing, forward and backward by hand: 1_attention.cpp.
// The n rows of X are tokens, `tokens` of them to a sequence, one sequence below the other; d = heads·dh is the width.
// dX means d loss / d X. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "lessons/6_bma/model/0_linear.hpp"

namespace lesson6 {

struct AttentionForm {
  std::size_t width = 0, heads = 1;
  bool causal = true;  // a token sees itself and what stands before it
  bool biases = true;
  double dropout = 0;  // of the attention weights

  std::size_t head_width() const { return width / heads; }
};

// How the rows of X are to be read.
struct Layout {
  std::size_t tokens = 1;  // to a sequence; divides the rows of X
  // The attention mask: 0 for each row that nobody may look at; empty: all may.
  std::span<const std::uint8_t> seen = {};
};

// What attention is given.
template <class T>
struct Sequences {
  Matrix<T> X;  // n x d
  Layout layout;
  // What the dropout of a training step is drawn from, the same by each forward; without it nothing is dropped.
  std::optional<Random> dropout = {};
};

inline Matrix<double>* numbers_of(Sequences<double>& sequences) { return &sequences.X; }  // for the gradient check

// What one head of one sequence owns: rows of Q, K, V, C and a square of A.
struct Place {
  std::size_t first, top;             // its first row in Q, and in A
  std::size_t column, tokens, width;  // its first column in Q, its rows and its columns there

  template <class M>
  auto head(M& of) const {
    return column_block(row_block(of, first, tokens), column, width);
  }
  template <class M>
  auto square(M& of) const {
    return row_block(of, top, tokens);
  }
};

// Calls f(place) for each sequence and each head.
template <class F>
void for_each_head(const AttentionForm& form, std::size_t n, std::size_t tokens, F f) {
  const std::size_t width = form.head_width();
  for (std::size_t b = 0; b < n / tokens; ++b)
    for (std::size_t h = 0; h < form.heads; ++h)
      f(Place{b * tokens, (b * form.heads + h) * tokens, h * width, tokens, width});
}

template <class T>
struct Attention {
  using Number = T;

  AttentionForm form;
  Matrix<T> Wq, bq, Wk, bk, Wv, bv;  // d x d, 1 x d; empty biases are none
  Matrix<T> Wo, bo;                  // d x d, 1 x d

  // All parameters zero. Throws std::invalid_argument when the heads do not divide the width.
  explicit Attention(const AttentionForm& f);

  // In forward order; only what there is.
  Tensors<T> tensors();

  struct Trace {
    Matrix<T> Q, K, V;  // n x d: queries, keys, values
    Matrix<T> A;        // heads·n x tokens: the weights, a square for each sequence and head
    Matrix<T> mask, D;  // the like: factors of dropout, and A times them; empty without dropout
    Matrix<T> C;        // n x d: the mixtures
    Matrix<T> Y;        // n x d: the output
  };
  struct Room {
    Matrix<T> dQ, dK, dV, dC;  // n x d
    Matrix<T> dA;              // tokens x tokens, of one head: what the last one left is its dS
  };

  // Throws std::invalid_argument when the layout does not fit the rows.
  void forward(const Sequences<T>& X, Trace& t) const;
  void backward(const Sequences<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<Attention>& g) const;

  // The steps of these two, which the variants of 2_gates.hpp put together in other ways. What they mix need not be V.

  // Makes query, key and value of each row of X.   (6.1)
  void project(const Matrix<T>& X, Trace& t) const;

  // Makes the mixtures t.C of `values`, n x d, from the queries and keys. `random` draws the dropout; null: none.
  // Throws std::invalid_argument when the layout does not fit the rows.   (6.2) to (6.4)
  void mix(const Matrix<T>& values, Layout layout, Trace& t, Random* random) const;

  // Makes weights of the scores of token i of the sequence that begins at row `first`: softmax(score/√dh) over what it
  // may see, 0 elsewhere. Who sees nothing has weights 0.   (6.3)
  void weigh(std::span<T> row, std::size_t i, std::size_t first, Layout layout) const;

  // From room.dC to room.dQ, room.dK and dvalues.
  void mix_back(const Matrix<T>& values, Layout layout, const Trace& t, Room& room, Matrix<T>& dvalues) const;

  // Turns dA into dS, on the place of one head: through dropout, row by row through the softmax, through the scale.
  void weigh_back(const Place& at, const Trace& t, Matrix<T>& dA) const;

  // From room.dQ, room.dK and room.dV to the gradients of their weights and to dX.
  void project_back(const Matrix<T>& X, const Room& room, Attention& d, Matrix<T>& dX) const;

 private:
  T scale_of_scores() const;
};

}  // namespace lesson6
