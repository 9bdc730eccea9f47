// Lesson 1, part 1: the linear layer for one example and for a batch, in the three ways that books write it.
// SPDX-License-Identifier: MIT
#include "common/matrix.hpp"
#include "common/support/lesson.hpp"

namespace lesson1 {

void part1(Lesson& lesson, Pool&) {
  constexpr std::size_t n = 5, in = 4, out = 3;
  Random random(lesson.options().seed);
  const auto X = normal_matrix<double>(n, in, 1, random);
  const auto W = normal_matrix<double>(in, out, 1, random);
  const auto b = normal_matrix<double>(1, out, 1, random);
  Matrix<double> book_W(out, in);  // as many books store it
  for (std::size_t o = 0; o < out; ++o)
    for (std::size_t k = 0; k < in; ++k) book_W(o, k) = W(k, o);

  const Matrix<double> Y = add_row(matmul(X, W), b);                     // ours: rows are examples
  const Matrix<double> book = add_row(matmul(X, transpose(book_W)), b);  // Y = X·Wᵀ + b
  Matrix<double> one_by_one(n, out);                                     // y = W·x + b for each example alone
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t o = 0; o < out; ++o) {
      one_by_one(i, o) = b(0, o);
      for (std::size_t k = 0; k < in; ++k) one_by_one(i, o) += book_W(o, k) * X(i, k);
    }

  lesson.say("Three ways to write one layer, on ", n, " examples with ", in, " inputs and ", out, " outputs.");
  lesson.show(Table{{"formula", "W", "x or X", "result"},
                    {{"y = W·x + b", "out x in", "in x 1", "out x 1"},
                     {"Y = X·Wᵀ + b", "out x in", "n x in", "n x out"},
                     {"Y = X·W + b (ours)", "in x out", "n x in", "n x out"}}});
  // Five terms of size about 1, each rounded once: a few times 2.2e-16.
  lesson.claim("batch = examples one by one, max |diff|", max_abs_difference(Y, one_by_one), at_most(4e-15));
  lesson.claim("X·W + b = X·Wᵀ + b with W stored transposed, max |diff|", max_abs_difference(Y, book), at_most(4e-15));
  lesson.say(
      "The shapes do the remembering. "
      "dW must have W's shape, in x out, and it is made of X (n x in) and dY (n x out): only Xᵀ·dY fits. "
      "dX must be n x in: only dY·Wᵀ fits.");
  const auto fits = [](const auto& A, const auto& B, Shape wanted) {
    return A.view().cols() == B.view().rows() && Shape{A.view().rows(), B.view().cols()} == wanted;
  };
  lesson.claim("of X·dY, Xᵀ·dY, X·dYᵀ, dY·X, dYᵀ·X and dY·Xᵀ only the second is shaped like W",
               !fits(X, Y, W.shape()) && fits(transpose(X), Y, W.shape()) && !fits(X, transpose(Y), W.shape()) &&
                   !fits(Y, X, W.shape()) && !fits(transpose(Y), X, W.shape()) && !fits(Y, transpose(X), W.shape()));
  lesson.claim("of dY·W, dY·Wᵀ, W·dY, Wᵀ·dY and W·dYᵀ only the second is shaped like X",
               !fits(Y, W, X.shape()) && fits(Y, transpose(W), X.shape()) && !fits(W, Y, X.shape()) &&
                   !fits(transpose(W), Y, X.shape()) && !fits(W, transpose(Y), X.shape()));
}

}  // namespace lesson1
