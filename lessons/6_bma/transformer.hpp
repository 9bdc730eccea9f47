// The transformer around the attention, and the language model around the transformer, forward and
// backward by hand. The n rows are tokens. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <numbers>

#include "lessons/6_bma/models.hpp"

namespace lesson6 {

// --------------------------------------------------------------------- layer norm and feed-forward

// Xhat = (X - mean)/√(variance + ε), row by row, and Y = γ ⊙ Xhat + β (Ba, Kiros and Hinton
// 2016). (6.11)
template <class T>
struct LayerNorm {
  static constexpr T epsilon = T(1e-5);  // as in PyTorch

  Matrix<T> gain, shift;  // 1 x width; the shift may be empty

  LayerNorm(std::size_t width, Biases biases) : gain(1, width), shift(bias_row<T>(biases, width)) {}

  // The names are PyTorch's.
  Tensors<T> tensors() { return present<T>({{"weight", gain}, {"bias", shift}}); }
  void start(Drawing<T>& draw) { draw.gain(gain); }

  struct Trace {
    Matrix<T> Xhat, root;  // normalised rows, n x width; each row's 1/√(variance + ε), n x 1
    Matrix<T> Y;           // n x width
  };

  void forward(const Matrix<T>& X, Trace& t) const {
    const std::size_t width = X.cols();
    resize(t.Xhat, X.rows(), width);
    resize(t.Y, X.rows(), width);
    resize(t.root, X.rows(), 1);
    for (std::size_t i = 0; i < X.rows(); ++i) {
      const std::span<const T> x = X.row(i), g = gain.row(0), b = shift.values();
      const std::span<T> Xhat = t.Xhat.row(i), y = t.Y.row(i);
      const T mean = sum_of<T>(width, [&](std::size_t j) { return x[j]; }) / T(width);
      for (std::size_t j = 0; j < width; ++j) Xhat[j] = x[j] - mean;
      const T variance =
          sum_of<T>(width, [&](std::size_t j) { return Xhat[j] * Xhat[j]; }) / T(width);
      const T root = 1 / std::sqrt(variance + epsilon);
      t.root.row(i)[0] = root;
      for (std::size_t j = 0; j < width; ++j) Xhat[j] *= root;
      for (std::size_t j = 0; j < width; ++j) y[j] = g[j] * Xhat[j];
      if (b.size() > 0) std::transform(y.begin(), y.end(), b.begin(), y.begin(), std::plus<T>());
    }
  }

  // Adds to dX what comes back through this layer.
  void backward(const Trace& t, const Matrix<T>& dY, LayerNorm& grad, Matrix<T>& dX) const {
    const std::size_t width = dY.cols();
    std::fill(grad.gain.values().begin(), grad.gain.values().end(), T(0));    // back
    std::fill(grad.shift.values().begin(), grad.shift.values().end(), T(0));  // back
    for (std::size_t i = 0; i < dY.rows(); ++i) {
      const std::span<const T> dy = dY.row(i), Xhat = t.Xhat.row(i), g = gain.row(0);
      const std::span<T> dx = dX.row(i), dg = grad.gain.row(0);
      for (std::size_t j = 0; j < width; ++j) dg[j] += dy[j] * Xhat[j];  // 1 x width   (6.11) back
      for (std::size_t j = 0; j < shift.size(); ++j)
        grad.shift.values()[j] += dy[j];  // 1 x width   (6.11) back
      // Means of dXhat = γ ⊙ dy and of dXhat ⊙ Xhat.   (6.11)
      const T mean = sum_of<T>(width, [&](auto j) { return g[j] * dy[j]; }) / T(width);  // back
      const T along =
          sum_of<T>(width, [&](auto j) { return g[j] * dy[j] * Xhat[j]; }) / T(width);  // back
      const T root = t.root.row(i)[0];
      for (std::size_t j = 0; j < width; ++j)
        dx[j] += root * (g[j] * dy[j] - mean - Xhat[j] * along);  // n x width, added   (6.11) back
    }
  }
};

// Returns GPT-2's GELU (Hendrycks and Gimpel 2016), which is lesson 3's swish but for a
// cubic term. (6.12)
template <class T>
inline constexpr T steepness = T(2 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi);  // 2·√(2/π)

template <class T>
T gelu(T z) {
  return z * elementary::sigmoid(steepness<T> * z * (1 + T(0.044715) * z * z));
}

// Returns the slope of GELU.   (6.12)
template <class T>
T gelu_prime(T z) {
  const T square = T(0.044715) * z * z;
  const T gate = elementary::sigmoid(steepness<T> * z * (1 + square));
  return gate + z * gate * (1 - gate) * steepness<T> * (1 + 3 * square);  // (6.12) back
}

// Returns lesson 3's swish at β = 1, and its slope.   (6.18)
template <class T>
T swish(T z) {
  return z * elementary::sigmoid(z);
}
template <class T>
T swish_prime(T z) {
  const T gate = elementary::sigmoid(z);
  return gate + z * gate * (1 - gate);  // (6.18) back
}
template <class T>
T identity(T z) {
  return z;
}
template <class T>
T one(T) {
  return T(1);
}

// What a feed-forward does to Z = X·W1 + b1: it bends each number, and may multiply it by another
// one, of U = X·W3 + b3, as in the gated linear units of Shazeer (2020).
template <class T>
struct Bend {
  const char* name;
  void (*of)(std::span<const T> Z, std::span<T> F);     // F = φ(Z)
  void (*back)(std::span<const T> Z, std::span<T> dF);  // dF becomes dZ
  bool multiplies = false;
};

template <class T, T (*f)(T)>
void bend(std::span<const T> Z, std::span<T> F) {
  std::transform(Z.begin(), Z.end(), F.begin(), f);  // n x inside   (6.12) (6.18)
}
template <class T, T (*slope)(T)>
void bend_back(std::span<const T> Z, std::span<T> dF) {
  for (std::size_t k = 0; k < Z.size(); ++k)
    dF[k] *= slope(Z[k]);  // n x inside   (6.12) (6.18) back
}

enum class Inside { gelu, swish, product, swiglu, count };

template <class T>
inline constexpr std::array<Bend<T>, std::size_t(Inside::count)> bends{
    {{"gelu", bend<T, gelu<T>>, bend_back<T, gelu_prime<T>>},
     {"swish", bend<T, swish<T>>, bend_back<T, swish_prime<T>>},
     {"product", bend<T, identity<T>>, bend_back<T, one<T>>, true},
     {"swiglu", bend<T, swish<T>>, bend_back<T, swish_prime<T>>, true}}};

template <class T = double>
const Bend<T>& bend_of(Inside inside) {
  return bends<T>.at(std::size_t(inside));
}

// Goes up to four times the width, through a bend, and down again. A product has a third matrix, so
// it goes up to 8/3 of the width only: then all kinds have as many parameters, but for a
// rounding.   (6.12) (6.18)
template <class T>
struct FeedForward {
  Inside inside;
  Matrix<T> W1, b1;  // width x inside, 1 x inside; biases may be empty
  Matrix<T> W3, b3;  // the same for the second factor; empty without one
  Matrix<T> W2, b2;  // inside x width, 1 x width

  FeedForward(std::size_t width, Biases biases, Inside kind) : inside(kind) {
    const bool multiplies = bend_of<T>(kind).multiplies;
    const std::size_t size = multiplies ? (8 * width + 1) / 3 : 4 * width;
    W1 = Matrix<T>(width, size);
    b1 = bias_row<T>(biases, size);
    W2 = Matrix<T>(size, width);
    b2 = bias_row<T>(biases, width);
    if (!multiplies) return;
    W3 = W1;
    b3 = b1;
  }

  Tensors<T> tensors() {
    return present<T>({{"W1", W1}, {"b1", b1}, {"W3", W3}, {"b3", b3}, {"W2", W2}, {"b2", b2}});
  }
  void start(Drawing<T>& draw) {
    for (Matrix<T>* W : {&W1, &W3}) draw.weights(*W);
    draw.of_feed_forward(W2);
  }

  struct Trace {
    Matrix<T> Z, F, U;  // n x inside: before the bend, behind it, the second factor
    Matrix<T> H, Y;     // n x inside, n x width: F, or F ⊙ U; the output
  };
  struct Scratch {
    Matrix<T> dH, dU;  // n x inside; dH becomes dF, then dZ
  };

  void forward(const Matrix<T>& X, Trace& t) const {
    const Bend<T>& by = bend_of<T>(inside);
    linear(X, W1, b1, t.Z);  // n x inside   (6.1)
    Matrix<T>& F = by.multiplies ? t.F : t.H;
    resize(F, t.Z.rows(), t.Z.cols());
    by.of(t.Z.values(), F.values());  // n x inside   (6.12) (6.18)
    if (by.multiplies) {
      linear(X, W3, b3, t.U);   // n x inside   (6.1)
      multiply(t.F, t.U, t.H);  // n x inside   (6.18)
    }
    linear(t.H, W2, b2, t.Y);  // n x width    (6.1)
  }
  void backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Scratch& scratch,
                FeedForward& d, Matrix<T>& dX) const {
    const Bend<T>& by = bend_of<T>(inside);
    linear_back(t.H, W2, dY, d.W2, d.b2, scratch.dH);  // n x inside   (6.1) back
    if (by.multiplies) {
      multiply(scratch.dH, t.F, scratch.dU);  // n x inside   (6.18) back
      multiply(scratch.dH, t.U, scratch.dH);  // now dF       (6.18) back
    }
    by.back(t.Z.values(), scratch.dH.values());      // now dZ      (6.12) (6.18) back
    linear_back(X, W1, scratch.dH, d.W1, d.b1, dX);  // n x width   (6.1) back
    if (by.multiplies)
      linear_back(X, W3, scratch.dU, d.W3, d.b3, dX, Write::add);  // n x width   (6.1) back
  }
};

// --------------------------------------------------------------------------------- the transformer

// The attention's form, whose dropout also falls on each branch and on the embeddings.
struct TransformerForm : AttentionForm {
  std::size_t layers = 1;
  Inside inside = Inside::gelu;  // the feed-forwards
};

// Norms stand before the branches (Xiong et al. 2020). Each branch adds to one matrix X, the
// residual stream, whose gradient passes unchanged and collects what returns through the
// branches.   (6.13)
template <class T>
struct Block {
  LayerNorm<T> norm1;
  Attention<T> attention;
  LayerNorm<T> norm2;
  FeedForward<T> feed_forward;
  double dropout;

  explicit Block(const TransformerForm& f)
      : norm1(f.width, f.biases),
        attention(f),
        norm2(f.width, f.biases),
        feed_forward(f.width, f.biases, f.inside),
        dropout(f.dropout) {}

  Tensors<T> tensors() {
    Tensors<T> all;
    append(all, "norm1.", norm1.tensors());
    append(all, "attn.", attention.tensors());
    append(all, "norm2.", norm2.tensors());
    append(all, "mlp.", feed_forward.tensors());
    return all;
  }
  void start(Drawing<T>& draw) {
    norm1.start(draw);
    attention.start(draw);
    norm2.start(draw);
    feed_forward.start(draw);
  }

  struct Trace {
    typename LayerNorm<T>::Trace norm1, norm2;
    typename Attention<T>::Trace attention;
    typename FeedForward<T>::Trace feed_forward;
    Matrix<T> mask1, mask2;  // dropout of the two branches
  };
  struct Scratch {
    typename Attention<T>::Scratch attention;
    typename FeedForward<T>::Scratch feed_forward;
    Matrix<T> dbranch, dnorm;  // n x width: what enters a branch, and what leaves it
  };

  void forward(Matrix<T>& X, std::size_t tokens, Trace& t, Random* random) const {
    norm1.forward(X, t.norm1);                                  // n x width   (6.11)
    attention.forward(t.norm1.Y, tokens, t.attention, random);  // n x width   (6.1) to (6.10)
    draw_mask(t.mask1, X.rows(), X.cols(), dropout, random);    //         (6.17)
    apply_mask(t.attention.Y, t.mask1);                         // n x width   (6.17)
    X += t.attention.Y;                                         // n x width   (6.13)
    norm2.forward(X, t.norm2);                                  // n x width   (6.11)
    feed_forward.forward(t.norm2.Y, t.feed_forward);            // n x width   (6.12)
    draw_mask(t.mask2, X.rows(), X.cols(), dropout, random);    //         (6.17)
    apply_mask(t.feed_forward.Y, t.mask2);                      // n x width   (6.17)
    X += t.feed_forward.Y;                                      // n x width   (6.13)
  }

  // Turns dX behind the block into dX before it.
  void backward(Matrix<T>& dX, std::size_t tokens, const Trace& t, Scratch& scratch,
                Block& d) const {
    const Matrix<T>& dF = into_branch(dX, t.mask2, scratch.dbranch);  // n x width   (6.13) back
    feed_forward.backward(t.norm2.Y, t.feed_forward, dF, scratch.feed_forward, d.feed_forward,
                          scratch.dnorm);                             // n x width   (6.12) back
    norm2.backward(t.norm2, scratch.dnorm, d.norm2, dX);              // n x width   (6.11) back
    const Matrix<T>& dA = into_branch(dX, t.mask1, scratch.dbranch);  // n x width   (6.13) back
    attention.backward(t.norm1.Y, tokens, t.attention, dA, scratch.attention, d.attention,
                       scratch.dnorm);                    // n x width   (6.10) to (6.1) back
    norm1.backward(t.norm1, scratch.dnorm, d.norm1, dX);  // n x width   (6.11) back
  }

 private:
  // Returns the gradient that enters a branch, mask ⊙ dX, in `scratch`, because dX itself goes on
  // past the branch.
  static const Matrix<T>& into_branch(const Matrix<T>& dX, const Matrix<T>& mask,
                                      Matrix<T>& scratch) {
    if (mask.size() == 0) return dX;
    multiply(dX, mask, scratch);  // n x width   (6.17) back
    return scratch;
  }
};

// ------------------------------------------------------------------------------ the language model

struct LanguageForm {
  std::size_t vocab = 0, context = 0;
  TransformerForm transformer;
  bool tied = false;  // the read-out uses the embedding table again
};

using Symbols = std::span<const std::uint32_t>;

// Sequences of symbols, one behind the other.
struct Texts {
  Symbols symbols;
  std::size_t tokens;                  // in a sequence; at most the context
  std::optional<Random> dropout = {};  // as in Sequences
};

// Leads from symbols to the scores (logits) of the symbol after each.
template <class T>
struct LanguageModel {
  using Number = T;

  LanguageForm form;
  Matrix<T> C, Pos;  // vocab x width, context x width: a row for each symbol, for each place
  std::vector<Block<T>> blocks;
  LayerNorm<T> norm;
  Matrix<T> Wh, bh;  // width x vocab, 1 x vocab: the read-out; empty when tied

  explicit LanguageModel(const LanguageForm& f)
      : form(f),
        C(f.vocab, f.transformer.width),
        Pos(f.context, f.transformer.width),
        blocks(f.transformer.layers, Block<T>(f.transformer)),
        norm(f.transformer.width, f.transformer.biases) {
    if (f.tied) return;
    Wh = Matrix<T>(f.transformer.width, f.vocab);
    bh = bias_row<T>(f.transformer.biases, f.vocab);
  }

  Tensors<T> tensors() {
    Tensors<T> all{{"tok", C}, {"pos", Pos}};
    for (std::size_t b = 0; b < blocks.size(); ++b)
      append(all, "blocks." + std::to_string(b) + ".", blocks[b].tensors());
    append(all, "norm.", norm.tensors());
    append(all, "head.", {{"W", Wh}, {"b", bh}});
    return all;
  }
  ConstTensors<T> tensors() const { return read_only(*this); }
  void start(Drawing<T>& draw) {
    for (Matrix<T>* table : {&C, &Pos}) draw.embedding(*table);
    for (Block<T>& block : blocks) block.start(draw);
    norm.start(draw);
    draw.head(Wh);
  }

  struct Trace {
    Matrix<T> X, mask;  // n x width: the residual stream, and its dropout or nothing
    std::vector<typename Block<T>::Trace> blocks;
    typename LayerNorm<T>::Trace norm;  // norm.Y is H, which the read-out gets
    Matrix<T> Y;                        // n x vocab: S, the scores of the symbol after each
  };
  struct Scratch {
    typename Block<T>::Scratch block;  // all blocks share it
    Matrix<T> dX, dH;  // n x width: of the residual stream, and behind the last norm
  };

  // Throws std::invalid_argument when the symbols do not make such sequences, or these are longer
  // than the context.
  void forward(const Texts& texts, Trace& t) const {
    if (texts.tokens == 0 || texts.tokens > form.context ||
        texts.symbols.size() % texts.tokens != 0)
      throw std::invalid_argument(std::to_string(texts.symbols.size()) +
                                  " symbols in sequences of " + std::to_string(texts.tokens) +
                                  " do not fit a context of " + std::to_string(form.context));
    std::optional<Random> drops = texts.dropout;
    Random* const random = drops ? &*drops : nullptr;
    embed(texts, t.X);  // n x width   (6.14)
    const double dropout = form.transformer.dropout;
    draw_mask(t.mask, t.X.rows(), t.X.cols(), dropout, random);  //             (6.17)
    apply_mask(t.X, t.mask);                                     // n x width   (6.17)
    t.blocks.resize(blocks.size());
    for (std::size_t b = 0; b < blocks.size(); ++b)
      blocks[b].forward(t.X, texts.tokens, t.blocks[b], random);  // n x width   (6.13)
    norm.forward(t.X, t.norm);                                    // n x width   (6.11)
    read_out(t.norm.Y, t.Y);                                      // n x vocab   (6.15)
  }

  // Puts into row i of X the rows of C and Pos for symbol i and its place; sequences begin
  // at place `first`.   (6.14)
  void embed(const Texts& texts, Matrix<T>& X, std::size_t first = 0) const {
    resize(X, texts.symbols.size(), C.cols());
    for (std::size_t i = 0; i < X.rows(); ++i) {
      const std::span<const T> symbol = C.row(texts.symbols[i]);
      const std::span<const T> place = Pos.row(first + i % texts.tokens);
      std::transform(symbol.begin(), symbol.end(), place.begin(), X.row(i).begin(), std::plus<T>());
    }
  }

  // Makes the scores S = H·Wh + bh, or H·Cᵀ when the read-out is tied.   (6.15)
  void read_out(const Matrix<T>& H, Matrix<T>& S) const {
    if (!form.tied) return linear(H, Wh, bh, S);
    resize(S, H.rows(), form.vocab);
    matmul_into(S, H, transpose(C));
  }

  void backward(const Texts& texts, const Trace& t, const Matrix<T>& dS,
                Gradients<LanguageModel>& g) const {
    LanguageModel& d = g.parameters;
    Scratch& scratch = g.scratch;
    for (Matrix<T>* table : {&d.C, &d.Pos})
      std::fill(table->values().begin(), table->values().end(), T(0));  // back
    const Matrix<T>& H = t.norm.Y;
    if (form.tied) {
      resize(scratch.dH, H.rows(), H.cols());
      matmul_into(d.C, transpose(dS), H);  // vocab x width   (6.15) back
      matmul_into(scratch.dH, dS, C);      // n x width       (6.15) back
    } else {
      linear_back(H, Wh, dS, d.Wh, d.bh, scratch.dH);  // n x width   (6.15) back
    }
    resize(scratch.dX, H.rows(), H.cols());
    std::fill(scratch.dX.values().begin(), scratch.dX.values().end(), T(0));  // back
    norm.backward(t.norm, scratch.dH, d.norm, scratch.dX);  // n x width   (6.11) back
    for (std::size_t b = blocks.size(); b-- > 0;)
      blocks[b].backward(scratch.dX, texts.tokens, t.blocks[b], scratch.block,
                         d.blocks[b]);  // n x width   (6.13) back
    apply_mask(scratch.dX, t.mask);     // n x width   (6.17) back
    for (std::size_t i = 0; i < texts.symbols.size(); ++i) {
      const std::span<const T> from = scratch.dX.row(i);
      const std::span<T> symbol = d.C.row(texts.symbols[i]), place = d.Pos.row(i % texts.tokens);
      for (std::size_t j = 0; j < from.size(); ++j)
        symbol[j] += from[j];  // vocab x width  (6.14) back
      for (std::size_t j = 0; j < from.size(); ++j)
        place[j] += from[j];  // context x width  (6.14) back
    }
  }
};

extern template struct LanguageModel<float>;
extern template struct LanguageModel<double>;

}  // namespace lesson6
