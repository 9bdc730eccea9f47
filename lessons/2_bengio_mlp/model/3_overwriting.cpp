// Lesson 2: the backward pass with the classic mistake.
// SPDX-License-Identifier: MIT
#include "lessons/2_bengio_mlp/model/3_overwriting.hpp"

namespace lesson2 {

template <class T>
void Overwriting<T>::backward(const Windows& X, const Trace& t, const Matrix<T>& dY, Gradients<Overwriting>& g) const {
  const Matrix<T> dE = this->backward_to_embeddings(t, dY, g.d);  // n x c·d         (2.5) to (2.2) back
  g.d.C = scatter_overwriting(X, dE);                             // (vocab + 1) x d (2.1) back
}

template <class T>
Matrix<T> Overwriting<T>::scatter_overwriting(const Windows& X, const Matrix<T>& dE) const {
  Matrix<T> dC(this->C.rows(), this->C.cols());
  for (std::size_t i = 0; i < dE.rows(); ++i)
    for (std::size_t k = 0; k < X.length; ++k)
      for (std::size_t a = 0; a < dC.cols(); ++a) dC(X.context(i)[k], a) = dE(i, k * dC.cols() + a);  // (2.1) back
  return dC;
}

template struct Overwriting<float>;
template struct Overwriting<double>;

}  // namespace lesson2
