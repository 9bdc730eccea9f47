// Lesson 6: the linear layer, products entry by entry, dropout: forward and backward. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/model/0_linear.hpp"

#include <algorithm>
#include <functional>

namespace lesson6 {

template <class T>
void multiply(const Matrix<T>& A, const Matrix<T>& B, Matrix<T>& C) {
  check_shapes(A.shape() == B.shape(), "multiply", A.shape(), B.shape());
  make_room(C, A.rows(), A.cols());
  std::transform(A.values().begin(), A.values().end(), B.values().begin(), C.values().begin(), std::multiplies<T>());
}

template <class T>
void scale(T factor, const Matrix<T>& A, Matrix<T>& C) {
  make_room(C, A.rows(), A.cols());
  std::transform(A.values().begin(), A.values().end(), C.values().begin(), [factor](T a) { return factor * a; });
}

template <class T>
void linear(const Matrix<T>& X, const Matrix<T>& W, const Matrix<T>& b, Matrix<T>& Y) {
  make_room(Y, X.rows(), W.cols());
  matmul_into(Y, X, W);
  if (b.size() == 0) return;
  for (std::size_t i = 0; i < Y.rows(); ++i)
    std::transform(Y.row(i).begin(), Y.row(i).end(), b.row(0).begin(), Y.row(i).begin(), std::plus<T>());
}

template <class T>
void linear_back(const Matrix<T>& X, const Matrix<T>& W, const Matrix<T>& dY, Matrix<T>& dW, Matrix<T>& db,
                 Matrix<T>& dX, Write write) {
  make_room(dX, X.rows(), X.cols());
  matmul_into(dW, transpose(X), dY);         // in x out   (6.1) back
  matmul_into(dX, dY, transpose(W), write);  // n x in     (6.1) back
  if (db.size() == 0) return;
  std::fill(db.values().begin(), db.values().end(), T(0));  // back
  for (std::size_t i = 0; i < dY.rows(); ++i)
    for (std::size_t j = 0; j < dY.cols(); ++j) db.values()[j] += dY.row(i)[j];  // 1 x out    (6.1) back
}

template <class T>
void draw_mask(Matrix<T>& mask, std::size_t rows, std::size_t cols, double probability, Random* random) {
  if (!random || probability == 0) {
    make_room(mask, 0, 0);
    return;
  }
  make_room(mask, rows, cols);
  for (T& factor : mask.values()) factor = random->uniform() < probability ? T(0) : T(1 / (1 - probability));
}

template <class T>
void apply_mask(Matrix<T>& A, const Matrix<T>& mask) {
  if (mask.size() > 0) multiply(A, mask, A);
}

template void multiply(const Matrix<float>&, const Matrix<float>&, Matrix<float>&);
template void multiply(const Matrix<double>&, const Matrix<double>&, Matrix<double>&);
template void scale(float, const Matrix<float>&, Matrix<float>&);
template void scale(double, const Matrix<double>&, Matrix<double>&);
template void linear(const Matrix<float>&, const Matrix<float>&, const Matrix<float>&, Matrix<float>&);
template void linear(const Matrix<double>&, const Matrix<double>&, const Matrix<double>&, Matrix<double>&);
template void linear_back(const Matrix<float>&, const Matrix<float>&, const Matrix<float>&, Matrix<float>&,
                          Matrix<float>&, Matrix<float>&, Write);
template void linear_back(const Matrix<double>&, const Matrix<double>&, const Matrix<double>&, Matrix<double>&,
                          Matrix<double>&, Matrix<double>&, Write);
template void draw_mask(Matrix<float>&, std::size_t, std::size_t, double, Random*);
template void draw_mask(Matrix<double>&, std::size_t, std::size_t, double, Random*);
template void apply_mask(Matrix<float>&, const Matrix<float>&);
template void apply_mask(Matrix<double>&, const Matrix<double>&);

}  // namespace lesson6
