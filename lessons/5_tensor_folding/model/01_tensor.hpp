// Lesson 5, parts 1 to 4: a tensor of order three, and what is done with it. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include "common/matrix.hpp"

namespace lesson5 {

// Numbers T[o,p,q]: for each output o a matrix over pairs (p, q) of inputs. Stored slice by slice, in double, whatever
// the net was trained in: a tensor is made to be read.
struct Tensor3 {
  std::vector<Matrix<double>> slices;

  Tensor3(std::size_t outputs, std::size_t rows, std::size_t cols) : slices(outputs, Matrix<double>(rows, cols)) {}

  std::size_t outputs() const { return slices.size(); }
  Shape shape() const { return slices.empty() ? Shape{} : slices[0].shape(); }  // of each slice
  double& operator()(std::size_t o, std::size_t p, std::size_t q) { return slices.at(o)(p, q); }
  double operator()(std::size_t o, std::size_t p, std::size_t q) const { return slices.at(o)(p, q); }
};

// All of these throw std::invalid_argument when shapes do not fit.

// Returns a product layer as a tensor, B[k,i,j] = W[i,k]·V[j,k]; W and V are m x h.   (5.1)
Tensor3 product_tensor(const Matrix<double>& W, const Matrix<double>& V);

// Returns Y[r,o] = Σ_pq X[r,p]·T[o,p,q]·X[r,q]; X is n x inputs, Y is n x outputs.   (5.2)
Matrix<double> evaluate(const Tensor3& t, const Matrix<double>& X);

// Folds in a linear map behind, UB[o,i,j] = Σ_k U[k,o]·B[k,i,j]; U is h x outputs.   (5.3)
Tensor3 fold_behind(const Tensor3& B, const Matrix<double>& U);

// Folds in a linear map in front, BE[k,p,q] = Σ_ij E[p,i]·B[k,i,j]·E[q,j]; E is inputs x m.   (5.4)
Tensor3 fold_in_front(const Tensor3& B, const Matrix<double>& E);

// Folds both at once, UBE[o,p,q] = Σ_k U[k,o]·(E·W)[p,k]·(E·V)[q,k], from the factors, without B in between.   (5.5)
Tensor3 fold_factors(const Matrix<double>& EW, const Matrix<double>& EV, const Matrix<double>& U);

// Returns (A + Aᵀ)/2.
Matrix<double> symmetric_part(const Matrix<double>& A);

// Returns S[o,p,q] = (T[o,p,q] + T[o,q,p])/2: the same outputs, since x_p·x_q = x_q·x_p.   (5.11)
Tensor3 symmetric(const Tensor3& t);

// Puts everything on and above the diagonal: T[o,p,q] + T[o,q,p] for p < q. The same outputs again, half the numbers.
Tensor3 triangular(const Tensor3& t);

// Returns the largest |difference| of two entries in the same place.
double largest_difference(const Tensor3& a, const Tensor3& b);

}  // namespace lesson5
