// Lesson 6: writing with a model one symbol at a time. What earlier symbols need to give to later ones, their keys and
// the values that are mixed, is kept: a gate of the value's own token is applied once and never again.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lessons/6_bma/model/5_language_model.hpp"

namespace lesson6 {

template <class T>
class Writer {
 public:
  // The model must outlive the writer.
  explicit Writer(const LanguageModel<T>& model);

  // Takes in one more symbol. Returns the logits of the next one, 1 x vocab. When the context is full, its last half is
  // kept and computed anew, since every symbol then stands at another place.
  const Matrix<T>& next(std::uint32_t symbol);

  std::size_t bytes_kept() const;

 private:
  // Of one block, context x d: a row for each symbol so far.
  struct Cache {
    Matrix<T> K, M;
  };

  void take_in(std::uint32_t symbol);
  void attend(const GatedAttention<T>& attention, const Matrix<T>& X, Cache& cache, std::size_t place,
              typename GatedAttention<T>::Trace& t);

  const LanguageModel<T>& model_;
  std::vector<Cache> caches_;
  std::vector<std::uint32_t> seen_;  // what the context holds
  typename LanguageModel<T>::Trace trace_;
};

// Returns `count` symbols that continue the prompt, drawn from the model's distribution with the logits divided by the
// temperature. An empty prompt starts after symbol 0.
template <class T>
std::vector<std::uint32_t> write(const LanguageModel<T>& model, std::vector<std::uint32_t> prompt, std::size_t count,
                                 double temperature, Random& random);

}  // namespace lesson6
