// Lesson 5, part 6: forward and backward of the rivals, and counting what is right. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/model/06_classifiers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lesson5 {

// ---------------------------------------------------------------------------------------------- softmax regression

template <class T>
LinearNet<T>::LinearNet(const LinearForm& f) : form(f), W(f.inputs, f.outputs), b(1, f.outputs) {}

template <class T>
void LinearNet<T>::forward(const Matrix<T>& X, Trace& t) const {
  t.Y = add_row(matmul(X, W), b);  // n x outputs   (5.15)
}

template <class T>
void LinearNet<T>::backward(const Matrix<T>& X, const Trace&, const Matrix<T>& dY, Gradients<LinearNet>& g) const {
  g.d.W = matmul(transpose(X), dY);                // inputs x outputs   (5.15) back
  g.d.b = column_sums(dY);                         // 1 x outputs        (5.15) back
  if (g.with_dX) g.dX = matmul(dY, transpose(W));  // n x inputs         (5.15) back
}

template struct LinearNet<float>;
template struct LinearNet<double>;

// -------------------------------------------------------------------------------------------------------- ReLU net

template <class T>
ReluNet<T>::ReluNet(const ReluForm& f)
    : form(f), W(f.inputs, f.hidden), b(1, f.hidden), U(f.hidden, f.outputs), d(1, f.outputs) {}

template <class T>
ReluNet<T>::ReluNet(const ReluForm& f, Random& random) : ReluNet(f) {
  W = normal_matrix<T>(f.inputs, f.hidden, std::sqrt(2 / double(f.inputs)), random);
  U = normal_matrix<T>(f.hidden, f.outputs, 1 / std::sqrt(double(f.hidden)), random);
}

template <class T>
void ReluNet<T>::forward(const Matrix<T>& X, Trace& t) const {
  t.H = add_row(matmul(X, W), b);                                   // n x h         (5.16)
  t.H = map(std::move(t.H), [](T z) { return z > 0 ? z : T(0); });  // n x h         (5.16)
  t.Y = add_row(matmul(t.H, U), d);                                 // n x outputs   (5.17)
}

template <class T>
void ReluNet<T>::backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<ReluNet>& g) const {
  g.d.U = matmul(transpose(t.H), dY);                                                // h x outputs   (5.17) back
  g.d.d = column_sums(dY);                                                           // 1 x outputs   (5.17) back
  const Matrix<T> dH = matmul(dY, transpose(U));                                     // n x h         (5.17) back
  const Matrix<T> dZ = zip(dH, t.H, [](T g_h, T h) { return h > 0 ? g_h : T(0); });  // n x h         (5.16) back
  g.d.W = matmul(transpose(X), dZ);                                                  // inputs x h    (5.16) back
  g.d.b = column_sums(dZ);                                                           // 1 x h         (5.16) back
  if (g.with_dX) g.dX = matmul(dZ, transpose(W));                                    // n x inputs    (5.16) back
}

template struct ReluNet<float>;
template struct ReluNet<double>;

// ------------------------------------------------------------------------------------------------- what is right

template <class T>
std::vector<std::uint32_t> largest_of_rows(const Matrix<T>& logits) {
  std::vector<std::uint32_t> found(logits.rows());
  for (std::size_t i = 0; i < logits.rows(); ++i)
    found[i] = std::uint32_t(std::max_element(logits.row(i).begin(), logits.row(i).end()) - logits.row(i).begin());
  return found;
}

template <class T>
double accuracy_of(const Matrix<T>& logits, const std::vector<std::uint32_t>& labels) {
  const std::vector<std::uint32_t> found = largest_of_rows(logits);
  std::size_t right = 0;
  for (std::size_t i = 0; i < found.size(); ++i) right += found[i] == labels[i];
  return double(right) / double(found.size());
}

template std::vector<std::uint32_t> largest_of_rows(const Matrix<float>&);
template std::vector<std::uint32_t> largest_of_rows(const Matrix<double>&);
template double accuracy_of(const Matrix<float>&, const std::vector<std::uint32_t>&);
template double accuracy_of(const Matrix<double>&, const std::vector<std::uint32_t>&);

}  // namespace lesson5
