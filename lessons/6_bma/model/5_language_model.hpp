// Lesson 6: the language model: symbols and places become rows of numbers, the transformer works on them, and a last
// product turns each row into the logits of the next symbol. Forward and backward by hand. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "transformer.hpp"

struct LanguageForm {
  std::size_t vocab = 0, context = 0;
  TransformerForm transformer;
  bool tied = false;  // the last product uses the embedding table again
};

// Texts of equal length, one below the other.
using Symbols = std::span<const std::uint32_t>;

template <class T>
struct LanguageModel {
  LanguageForm form;
  Matrix<T> E, P;  // vocab x d, context x d: a row for each symbol and for each place
  Transformer<T> transformer;
  Matrix<T> Wh, bh;  // d x vocab, 1 x vocab: the head; empty where it is tied

  // All parameters zero. Throws std::invalid_argument when the heads do not divide the width.
  explicit LanguageModel(const LanguageForm& f)
      : form(f),
        E(f.vocab, f.transformer.width),
        P(f.context, f.transformer.width),
        transformer(f.transformer),
        Wh(f.tied ? 0 : f.transformer.width, f.tied ? 0 : f.vocab),
        bh(f.tied || !f.transformer.biases ? 0 : 1, f.tied || !f.transformer.biases ? 0 : f.vocab) {}

  Tensors<T> tensors() {
    Tensors<T> all{{"tok", E}, {"pos", P}};
    transformer.append_to(all);
    if (Wh.size() > 0) all.push_back({"head.W", Wh});
    if (bh.size() > 0) all.push_back({"head.b", bh});
    return all;
  }

  struct Trace {
    Matrix<T> X, mask, logits;  // n x d, n x d or empty, n x vocab
    typename Transformer<T>::Trace transformer;
  };

  // t.logits of the symbol after each of `inputs`, which are sequences of `tokens` symbols. `random`: see Attention. Throws
  // std::invalid_argument when they are no such sequences or longer than the context.
  void forward(Symbols inputs, std::size_t tokens, Trace& t, Random* random = nullptr) const {
    if (tokens == 0 || tokens > form.context || inputs.size() % tokens != 0)
      throw std::invalid_argument(std::to_string(inputs.size()) + " symbols in sequences of " + std::to_string(tokens) +
                                  " do not fit a context of " + std::to_string(form.context));
    embed(inputs, tokens, t.X);                                                   // n x d       (6.14)
    draw_mask(t.mask, t.X.rows(), t.X.cols(), form.transformer.dropout, random);  //        (6.12)
    apply_mask(t.X, t.mask);
    transformer.forward(t.X, {tokens}, t.transformer, random);  // n x d
    head(t.transformer.norm.Y, t.logits);                       // n x vocab   (6.15)
  }

  // All gradients, set, in a model of the same form. `d` is room to work in.
  void backward(Symbols inputs, std::size_t tokens, const Trace& t, const Matrix<T>& dlogits, Trace& d,
                LanguageModel& grad) const {
    std::fill(grad.E.values().begin(), grad.E.values().end(), T(0));  // back
    std::fill(grad.P.values().begin(), grad.P.values().end(), T(0));  // back
    const Matrix<T>& Y = t.transformer.norm.Y;
    if (form.tied) {
      make_room(d.X, Y.rows(), Y.cols());
      matmul_into(grad.E, transpose(dlogits), Y);  // vocab x d   (6.15) back
      matmul_into(d.X, dlogits, E);                // n x d       (6.15) back
    } else {
      linear_back(Y, Wh, dlogits, grad.Wh, grad.bh, d.X);  // n x d   (6.15) back
    }
    transformer.backward(d.X, {tokens}, t.transformer, d.transformer, grad.transformer);  // back
    apply_mask(d.transformer.X, t.mask);                                                  // (6.12) back
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::span<const T> from = d.transformer.X.row(i);
      const std::span<T> symbol = grad.E.row(inputs[i]), place = grad.P.row(i % tokens);
      for (std::size_t j = 0; j < from.size(); ++j) symbol[j] += from[j];  // vocab x d     (6.14) back
      for (std::size_t j = 0; j < from.size(); ++j) place[j] += from[j];   // context x d   (6.14) back
    }
  }

  // Row i: the row of E for symbol i plus the row of P for its place in its sequence, which begins at place `first`.   (6.14)
  void embed(Symbols inputs, std::size_t tokens, Matrix<T>& X, std::size_t first = 0) const {
    make_room(X, inputs.size(), E.cols());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::span<const T> symbol = E.row(inputs[i]), place = P.row(first + i % tokens);
      std::transform(symbol.begin(), symbol.end(), place.begin(), X.row(i).begin(), std::plus<T>());
    }
  }

  // logits = Y·Wh + bh, or Y·Eᵀ with a tied head.   (6.15)
  void head(const Matrix<T>& Y, Matrix<T>& logits) const {
    if (!form.tied) return linear(Y, Wh, bh, logits);
    make_room(logits, Y.rows(), form.vocab);
    matmul_into(logits, Y, transpose(E));
  }
};
