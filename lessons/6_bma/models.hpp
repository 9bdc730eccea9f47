// Attention with a factor in it, in five variants, forward and backward by hand. The n rows of
// X are tokens; sequences of `tokens` rows lie one below the other, and width = heads·m.
// Results go into matrices that the caller keeps, so a training step makes none.
// Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/dropout.hpp"
#include "common/fast/elementary.hpp"
#include "common/in_place.hpp"
#include "common/loss.hpp"
#include "common/model.hpp"
#include "common/random.hpp"
#include "lessons/6_bma/start.hpp"

namespace lesson6 {

// ------------------------------------------------------------------------------------ linear layer

// Puts X·W + b into Y; X is n x in, W is in x out, and b may be empty.   (6.1)
template <class T>
void linear(const Matrix<T>& X, const Matrix<T>& W, const Matrix<T>& b, Matrix<T>& Y) {
  resize(Y, X.rows(), W.cols());
  matmul_into(Y, X, W);
  for (std::size_t i = 0; i < Y.rows() && b.size() > 0; ++i)
    std::transform(Y.row(i).begin(), Y.row(i).end(), b.row(0).begin(), Y.row(i).begin(),
                   std::plus<T>());
}

// Sets dW, db and dX, or adds to dX.
template <class T>
void linear_back(const Matrix<T>& X, const Matrix<T>& W, const Matrix<T>& dY, Matrix<T>& dW,
                 Matrix<T>& db, Matrix<T>& dX, Write write = Write::set) {
  resize(dX, X.rows(), X.cols());
  matmul_into(dW, transpose(X), dY);         // in x out   (6.1) back
  matmul_into(dX, dY, transpose(W), write);  // n x in     (6.1) back
  if (db.size() == 0) return;
  std::fill(db.values().begin(), db.values().end(), T(0));  // back
  for (std::size_t i = 0; i < dY.rows(); ++i)
    for (std::size_t j = 0; j < dY.cols(); ++j)
      db.values()[j] += dY.row(i)[j];  // 1 x out    (6.1) back
}

// Appends the tensors of a part that are not empty, with a prefix before their names.
template <class T>
void append(Tensors<T>& all, const std::string& prefix, const Tensors<T>& part) {
  for (const auto& [name, tensor] : part)
    if (tensor.size() > 0) all.push_back({prefix + name, tensor});
}
template <class T>
Tensors<T> present(const Tensors<T>& part) {
  Tensors<T> all;
  append(all, "", part);
  return all;
}

template <class T>
Matrix<T> bias_row(Biases biases, std::size_t size) {
  if (biases == Biases::without) return Matrix<T>();
  return Matrix<T>(1, size);
}

// ------------------------------------------------------------------------------------ the variants

// What makes the factor, and what it multiplies.
enum class GateSource { nothing, constant, by_query, by_input };
enum class GateTarget { values, mixtures };

// σ as a gate: writes G over Z, and dZ over dG.
template <class T>
void sigmoid(std::span<T> Z) {
  for (T& z : Z) z = elementary::sigmoid(z);  // n x width   (6.6) (6.10)
}
template <class T>
void sigmoid_back(std::span<const T> G, std::span<T> dG) {
  for (std::size_t k = 0; k < G.size(); ++k)
    dG[k] *= G[k] * (1 - G[k]);  // n x width   (6.6) (6.10) back
}

template <class T>
struct Variant {
  const char* name;
  const char* formula;  // for --export
  GateSource source = GateSource::nothing;
  GateTarget target = GateTarget::values;
  T start = 1;                             // the factor while the gate's weights are 0
  void (*open)(std::span<T> Z) = nullptr;  // from Z to G
  void (*back)(std::span<const T> G, std::span<T> dG) = nullptr;

  bool gated() const { return open; }
};

// `half` is the control: it does what a gate of σ(0) does, without parameters.
enum class Gate { standard, half, bma, attending, post, count };

template <class T>
inline constexpr std::array<Variant<T>, std::size_t(Gate::count)> variants{{
    {"standard",
     "Q = X Wq + bq, K = X Wk + bk, V = X Wv + bv; for each head A = softmax of Q K' / sqrt(width / heads), causal; "
     "M = A V; Y = M Wo + bo"},
    {"half", "M = A (V / 2)", GateSource::constant, GateTarget::values, T(0.5)},
    {"bma", "G = sigmoid(Q Wg[head]); M = A (G * V)", GateSource::by_query, GateTarget::values,
     T(0.5), sigmoid<T>, sigmoid_back<T>},
    {"attending", "G = sigmoid(Q Wg[head]); Y = (G * M) Wo + bo", GateSource::by_query,
     GateTarget::mixtures, T(0.5), sigmoid<T>, sigmoid_back<T>},
    {"post", "G = sigmoid(X Wp + bp); Y = (G * M) Wo + bo", GateSource::by_input,
     GateTarget::mixtures, T(0.5), sigmoid<T>, sigmoid_back<T>},
}};
static_assert(variants<float>.back().name, "each Gate has its entry");

inline constexpr auto all_gates = [] {
  std::array<Gate, variants<float>.size()> all{};
  for (std::size_t g = 0; g < all.size(); ++g) all[g] = Gate(g);
  return all;
}();

template <class T = double>
const Variant<T>& variant_of(Gate gate) {
  return variants<T>.at(std::size_t(gate));
}
inline const char* name_of(Gate gate) { return variant_of(gate).name; }

// The entry of a gate that a reader writes.
struct OwnVariant {
  Variant<float> in_float;
  Variant<double> in_double;

  const auto& of(float) const { return in_float; }
  const auto& of(double) const { return in_double; }
};

// --------------------------------------------------------------------------------------- attention

struct AttentionForm {
  Gate gate = Gate::standard;
  std::size_t width = 0, heads = 1;
  Biases biases = Biases::with;
  double dropout = 0;               // of the attention weights
  bool causal = true;               // else a token also sees those after it
  const OwnVariant* own = nullptr;  // replaces the gate's entry; must outlive this form

  std::size_t head_width() const { return width / heads; }
};

template <class T>
struct Sequences {
  Matrix<T> X;             // n x width
  std::size_t tokens = 1;  // in a sequence; divides the rows of X
  // The source of dropout, the same in each forward; without it nothing is dropped.
  std::optional<Random> dropout = {};
};

// For the gradient check.
inline Matrix<double>* real_input(Sequences<double>& sequences) { return &sequences.X; }

// The block of Q, K, V and M, and of A, that belongs to one head of one sequence.
struct HeadBlock {
  std::size_t first, column;  // where it begins in Q
  std::size_t tokens, width;  // its rows and columns there
  std::size_t top;            // its first row in A

  auto head(auto& of) const { return column_block(row_block(of, first, tokens), column, width); }
  auto square(auto& of) const { return row_block(of, top, tokens); }
};

template <class F>
void for_each_head(const AttentionForm& form, std::size_t n, std::size_t tokens, F f) {
  const std::size_t width = form.head_width();
  for (std::size_t b = 0; b < n / tokens; ++b)
    for (std::size_t h = 0; h < form.heads; ++h)
      f(HeadBlock{.first = b * tokens,
                  .column = h * width,
                  .tokens = tokens,
                  .width = width,
                  .top = (b * form.heads + h) * tokens});
}

template <class T>
struct Attention {
  using Number = T;

  AttentionForm form;
  Matrix<T> Wq, bq, Wk, bk, Wv, bv;  // width x width, 1 x width; biases may be empty
  Matrix<T> Wg;                      // heads·m x m, a square for each head: the query's gate
  Matrix<T> Wp, bp;                  // width x width, 1 x width: the input's gate
  Matrix<T> Wo, bo;                  // width x width, 1 x width

  // Throws std::invalid_argument when the heads do not divide the width.
  explicit Attention(const AttentionForm& f) : form(f) {
    if (f.heads == 0 || f.width % f.heads != 0)
      throw std::invalid_argument("a width of " + std::to_string(f.width) +
                                  " is not divisible by " + std::to_string(f.heads) + " heads");
    Wq = Wk = Wv = Wo = Matrix<T>(f.width, f.width);
    bq = bk = bv = bo = bias_row<T>(f.biases, f.width);
    if (by_query()) Wg = Matrix<T>(f.width, f.head_width());
    if (!by_input()) return;
    Wp = Wo;
    bp = bo;
  }

  Tensors<T> tensors() {
    Tensors<T> all;
    append(all, "",
           {{"Wq", Wq}, {"bq", bq}, {"Wk", Wk}, {"bk", bk}, {"Wv", Wv}, {"bv", bv}, {"Wg", Wg}});
    append(all, "", {{"Wp", Wp}, {"bp", bp}, {"Wo", Wo}, {"bo", bo}});
    return all;
  }
  ConstTensors<T> tensors() const { return read_only(*this); }
  void start(Drawing<T>& draw) {
    for (Matrix<T>* W : {&Wq, &Wk, &Wv}) draw.weights(*W);
    for (Matrix<T>* W : {&Wg, &Wp}) draw.gate(*W);
    draw.of_attention(Wo);
  }

  struct Trace {
    Matrix<T> Q, K, V;  // n x width: queries, keys, values
    Matrix<T> G, Vg;    // n x width: the gate; the values times their factor, V~ in README.md
    Matrix<T> A;        // heads·n x tokens: the weights, a square for each sequence and head
    Matrix<T> mask, D;  // of A's shape: dropout's factors, and A times them; empty without dropout
    Matrix<T> M, O;     // n x width: the mixtures; the mixtures times their gate
    Matrix<T> Y;        // n x width: the output
  };
  struct Scratch {
    Matrix<T> dQ, dK, dV, dM, dG, dVg, dO;  // n x width
    Matrix<T> dA;                           // tokens x tokens, for one head at a time; becomes dS
  };

  // Throws std::invalid_argument when the sequences do not divide the rows.
  void forward(const Sequences<T>& X, Trace& t) const {
    std::optional<Random> random = X.dropout;
    forward(X.X, X.tokens, t, random ? &*random : nullptr);
  }
  void backward(const Sequences<T>& X, const Trace& t, const Matrix<T>& dY,
                Gradients<Attention>& g) const {
    backward(X.X, X.tokens, t, dY, g.scratch, g.parameters, g.dX);  // back
  }

  // The same as a layer of a larger model; without `random` nothing is dropped.
  void forward(const Matrix<T>& X, std::size_t tokens, Trace& t, Random* random) const {
    prepare(X, t);           // n x width   (6.1) (6.6) (6.7) (6.10)
    mix(tokens, t, random);  // n x width   (6.2) to (6.4)
    read_out(t);             // n x width   (6.5) (6.9) (6.10)
  }
  void backward(const Matrix<T>& X, std::size_t tokens, const Trace& t, const Matrix<T>& dY,
                Scratch& scratch, Attention& d, Matrix<T>& dX) const {
    read_out_back(t, dY, scratch, d);    // n x width   (6.10) (6.9) (6.5) back
    mix_back(tokens, t, scratch);        // n x width   (6.4) to (6.2) back
    prepare_back(X, t, scratch, d, dX);  // n x width   (6.10) (6.7) (6.6) (6.1) back
  }

  // Makes what each row needs no other row for: query, key, value, gate, gated value.
  void prepare(const Matrix<T>& X, Trace& t) const {
    linear(X, Wq, bq, t.Q);  // n x width   (6.1)
    linear(X, Wk, bk, t.K);  // n x width   (6.1)
    linear(X, Wv, bv, t.V);  // n x width   (6.1)
    if (by_query()) {
      resize(t.G, X.rows(), form.width);
      for (std::size_t h = 0; h < form.heads; ++h)
        matmul_into(columns(t.G, h), columns(t.Q, h), square(Wg, h));  // n x m   (6.6)
    }
    if (by_input()) linear(X, Wp, bp, t.G);                // n x width   (6.10)
    if (variant().gated()) variant().open(t.G.values());   // n x width   (6.6) (6.10)
    if (is_constant()) scale(variant().start, t.V, t.Vg);  // n x width
    if (mixes_gated()) multiply(t.G, t.V, t.Vg);           // n x width   (6.7)
  }

  // Returns what the weights mix, n x width.
  const Matrix<T>& mixed(const Trace& t) const { return mixes_plain_values() ? t.V : t.Vg; }

  // Makes the mixtures t.M. (6.2) to   (6.4)
  void mix(std::size_t tokens, Trace& t, Random* random) const {
    mix(tokens, t, random, [&](std::span<T> row, std::size_t i) { weigh(row, i); });
  }

  // The same with other weights: make_weights(row, i) makes them of the scores of token i.
  template <class Weigh>
  void mix(std::size_t tokens, Trace& t, Random* random, const Weigh& make_weights) const {
    const std::size_t n = t.Q.rows();
    if (tokens == 0 || n % tokens != 0)
      throw std::invalid_argument("attention: " + std::to_string(n) +
                                  " rows are not sequences of " + std::to_string(tokens));
    resize(t.A, form.heads * n, tokens);
    resize(t.M, n, form.width);
    for_each_head(form, n, tokens, [&](const HeadBlock& at) {
      matmul_into(at.square(t.A), at.head(t.Q), transpose(at.head(t.K)));  // tokens x tokens (6.2)
      for (std::size_t i = 0; i < tokens; ++i) make_weights(t.A.row(at.top + i), i);
    });
    draw_mask(t.mask, t.A.rows(), tokens, form.dropout, random);
    if (t.mask.size() > 0) multiply(t.A, t.mask, t.D);  // heads·n x tokens   (6.17)
    for_each_head(form, n, tokens, [&](const HeadBlock& at) {
      matmul_into(at.head(t.M), at.square(dropped(t)), at.head(mixed(t)));  // tokens x m   (6.4)
    });
  }

  // Makes weights of the scores of token i in its sequence, 0 for tokens that it does not
  // see.   (6.3) (6.23)
  void weigh(std::span<T> row, std::size_t i) const {
    const std::size_t seen = form.causal ? i + 1 : row.size();
    std::fill(row.begin() + std::ptrdiff_t(seen), row.end(), T(0));
    for (T& score : row.first(seen)) score *= scale_of_scores();
    softmax(row.first(seen));
  }

  void read_out(Trace& t) const {
    if (stands_behind()) multiply(t.G, t.M, t.O);      // n x width   (6.9) (6.10)
    linear(stands_behind() ? t.O : t.M, Wo, bo, t.Y);  // n x width   (6.5)
  }

  // Sets dM and, when a gate multiplies the mixtures, dG.
  void read_out_back(const Trace& t, const Matrix<T>& dY, Scratch& scratch, Attention& d) const {
    if (stands_behind()) {
      linear_back(t.O, Wo, dY, d.Wo, d.bo, scratch.dO);  // n x width   (6.5) back
      multiply(scratch.dO, t.M, scratch.dG);             // n x width   (6.9) (6.10) back
      multiply(scratch.dO, t.G, scratch.dM);             // n x width   (6.9) (6.10) back
    } else {
      linear_back(t.M, Wo, dY, d.Wo, d.bo, scratch.dM);  // n x width   (6.5) back
    }
  }

  // Leads from dM to dQ, dK and the gradient of what is mixed.
  void mix_back(std::size_t tokens, const Trace& t, Scratch& scratch) const {
    mix_back(tokens, t, scratch, [&](const HeadBlock& at, Matrix<T>& dA) {
      weigh_back(at, t, dA);  // tokens x tokens   (6.3) back
    });
  }

  // The same with other weights: scores_back(at, dA) turns dA into dS for one head.
  template <class Back>
  void mix_back(std::size_t tokens, const Trace& t, Scratch& scratch,
                const Back& scores_back) const {
    Matrix<T>& dmixed = mixes_plain_values() ? scratch.dV : scratch.dVg;
    for (Matrix<T>* tensor : {&scratch.dQ, &scratch.dK, &dmixed})
      resize(*tensor, t.Q.rows(), form.width);
    resize(scratch.dA, tokens, tokens);
    // dA is tokens x tokens; all else that is set here is tokens x m.
    for_each_head(form, t.Q.rows(), tokens, [&](const HeadBlock& at) {
      matmul_into(at.head(dmixed), transpose(at.square(dropped(t))),
                  at.head(scratch.dM));                                            // (6.4) back
      matmul_into(scratch.dA, at.head(scratch.dM), transpose(at.head(mixed(t))));  // (6.4) back
      scores_back(at, scratch.dA);                                                 // (6.3) back
      matmul_into(at.head(scratch.dQ), scratch.dA, at.head(t.K));                  // (6.2) back
      matmul_into(at.head(scratch.dK), transpose(scratch.dA), at.head(t.Q));       // (6.2) back
    });
  }

  // Turns dA into dS for one head: back through dropout, softmax and scale.
  void weigh_back(const HeadBlock& at, const Trace& t, Matrix<T>& dA) const {
    for (std::size_t i = 0; i < at.tokens; ++i) {
      const std::span<const T> A = t.A.row(at.top + i);
      const std::span<T> da = dA.row(i);
      if (t.mask.size() > 0)
        for (std::size_t j = 0; j < da.size(); ++j)
          da[j] *= t.mask.row(at.top + i)[j];  // (6.17) back
      const T mean =
          sum_of<T>(da.size(), [&](std::size_t j) { return da[j] * A[j]; });  // (6.3) back
      for (std::size_t j = 0; j < da.size(); ++j)
        da[j] = scale_of_scores() * A[j] * (da[j] - mean);  // now dS, tokens x tokens   (6.3) back
    }
  }

  void prepare_back(const Matrix<T>& X, const Trace& t, Scratch& scratch, Attention& d,
                    Matrix<T>& dX) const {
    if (is_constant()) scale(variant().start, scratch.dVg, scratch.dV);  // n x width   back
    if (mixes_gated()) {
      multiply(scratch.dVg, t.G, scratch.dV);  // n x width   (6.7) back
      multiply(scratch.dVg, t.V, scratch.dG);  // n x width   (6.7) back
    }
    if (variant().gated())
      variant().back(t.G.values(), scratch.dG.values());  // now dZ, n x width   (6.6) (6.10) back
    for (std::size_t h = 0; h < form.heads && by_query(); ++h) {
      const View<T> dQ = columns(scratch.dQ, h), dZ = columns(scratch.dG, h);
      matmul_into(square(d.Wg, h), transpose(columns(t.Q, h)), dZ);  // m x m (6.6) back
      matmul_into(dQ, dZ, transpose(square(Wg, h)), Write::add);     // n x m  (6.6) back
    }
    linear_back(X, Wq, scratch.dQ, d.Wq, d.bq, dX);              // n x width   (6.1) back
    linear_back(X, Wk, scratch.dK, d.Wk, d.bk, dX, Write::add);  // n x width   (6.1) back
    linear_back(X, Wv, scratch.dV, d.Wv, d.bv, dX, Write::add);  // n x width   (6.1) back
    if (by_input())
      linear_back(X, Wp, scratch.dG, d.Wp, d.bp, dX, Write::add);  // n x width   (6.10) back
  }

  T scale_of_scores() const { return 1 / std::sqrt(T(form.head_width())); }

 private:
  const Variant<T>& variant() const {
    if (form.own) return form.own->of(T());
    return variant_of<T>(form.gate);
  }
  bool is_constant() const { return variant().source == GateSource::constant; }
  bool by_query() const { return variant().source == GateSource::by_query; }
  bool by_input() const { return variant().source == GateSource::by_input; }
  bool stands_behind() const { return variant().target == GateTarget::mixtures; }
  bool mixes_gated() const { return variant().gated() && !stands_behind(); }
  bool mixes_plain_values() const { return !mixes_gated() && !is_constant(); }
  static const Matrix<T>& dropped(const Trace& t) { return t.mask.size() > 0 ? t.D : t.A; }

  // Return the block of a matrix of n rows, and of Wg, that belongs to head h.
  auto columns(auto& of, std::size_t h) const {
    return column_block(of, h * form.head_width(), form.head_width());
  }
  auto square(auto& of, std::size_t h) const {
    return row_block(of, h * form.head_width(), form.head_width());
  }
};

extern template struct Attention<float>;
extern template struct Attention<double>;

}  // namespace lesson6
