// Lesson 6: what attention and the layers around it are made of: the linear layer, products entry by entry, dropout.
// Results go into matrices that the caller keeps, so that a training step makes none. Look here when a line calls one
// of these. n rows are tokens. dX means d loss / d X; gradients of parameters are set, never added to. Equation
// numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "common/loss.hpp"
#include "common/matrix.hpp"
#include "common/model.hpp"
#include "common/random.hpp"

namespace lesson6 {

// Makes A rows x cols where it is not; what it then holds is to be overwritten.
template <class T>
void make_room(Matrix<T>& A, std::size_t rows, std::size_t cols) {
  if (A.shape() != Shape{rows, cols}) A = Matrix<T>(rows, cols);
}

// Puts A ⊙ B into C, which may be A.
template <class T>
void multiply(const Matrix<T>& A, const Matrix<T>& B, Matrix<T>& C);

// Puts factor·A into C, which may be A.
template <class T>
void scale(T factor, const Matrix<T>& A, Matrix<T>& C);

// Puts X·W + b, n x in times in x out, into Y; an empty b is no bias.   (6.1)
template <class T>
void linear(const Matrix<T>& X, const Matrix<T>& W, const Matrix<T>& b, Matrix<T>& Y);

// Sets dW, db and dX; with Write::add dX +=, so that several layers can send their part.
template <class T>
void linear_back(const Matrix<T>& X, const Matrix<T>& W, const Matrix<T>& dY, Matrix<T>& dW, Matrix<T>& db,
                 Matrix<T>& dX, Write write = Write::set);

// Draws rows x cols factors, 0 with the given probability and else 1/(1 - probability), so that the mean stays
// (Srivastava et al. 2014). Without `random`, which means evaluation, or at probability 0 an empty matrix: nothing is
// dropped.   (6.17)
template <class T>
void draw_mask(Matrix<T>& mask, std::size_t rows, std::size_t cols, double probability, Random* random);

// Makes A ⊙ mask of A, forward and backward alike; an empty mask leaves A as it is.   (6.17)
template <class T>
void apply_mask(Matrix<T>& A, const Matrix<T>& mask);

// Appends the tensors of a part of a model, their names behind a prefix; without those that are not there: no biases.
template <class T>
void append(Tensors<T>& all, const std::string& prefix, const Tensors<T>& part) {
  for (const auto& [name, tensor] : part)
    if (tensor.size() > 0) all.push_back({prefix + name, tensor});
}

// Returns a row of biases, 1 x size, or an empty one.
template <class T>
Matrix<T> bias_row(bool biases, std::size_t size) {
  return Matrix<T>(biases ? 1 : 0, biases ? size : 0);
}

}  // namespace lesson6
