// Lesson 6, the model: the forward and the backward pass of the language model. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/model/5_language_model.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>

namespace lesson6 {

template <class T>
LanguageModel<T>::LanguageModel(const LanguageForm& f)
    : form(f), E(f.vocab, f.transformer.width), P(f.context, f.transformer.width), transformer(f.transformer) {
  if (f.tied) return;
  Wh = Matrix<T>(f.transformer.width, f.vocab);
  bh = bias_row<T>(f.transformer.biases, f.vocab);
}

template <class T>
Tensors<T> LanguageModel<T>::tensors() {
  Tensors<T> all{{"tok", E}, {"pos", P}};
  append(all, "", transformer.tensors());
  append(all, "head.", {{"W", Wh}, {"b", bh}});
  return all;
}

static void check_fit(Symbols symbols, std::size_t tokens, std::size_t context) {
  if (tokens == 0 || tokens > context || symbols.size() % tokens != 0)
    throw std::invalid_argument(std::to_string(symbols.size()) + " symbols in sequences of " + std::to_string(tokens) +
                                " do not fit a context of " + std::to_string(context));
}

template <class T>
void LanguageModel<T>::forward(const Texts& texts, Trace& t) const {
  const auto& [symbols, tokens, dropout] = texts;
  check_fit(symbols, tokens, form.context);
  const double drop = form.transformer.dropout;
  std::optional<Random> drops = dropout;
  Random* const random = drops ? &*drops : nullptr;
  embed(texts, t.X);                                          // n x d       (6.19)
  draw_mask(t.mask, t.X.rows(), t.X.cols(), drop, random);    //             (6.17)
  apply_mask(t.X, t.mask);                                    // n x d       (6.17)
  transformer.forward(t.X, {tokens}, t.transformer, random);  // n x d       (6.18)
  put_out(t.transformer.norm.Y, t.Y);                         // n x vocab   (6.20)
}

template <class T>
void LanguageModel<T>::embed(const Texts& texts, Matrix<T>& X, std::size_t first) const {
  make_room(X, texts.symbols.size(), E.cols());
  for (std::size_t i = 0; i < X.rows(); ++i) {
    const std::span<const T> symbol = E.row(texts.symbols[i]);
    const std::span<const T> place = P.row(first + i % texts.tokens);
    std::transform(symbol.begin(), symbol.end(), place.begin(), X.row(i).begin(), std::plus<T>());
  }
}

template <class T>
void LanguageModel<T>::put_out(const Matrix<T>& Y, Matrix<T>& logits) const {
  if (!form.tied) return linear(Y, Wh, bh, logits);
  make_room(logits, Y.rows(), form.vocab);
  matmul_into(logits, Y, transpose(E));
}

template <class T>
void LanguageModel<T>::backward(const Texts& texts, const Trace& t, const Matrix<T>& dY,
                                Gradients<LanguageModel>& g) const {
  LanguageModel& d = g.d;
  Room& room = g.room;
  std::fill(d.E.values().begin(), d.E.values().end(), T(0));  // back
  std::fill(d.P.values().begin(), d.P.values().end(), T(0));  // back
  const Matrix<T>& Y = t.transformer.norm.Y;
  if (form.tied) {
    make_room(room.dY, Y.rows(), Y.cols());
    matmul_into(d.E, transpose(dY), Y);  // vocab x d   (6.20) back
    matmul_into(room.dY, dY, E);         // n x d       (6.20) back
  } else {
    linear_back(Y, Wh, dY, d.Wh, d.bh, room.dY);  // n x d   (6.20) back
  }
  transformer.backward({texts.tokens}, t.transformer, room.dY,  // n x d   back
                       room.transformer, d.transformer, room.dX);
  apply_mask(room.dX, t.mask);  // n x d   (6.17) back
  for (std::size_t i = 0; i < texts.symbols.size(); ++i) {
    const std::span<const T> from = room.dX.row(i);
    const std::span<T> symbol = d.E.row(texts.symbols[i]), place = d.P.row(i % texts.tokens);
    for (std::size_t j = 0; j < from.size(); ++j) symbol[j] += from[j];  // vocab x d  (6.19) back
    for (std::size_t j = 0; j < from.size(); ++j) place[j] += from[j];   // context x d  (6.19) back
  }
}

template struct LanguageModel<float>;
template struct LanguageModel<double>;

}  // namespace lesson6
