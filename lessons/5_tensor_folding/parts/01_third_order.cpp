// Lesson 5, part 1: a product layer is one tensor of order three.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/tensor3.hpp"

inline std::string text_of(const Matrix<double>& A) {
  std::string text = "[";
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) text += (j > 0 ? " " : i > 0 ? "; " : "") + significant(A(i, j));
  return text + "]";
}

// The layer of README.md, "By hand": two inputs, two products.
struct SmallLayer {
  Matrix<double> W{{1, 2}, {3, 0}}, V{{2, 1}, {-1, 1}};
};

inline void part1(Lesson& lesson) {
  const SmallLayer layer;
  const Tensor3<double> B = product_tensor(layer.W, layer.V);
  const Matrix<double> h{{2, 1}};
  const Matrix<double> layered = hadamard(matmul(h, layer.W), matmul(h, layer.V));
  lesson.say("By hand, with the numbers of README.md. Each product of the layer is a matrix over pairs of inputs, ",
             "B[k,i,j] = W[i,k]·V[j,k]. The first is ", text_of(B.slices[0]), ", the second ", text_of(B.slices[1]),
             ". With h = (2, 1) the layer gives (", layered(0, 0), ", ", layered(0, 1), "), and so does h·B[k]·hᵀ.");
  lesson.claim(
      "B by hand, max |diff|",
      std::max(max_abs_difference(B.slices[0], {{2, -1}, {6, -3}}), max_abs_difference(B.slices[1], {{2, 2}, {0, 0}})),
      exactly(0));
  lesson.claim("h·B·hᵀ = (h·W) ⊙ (h·V), whole numbers: max |diff|", max_abs_difference(evaluate(B, h), layered),
               exactly(0));

  Random random(lesson.options().seed, 60);
  const auto W = normal_matrix<double>(6, 5, 1, random), V = normal_matrix<double>(6, 5, 1, random);
  const auto X = normal_matrix<double>(50, 6, 1, random);
  const Matrix<double> H = hadamard(matmul(X, W), matmul(X, V));
  // 36 products of numbers up to 3, in another order: some tens of roundings of 1e-15.
  lesson.claim("the same for 50 random rows, 6 inputs, 5 products: max |diff|",
               max_abs_difference(evaluate(product_tensor(W, V), X), H), at_most(1e-12));
}
