// Lesson 6, the model: the language model. Symbols and places become rows of numbers, the transformer works on them,
// and a last product turns each row into the logits of the next symbol. Forward and backward by hand:
// 5_language_model.cpp. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "lessons/6_bma/model/4_transformer.hpp"

namespace lesson6 {

struct LanguageForm {
  std::size_t vocab = 0, context = 0;
  TransformerForm transformer;
  bool tied = false;  // the last product uses the embedding table again
};

using Symbols = std::span<const std::uint32_t>;

// What a language model is given: sequences of so many symbols, one behind the other.
struct Texts {
  Symbols symbols;
  std::size_t tokens;  // to a sequence; at most the context
  // What the dropout of a training step is drawn from, the same by each forward; without it nothing is dropped.
  std::optional<Random> dropout = {};
};

template <class T>
struct LanguageModel {
  using Number = T;

  LanguageForm form;
  Matrix<T> E, P;  // vocab x d, context x d: a row for each symbol and for each place
  Transformer<T> transformer;
  Matrix<T> Wh, bh;  // d x vocab, 1 x vocab: the read-out; empty where it is tied

  // All parameters zero. Throws std::invalid_argument when the heads do not divide the width.
  explicit LanguageModel(const LanguageForm& f);

  // In forward order; only what there is.
  Tensors<T> tensors();
  ConstTensors<T> tensors() const { return read_only(*this); }

  struct Trace {
    Matrix<T> X, mask;  // n x d: the residual stream; dropout, or empty
    typename Transformer<T>::Trace transformer;
    Matrix<T> Y;  // n x vocab: the logits of the symbol after each
  };
  struct Room {
    typename Transformer<T>::Room transformer;
    Matrix<T> dX, dY;  // n x d: before the transformer and behind it
  };

  // Throws std::invalid_argument when the symbols are no such sequences, or these are longer than the context.
  void forward(const Texts& texts, Trace& t) const;
  void backward(const Texts& texts, const Trace& t, const Matrix<T>& dY, Gradients<LanguageModel>& g) const;

  // Puts into row i of X: the row of E for symbol i plus the row of P for its place in its sequence, which begins at
  // place `first`.   (6.19)
  void embed(const Texts& texts, Matrix<T>& X, std::size_t first = 0) const;

  // Makes logits of what the transformer puts out: Y·Wh + bh, or Y·Eᵀ with a tied read-out.   (6.20)
  void put_out(const Matrix<T>& Y, Matrix<T>& logits) const;
};

}  // namespace lesson6
