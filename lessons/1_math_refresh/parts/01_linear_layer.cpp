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

  const double by_book = max_abs_difference(Y, book), by_one = max_abs_difference(Y, one_by_one);
  lesson.say("Are the three ways to write one layer the same numbers? ", n, " examples, ", in, " inputs, ", out,
             " outputs:");
  lesson.detail(Table{{"formula", "W", "x or X", "result", "off ours by"},
                      {{"y = W·x + b", "out x in", "in x 1", "out x 1", significant(by_one, 2)},
                       {"Y = X·Wᵀ + b", "out x in", "n x in", "n x out", significant(by_book, 2)},
                       {"Y = X·W + b (ours)", "in x out", "n x in", "n x out", "-"}}});
  // Five terms of size about 1, each rounded once: a few times 2.2e-16.
  lesson.claim("batch = examples one by one, max |diff|", by_one, at_most(4e-15));
  lesson.claim("X·W + b = X·Wᵀ + b with W stored transposed, max |diff|", by_book, at_most(4e-15));
  const auto fits = [](const auto& A, const auto& B, Shape wanted) {
    return A.view().cols() == B.view().rows() && Shape{A.view().rows(), B.view().cols()} == wanted;
  };
  // How many of the eight products of A or Aᵀ with B or Bᵀ, in either order, have the shape that is wanted.
  const auto fitting = [&](const auto& A, const auto& B, Shape wanted) {
    const auto both_orders = [&](const auto& P, const auto& Q) { return fits(P, Q, wanted) + fits(Q, P, wanted); };
    return both_orders(A, B) + both_orders(transpose(A), B) + both_orders(A, transpose(B)) +
           both_orders(transpose(A), transpose(B));
  };
  lesson.claim("of the eight products of X or Xᵀ with dY or dYᵀ only Xᵀ·dY is shaped like W",
               fits(transpose(X), Y, W.shape()) && fitting(X, Y, W.shape()) == 1);
  lesson.claim("of the eight products of dY or dYᵀ with W or Wᵀ only dY·Wᵀ is shaped like X",
               fits(Y, transpose(W), X.shape()) && fitting(Y, W, X.shape()) == 1);
}

}  // namespace lesson1
