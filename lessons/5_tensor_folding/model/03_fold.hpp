// Lesson 5, parts 2 and 3: a whole net as one tensor, biases included. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "lessons/5_tensor_folding/model/01_tensor.hpp"
#include "lessons/5_tensor_folding/model/02_net.hpp"

namespace lesson5 {

// Returns [A 0; a 1]: rows, cols and one more of each. (x, 1) times it is (x·A + a, 1): the constant is carried
// through. Throws std::invalid_argument unless a is 1 x cols.   (5.10)
Matrix<double> extended(const Matrix<double>& A, const Matrix<double>& a);

// Returns [A; a]: for the last map, behind which no constant is needed. Throws as extended does.   (5.10)
Matrix<double> with_last_row(const Matrix<double>& A, const Matrix<double>& a);

// Returns X with a column of ones behind it.
Matrix<double> with_one(const Matrix<double>& X);

// Returns the net as one tensor over (x, 1), logits[r,o] = Σ_pq x~[r,p]·T[o,p,q]·x~[r,q]. Without biases the constant's
// row and column are zero. T is float or double.
template <class T>
Tensor3 fold(const Net<T>& net);

// Returns the slices of all outputs without the constant, S = ½ Σ_k U[k,o]·(w_k·v_kᵀ + v_k·w_kᵀ), inputs x inputs. For
// a net without biases this is all there is.
template <class T>
std::vector<Matrix<double>> quadratic_slices(const Net<T>& net);

}  // namespace lesson5
