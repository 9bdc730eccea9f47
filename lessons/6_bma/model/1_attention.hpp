// Lesson 6, the model: multi-head attention and four ways to put a factor into it, forward and backward by hand.
// The n rows of X are tokens, `tokens` of them to a sequence, one sequence below the other; d = heads·dh is the width.
// dX means d loss / d X. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/loss.hpp"
#include "layers.hpp"

// Where the factor stands. `half` is the control: what a gate of σ(0) does, without a parameter.
enum class Gate { standard, half, bma, attending, post };
inline constexpr std::array all_gates{Gate::standard, Gate::half, Gate::bma, Gate::attending, Gate::post};

inline const char* name_of(Gate gate) {
  constexpr std::array names{"standard", "half", "bma", "attending", "post"};
  return names.at(std::size_t(gate));
}

struct AttentionForm {
  Gate gate = Gate::standard;
  std::size_t width = 0, heads = 1;
  bool causal = true;  // a token sees itself and what stands before it
  bool biases = true;
  double dropout = 0;  // of the attention weights

  std::size_t head_width() const { return width / heads; }
};

// How the rows of X are to be read.
struct Layout {
  std::size_t tokens = 1;  // to a sequence; divides the rows of X
  std::span<const std::uint8_t> seen =
      {};  // the attention mask: 0 for each row that nobody may look at; empty: all may
};

template <class T>
struct Attention {
  AttentionForm form;
  Matrix<T> Wq, bq, Wk, bk, Wv, bv;  // d x d, 1 x d; empty biases are none
  Matrix<T> Wg;                      // heads·dh x dh, a square for each head: bma and attending
  Matrix<T> Wp, bp;                  // d x d, 1 x d: post
  Matrix<T> Wo, bo;                  // d x d, 1 x d

  // All parameters zero. Throws std::invalid_argument when the heads do not divide the width.
  explicit Attention(AttentionForm f) : form(f) {
    if (f.heads == 0 || f.width % f.heads != 0)
      throw std::invalid_argument("a width of " + std::to_string(f.width) + " is not divisible by " +
                                  std::to_string(f.heads) + " heads");
    const Matrix<T> square(f.width, f.width), row(f.biases ? 1 : 0, f.biases ? f.width : 0);
    Wq = Wk = Wv = Wo = square;
    bq = bk = bv = bo = row;
    if (gates_by_query()) Wg = Matrix<T>(f.width, f.head_width());
    if (f.gate == Gate::post) Wp = square, bp = row;
  }

  // In forward order; only what there is.
  Tensors<T> tensors(const std::string& prefix = "") {
    Tensors<T> all;
    const auto add = [&](const char* name, Matrix<T>& tensor) {
      if (tensor.size() > 0) all.push_back({prefix + name, tensor});
    };
    add("Wq", Wq), add("bq", bq), add("Wk", Wk), add("bk", bk), add("Wv", Wv), add("bv", bv);
    add("Wg", Wg), add("Wp", Wp), add("bp", bp), add("Wo", Wo), add("bo", bo);
    return all;
  }

  // What the backward pass needs of the forward pass. A second trace has room for the gradients of the same things.
  struct Trace {
    Matrix<T> Q, K, V;  // n x d: queries, keys, values
    Matrix<T> G;        // n x d: the gate, or empty
    Matrix<T> M;        // n x d: the values that are mixed, V~ in README.md; empty where they are V
    Matrix<T> A;        // heads·n x tokens: the weights, a square for each sequence and head
    Matrix<T> mask, D;  // the like: factors of dropout, and A times them; empty without dropout
    Matrix<T> C, O;     // n x d: the mixtures, and these times the gate; O is empty where it is C
    Matrix<T> Y;        // n x d: the output
  };

  // t.Y = attention of X, n x d. `random` draws the dropout of a training step; without it nothing is dropped. Throws
  // std::invalid_argument when the layout does not fit the rows.
  void forward(const Matrix<T>& X, const Layout& layout, Trace& t, Random* random = nullptr) const {
    const std::size_t n = X.rows(), tokens = layout.tokens;
    check_layout(n, layout);
    project(X, t);
    make_room(t.A, form.heads * n, tokens);
    make_room(t.C, n, form.width);
    for_each_head(n, tokens, [&](const Place& at) {
      matmul_into(at.square(t.A), at.head(t.Q), transpose(at.head(t.K)));  // tokens x tokens   (6.2)
      for (std::size_t i = 0; i < tokens; ++i) weigh(t.A.row(at.top + i), i, at.first, layout);
    });
    draw_mask(t.mask, t.A.rows(), tokens, form.dropout, random);
    drop_weights(t);
    for_each_head(n, tokens, [&](const Place& at) {
      matmul_into(at.head(t.C), at.square(weights_of(t)), at.head(values_of(t)));  // tokens x dh   (6.4)
    });
    finish(t);
  }

  // What each row has by itself: query, key, value, gate, and the value that is mixed.
  void project(const Matrix<T>& X, Trace& t) const {
    linear(X, Wq, bq, t.Q);                               // n x d   (6.1)
    linear(X, Wk, bk, t.K);                               // n x d   (6.1)
    linear(X, Wv, bv, t.V);                               // n x d   (6.1)
    if (form.gate == Gate::post) linear(X, Wp, bp, t.G);  // n x d   (6.9)
    if (gates_by_query()) make_room(t.G, X.rows(), form.width);
    for (std::size_t h = 0; h < form.heads && gates_by_query(); ++h)
      matmul_into(columns(t.G, h), columns(t.Q, h), gate_square(Wg, h));  // n x dh  (6.6)
    for (T& z : t.G.values()) z = elementary::sigmoid(z);                 // n x d   (6.6) (6.9)
    if (form.gate == Gate::bma) multiply(t.G, t.V, t.M);                  // n x d   (6.7)
    if (form.gate == Gate::half) scale(T(0.5), t.V, t.M);
  }

  // From the mixtures to the output.
  void finish(Trace& t) const {
    if (gates_output()) multiply(t.G, t.C, t.O);  // n x d   (6.8) (6.9)
    linear(output_of(t), Wo, bo, t.Y);            // n x d   (6.5)
  }

  // The scores of token i of the sequence that begins at row `first`, made weights: softmax(score/√dh) over what it may
  // see, 0 elsewhere. Who sees nothing has weights 0.   (6.3)
  void weigh(std::span<T> row, std::size_t i, std::size_t first, const Layout& layout) const {
    const std::size_t visible = form.causal ? i + 1 : row.size();
    for (std::size_t j = visible; j < row.size(); ++j) row[j] = 0;
    row = row.first(visible);
    for (T& score : row) score *= scale_of_scores();
    bool sees = layout.seen.empty();
    for (std::size_t j = 0; j < visible && !layout.seen.empty(); ++j)
      if (layout.seen[first + j]) sees = true;
      else row[j] = -std::numeric_limits<T>::infinity();
    if (sees) softmax(row);
    else std::fill(row.begin(), row.end(), T(0));
  }

  // From dY to the gradients of all parameters, in `grad`, and to dX, both set. `d` is room to work in.
  void backward(const Matrix<T>& X, const Layout& layout, const Trace& t, const Matrix<T>& dY, Trace& d,
                Attention& grad, Matrix<T>& dX) const {
    const std::size_t n = X.rows(), tokens = layout.tokens;
    linear_back(output_of(t), Wo, dY, grad.Wo, grad.bo, output_of(d));  // n x d   (6.5) back
    if (gates_output()) {
      multiply(d.O, t.C, d.G);  // n x d   (6.8) (6.9) back
      multiply(d.O, t.G, d.C);  // n x d   (6.8) (6.9) back
    }
    for (Matrix<T>* room : {&d.Q, &d.K, &values_of(d)}) make_room(*room, n, form.width);
    make_room(d.A, tokens, tokens);
    for_each_head(n, tokens, [&](const Place& at) {
      matmul_into(at.head(values_of(d)), transpose(at.square(weights_of(t))),
                  at.head(d.C));                                         // tokens x dh      (6.4) back
      matmul_into(d.A, at.head(d.C), transpose(at.head(values_of(t))));  // tokens x tokens  (6.4) back
      weigh_back(at, t, d.A);                                            // tokens x tokens  (6.3) back
      matmul_into(at.head(d.Q), d.A, at.head(t.K));                      // tokens x dh      (6.2) back
      matmul_into(at.head(d.K), transpose(d.A), at.head(t.Q));           // tokens x dh      (6.2) back
    });
    project_back(X, t, d, grad, dX);  // back
  }

  // From the gradients of Q, K, the mixed values and the gate on.
  void project_back(const Matrix<T>& X, const Trace& t, Trace& d, Attention& grad, Matrix<T>& dX) const {
    if (form.gate == Gate::half) scale(T(0.5), d.M, d.V);  // back
    if (form.gate == Gate::bma) {
      multiply(d.M, t.G, d.V);  // n x d   (6.7) back
      multiply(d.M, t.V, d.G);  // n x d   (6.7) back
    }
    for (std::size_t k = 0; k < t.G.size(); ++k) {
      const T g = t.G.values()[k];
      d.G.values()[k] *= g * (1 - g);  // n x d   (6.6) (6.9) back
    }
    for (std::size_t h = 0; h < form.heads && gates_by_query(); ++h) {
      matmul_into(gate_square(grad.Wg, h), transpose(columns(t.Q, h)), columns(d.G, h));         // dh x dh (6.6) back
      matmul_into(columns(d.Q, h), columns(d.G, h), transpose(gate_square(Wg, h)), Write::add);  // n x dh  (6.6) back
    }
    linear_back(X, Wq, d.Q, grad.Wq, grad.bq, dX);                                           // n x d (6.1) back
    linear_back(X, Wk, d.K, grad.Wk, grad.bk, dX, Write::add);                               // n x d (6.1) back
    linear_back(X, Wv, d.V, grad.Wv, grad.bv, dX, Write::add);                               // n x d (6.1) back
    if (form.gate == Gate::post) linear_back(X, Wp, d.G, grad.Wp, grad.bp, dX, Write::add);  // n x d (6.9) back
  }

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

  // f(place) for each sequence and each head.
  template <class F>
  void for_each_head(std::size_t n, std::size_t tokens, F f) const {
    const std::size_t width = form.head_width();
    for (std::size_t b = 0; b < n / tokens; ++b)
      for (std::size_t h = 0; h < form.heads; ++h)
        f(Place{b * tokens, (b * form.heads + h) * tokens, h * width, tokens, width});
  }

  // The values that are mixed, the weights that mix them, and what goes into the last product, in a trace or its gradient.
  template <class AnyTrace>
  auto& values_of(AnyTrace& t) const {
    return form.gate == Gate::half || form.gate == Gate::bma ? t.M : t.V;
  }
  template <class AnyTrace>
  auto& weights_of(AnyTrace& t) const {
    return t.mask.size() > 0 ? t.D : t.A;
  }
  template <class AnyTrace>
  auto& output_of(AnyTrace& t) const {
    return gates_output() ? t.O : t.C;
  }

 private:
  bool gates_by_query() const { return form.gate == Gate::bma || form.gate == Gate::attending; }
  bool gates_output() const { return form.gate == Gate::attending || form.gate == Gate::post; }
  T scale_of_scores() const { return 1 / std::sqrt(T(form.head_width())); }

  // The columns of head h, and its square of Wg.
  template <class M>
  auto columns(M& of, std::size_t h) const {
    return column_block(of, h * form.head_width(), form.head_width());
  }
  template <class M>
  auto gate_square(M& of, std::size_t h) const {
    return row_block(of, h * form.head_width(), form.head_width());
  }

  // D = A ⊙ mask.   (6.12)
  static void drop_weights(Trace& t) {
    if (t.mask.size() > 0) multiply(t.A, t.mask, t.D);
  }

  // dA becomes dS: through dropout, then row by row through the softmax, then through the scale.
  void weigh_back(const Place& at, const Trace& t, Matrix<T>& dA) const {
    for (std::size_t i = 0; i < at.tokens; ++i) {
      const std::span<const T> A = t.A.row(at.top + i);
      const std::span<T> d = dA.row(i);
      if (t.mask.size() > 0)
        for (std::size_t j = 0; j < d.size(); ++j) d[j] *= t.mask.row(at.top + i)[j];  // tokens x tokens   (6.12) back
      const T mean = sum_of<T>(d.size(), [&](std::size_t j) { return d[j] * A[j]; });  // of the row        (6.3) back
      for (std::size_t j = 0; j < d.size(); ++j)
        d[j] = scale_of_scores() * A[j] * (d[j] - mean);  // tokens x tokens   (6.3) back
    }
  }

  void check_layout(std::size_t n, const Layout& layout) const {
    if (layout.tokens == 0 || n % layout.tokens != 0)
      throw std::invalid_argument("attention: " + std::to_string(n) + " rows are no sequences of " +
                                  std::to_string(layout.tokens));
    if (!layout.seen.empty() && layout.seen.size() != n)
      throw std::invalid_argument("attention: a mask of " + std::to_string(layout.seen.size()) + " for " +
                                  std::to_string(n) + " rows");
  }
};
