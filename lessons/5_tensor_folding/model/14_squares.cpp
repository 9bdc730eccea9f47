// Lesson 5, part 14: forward and backward of a net of squares, products written as squares, and differences along a line.
// Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/model/14_squares.hpp"

#include <cmath>

namespace lesson5 {

template <class T>
SquareNet<T>::SquareNet(const SquareForm& f)
    : form(f), W(f.inputs, f.hidden), b(1, f.hidden), U(f.hidden, f.outputs), d(1, f.outputs) {}

template <class T>
SquareNet<T>::SquareNet(const SquareForm& f, Random& random) : SquareNet(f) {
  for (Matrix<T>* weights : {&W, &U})
    *weights = normal_matrix<T>(weights->rows(), weights->cols(), 1 / std::sqrt(double(weights->rows())), random);
}

template <class T>
void SquareNet<T>::forward(const Matrix<T>& X, Trace& t) const {
  t.P = add_row(matmul(X, W), b);    // n x h         (5.29)
  t.H = hadamard(t.P, t.P);          // n x h         (5.29)
  t.Y = add_row(matmul(t.H, U), d);  // n x outputs   (5.30)
}

template <class T>
void SquareNet<T>::backward(const Matrix<T>& X, const Trace& t, const Matrix<T>& dY, Gradients<SquareNet>& g) const {
  g.d.U = matmul(transpose(t.H), dY);              // h x outputs   (5.30) back
  g.d.d = column_sums(dY);                         // 1 x outputs   (5.30) back
  const Matrix<T> dH = matmul(dY, transpose(U));   // n x h         (5.30) back
  const Matrix<T> dP = T(2) * hadamard(dH, t.P);   // n x h         (5.29) back
  g.d.W = matmul(transpose(X), dP);                // inputs x h    (5.29) back
  g.d.b = column_sums(dP);                         // 1 x h         (5.29) back
  if (g.with_dX) g.dX = matmul(dP, transpose(W));  // n x inputs    (5.29) back
}

template struct SquareNet<float>;
template struct SquareNet<double>;

SquareNet<double> squares_of(const Net<double>& net) {
  const std::size_t h = net.form.hidden;
  SquareNet<double> squares({net.form.inputs, 2 * h, net.form.outputs});
  const auto halves = [h](const Matrix<double>& p, const Matrix<double>& q, Matrix<double>& to) {
    for (std::size_t i = 0; i < p.rows(); ++i)
      for (std::size_t k = 0; k < h; ++k) {
        to(i, k) = (p(i, k) + q(i, k)) / 2;      // (5.31)
        to(i, h + k) = (p(i, k) - q(i, k)) / 2;  // (5.31)
      }
  };
  halves(net.W, net.V, squares.W);
  halves(net.b, net.c, squares.b);
  for (std::size_t k = 0; k < h; ++k)
    for (std::size_t o = 0; o < net.form.outputs; ++o) {
      squares.U(k, o) = net.U(k, o);
      squares.U(h + k, o) = -net.U(k, o);
    }
  squares.d = net.d;
  return squares;
}

std::vector<double> differences_along(Matrix<double> Y) {
  const double size = largest_entry(Y);
  std::vector<double> largest;
  while (true) {
    largest.push_back(largest_entry(Y) / size);
    if (Y.rows() == 1) return largest;
    Y = Matrix<double>(row_block(Y, 1, Y.rows() - 1)) - Matrix<double>(row_block(Y, 0, Y.rows() - 1));
  }
}

}  // namespace lesson5
