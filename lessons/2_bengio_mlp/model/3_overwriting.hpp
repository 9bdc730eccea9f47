// Lesson 2: the model with the classic mistake, for part 3. Its scatter into dC writes = in the place of +=, so that
// the last place that shows a symbol wins.
// SPDX-License-Identifier: MIT
#pragma once
#include "lessons/2_bengio_mlp/model/2_bengio.hpp"

namespace lesson2 {

template <class T>
struct Overwriting : Bengio<T> {
  using Bengio<T>::Bengio;
  using typename Bengio<T>::Trace;

  explicit Overwriting(const Bengio<T>& model) : Bengio<T>(model) {}

  // As Bengio's; wrong in dC wherever a symbol stands twice, and right in all else.
  void backward(const Windows& X, const Trace& t, const Matrix<T>& dY, Gradients<Overwriting>& g) const;
  Matrix<T> scatter_overwriting(const Windows& X, const Matrix<T>& dE) const;
};

}  // namespace lesson2
